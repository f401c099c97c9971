import { Elysia } from "elysia";
import { tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { HttpError } from "../http/error.ts";
import { type Exchange, redirect } from "../http/send.ts";
import { DOCS_PATH, TOOLS_PATH, toolPagePath } from "../links.ts";
import { notFoundPage } from "../pages/not-found.ts";
import type { Service } from "../service.ts";
import { fixedPage } from "./pages.ts";

/**
 * The answer where no route is: 405 for a path with other methods, else 404, which is a page for
 * browsers and JSON for everyone else.
 *
 * @param routes all routes of the app.
 */
export function nowhere(service: Service, routes: readonly { path: string; method: string }[]) {
  const known = Map.groupBy(routes, ({ path }) => path);
  const page = fixedPage(service, notFoundPage, { cacheControl: "no-store", status: 404 });
  const answer = ({ path, request, set }: Exchange & { readonly path: string }) => {
    const methods = known.get(path);
    if (methods) {
      const allow = methods
        .map(({ method }) => method)
        .join(", ")
        .replace("GET", "GET, HEAD");
      throw new HttpError("method_not_allowed", `use ${allow}`, { allow });
    }
    const isApi = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
    const withoutSlash = PAGE_PATHS.find((page) => path === `${page}/`);
    if (withoutSlash) return redirect(set, 308, withoutSlash, request.url);
    if (!isApi && request.headers.get("accept")?.includes("text/html"))
      return page({ request, set });
    throw new HttpError("not_found", directions(path, known));
  };
  // By default, Elysia reads the body for a handler of all methods.
  return new Elysia().all("/*", answer, { parse: "none" });
}

/** Paths with a slash at their end are redirected to these. Bun's router would serve both alike. */
const PAGE_PATHS = [TOOLS_PATH, DOCS_PATH, ...tools.map(toolPagePath)];

/** Where to find what a wrong path looks for: with other letters, or by a tool's name or command. */
function directions(path: string, known: ReadonlyMap<string, unknown>): string {
  const near = path.toLowerCase().replace(/\/+$/, "");
  const last = near.slice(near.lastIndexOf("/") + 1);
  const tool = tools.find(({ name, command }) => name === last || command === last);
  if (tool) return `this tool is at ${toolPath(tool)}`;
  if (known.has(near))
    return `the path is ${near}, in small letters and without a slash at its end`;
  return "there is nothing at this path; GET /api/tools lists the tools";
}
