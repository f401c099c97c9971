import { tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { HttpError } from "../http/error.ts";
import { pathOf } from "../http/request.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  type Handler,
  type HeaderMap,
  redirect,
  staticData,
  staticText,
} from "../http/response.ts";
import { answer, type Route } from "../http/route.ts";
import { DOCS_PATH, HOME_PATH, TOOLS_PATH, toolPagePath } from "../links.ts";
import { type Asset, assetOf, assets } from "../pages/assets/assets.ts";
import { docsPage } from "../pages/docs/page.ts";
import { homePage } from "../pages/home.ts";
import { pageHeaders } from "../pages/layout.ts";
import { notFoundPage } from "../pages/not-found.ts";
import { toolsPage } from "../pages/tools.ts";
import type { Service } from "../service.ts";

/** The pages that are the same for everyone, and the assets of all pages. */
export const pageRoutes = (service: Service): Route[] => [
  route(HOME_PATH, fixedPage(service, homePage)),
  route(TOOLS_PATH, fixedPage(service, toolsPage)),
  route(DOCS_PATH, fixedPage(service, docsPage)),
  route(
    ICON_PATH,
    assetHandler(assetOf("favicon.ico"), { "Cache-Control": "public, max-age=86400" }),
  ),
  ...assets.map((asset) => route(asset.path, assetHandler(asset, IMMUTABLE))),
];

/** Where browsers and feed readers look for an icon unasked. */
const ICON_PATH = "/favicon.ico";

/** Texts are compressed; images are already. */
const assetHandler = ({ type, content, encoding }: Asset, headers: HeaderMap): Handler =>
  encoding === "utf8"
    ? staticText(
        () => content,
        () => dataHeaders(headers, type),
      )
    : staticData(Buffer.from(content, encoding), dataHeaders(headers, type));

/** The name of an asset holds a hash of its content. */
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

const route = (path: string, GET: Handler): Route => ({
  path,
  methods: { GET },
  headers: {},
  logged: false,
});

const fixedPage = (service: Service, render: (service: Service) => string): Handler =>
  staticText(
    () => render(service),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );

/** The 404 for an unknown path: a page for browsers, JSON for everyone else. */
export function notFound(service: Service): Handler {
  const page = staticText(
    () => notFoundPage(service),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    404,
  );
  return (request) => {
    const path = pathOf(request.url);
    const isData = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
    const headers: HeaderMap = path.startsWith("/api/tools/") ? CORS_HEADERS : {};
    return answer(request, { path: null, headers, logged: isData }, service, () => {
      const withoutSlash = PAGE_PATHS.find((known) => path === `${known}/`);
      if (withoutSlash) return redirect(308, withoutSlash, request.url);
      if (!isData && request.headers.get("accept")?.includes("text/html")) return page(request);
      throw new HttpError("not_found", hintFor(path));
    });
  };
}

/** The runtime's router takes a path with a slash at its end for the one without, if it has both. */
const PAGE_PATHS = [TOOLS_PATH, DOCS_PATH, ...tools.map(toolPagePath)];

/** Tells the right path for one that ends in a tool's name or command instead of its segment. */
function hintFor(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const tool = tools.find(({ name, command }) => name === last || command === last);
  return tool
    ? `this tool is at ${toolPath(tool)}`
    : "nothing has this path; GET /api/tools lists the tools";
}
