import { Elysia } from "elysia";
import { tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { HttpError } from "../http/http-error.ts";
import { type RequestContext, redirect } from "../http/respond.ts";
import { renderNotFoundPage } from "../pages/not-found-page.tsx";
import type { Service } from "../service.ts";
import { staticPage } from "./static-page.ts";

/**
 * Handles requests without a route: 405 if the path has other methods, else 404, as a page for
 * browsers and as JSON for programs.
 *
 * @param routes all routes of the app.
 */
export function notFoundRoute(
  service: Service,
  routes: readonly { path: string; method: string }[],
) {
  const known = Map.groupBy(routes, ({ path }) => path);
  const page = staticPage(service, renderNotFoundPage, 404);
  const respond = ({ path, request, set }: RequestContext & { readonly path: string }) => {
    const methods = known.get(path);
    if (methods) {
      const allow = methods
        .map(({ method }) => method)
        .join(", ")
        .replace("GET", "GET, HEAD");
      throw new HttpError("method_not_allowed", `use ${allow}`, { allow });
    }
    const near = path.toLowerCase().replace(/\/+$/, "");
    const isApi = /^\/(?:api|\.well-known)(?:\/|$)/.test(near);
    const isPerson = !isApi && request.headers.get("accept")?.includes("text/html");
    if (!isApi && known.has(near)) return redirect(set, 308, near, request.url);
    if (isPerson) return page({ request, set });
    throw new HttpError("not_found", notFoundHint(near, known.has(near)));
  };
  // By default, Elysia reads the body for a handler of all methods.
  return new Elysia().all("/*", respond, { parse: "none" });
}

/** Suggests a path. A wrong one may end in a tool's name or command. */
function notFoundHint(near: string, isKnown: boolean): string {
  const last = near.slice(near.lastIndexOf("/") + 1);
  const tool = tools.find(({ name, command }) => name === last || command === last);
  if (tool) return `this tool is at ${toolPath(tool)}`;
  if (isKnown) return `the path is ${near}, in lower case and without a slash at its end`;
  return "there is nothing at this path; GET /api/tools lists the tools";
}
