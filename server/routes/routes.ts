import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { fileSchemas } from "../../src/file-schemas.ts";
import { HttpError } from "../http/error.ts";
import { pathOf } from "../http/request.ts";
import { CORS_HEADERS, type Handler, redirect } from "../http/response.ts";
import { answer, type Route } from "../http/route.ts";
import {
  CATALOG_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  HOME_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  SCHEMAS_PATH,
  SITEMAP_PATH,
  TOOLS_PATH,
  toolPagePath,
} from "../links.ts";
import { MAX_MESSAGE_BYTES } from "../mcp/allowed.ts";
import { assetOf, assets } from "../pages/assets/assets.ts";
import { docsPage } from "../pages/docs/page.ts";
import { homePage } from "../pages/home.ts";
import { notFoundPage } from "../pages/not-found.ts";
import { filePath, hasFile } from "../pages/tool/state.ts";
import { toolsPage } from "../pages/tools.ts";
import type { Service } from "../service.ts";
import {
  apiCatalog,
  fileSchema,
  llmsText,
  openApiDocument,
  pageMap,
  robotsText,
} from "./discovery.ts";
import { health, readiness } from "./health.ts";
import { mcpByPost } from "./mcp.ts";
import { assetFile, fixedPage } from "./pages.ts";
import { challengeByGet, SIGNUP_HEADERS, signupByPost } from "./signup.ts";
import { fileByGet, toolPageByGet, toolPageByPost } from "./tool-pages.ts";
import { preflight, toolByGet, toolByPost, toolList } from "./tools.ts";

/** Every path of the service, with its methods and how many bytes of an input each takes. */
export const routes = (service: Service): Route[] => [
  // The API.
  api("/api/tools", { GET: toolList(service) }),
  ...tools.map((tool) =>
    api(toolPath(tool), {
      GET: toolByGet(tool, service, MAX_TOOL_INPUT_BYTES),
      POST: toolByPost(tool, service, MAX_TOOL_INPUT_BYTES),
      OPTIONS: preflight,
    }),
  ),
  unlogged(HEALTH_PATH, health(service)),
  sameOrigin("/readyz", { GET: readiness(service) }),
  ...(service.signup ? signupRoutes(service.signup) : []),
  ...(service.mcp
    ? [{ ...sameOrigin(MCP_PATH, { POST: mcpByPost(service, MAX_MESSAGE_BYTES) }), logged: true }]
    : []),

  // The documents by which clients, crawlers and agents discover the API and the pages.
  unlogged(OPENAPI_PATH, openApiDocument(service)),
  ...fileSchemas.map((schema) =>
    unlogged(`${SCHEMAS_PATH}/${schema.name}.json`, fileSchema(schema)),
  ),
  api(CATALOG_PATH, { GET: apiCatalog(service) }),
  sameOrigin(LLMS_PATH, { GET: llmsText(service) }),
  sameOrigin("/robots.txt", { GET: robotsText(service) }),
  sameOrigin(SITEMAP_PATH, { GET: pageMap(service) }),

  // The pages.
  sameOrigin(HOME_PATH, { GET: fixedPage(service, homePage) }),
  sameOrigin(TOOLS_PATH, { GET: fixedPage(service, toolsPage) }),
  sameOrigin(DOCS_PATH, { GET: fixedPage(service, docsPage) }),
  ...tools.map((tool) =>
    sameOrigin(toolPagePath(tool), {
      GET: toolPageByGet(tool, service),
      POST: toolPageByPost(tool, service, MAX_FORM_BYTES),
    }),
  ),
  ...tools
    .filter(hasFile)
    .map((tool) =>
      sameOrigin(filePath(tool), { GET: fileByGet(tool, service, MAX_TOOL_INPUT_BYTES) }),
    ),
  // Browsers and feed readers look for an icon here unasked.
  sameOrigin("/favicon.ico", { GET: assetFile(assetOf("favicon.ico"), DAILY) }),
  ...assets.map((asset) => sameOrigin(asset.path, { GET: assetFile(asset) })),
];

const signupRoutes = (signup: NonNullable<Service["signup"]>): Route[] => {
  const { issue } = signup.challenge;
  const route = (path: string, methods: Route["methods"]): Route => ({
    path,
    methods,
    headers: SIGNUP_HEADERS,
    logged: true,
    hideReason: true,
  });
  return [
    route("/api/beta-signup", { POST: signupByPost(signup, MAX_SIGNUP_BYTES) }),
    ...(issue ? [route("/api/beta-signup/challenge", { GET: challengeByGet(signup, issue) })] : []),
  ];
};

/** A path for programs and for scripts of any site. */
const api = (path: string, methods: Route["methods"]): Route => ({
  path,
  methods,
  headers: CORS_HEADERS,
  logged: true,
});

/** The same without a line in the log: programs fetch these again and again. */
const unlogged = (path: string, GET: Handler): Route => ({ ...api(path, { GET }), logged: false });

/** A path that scripts of other sites cannot read, without a line in the log. */
const sameOrigin = (path: string, methods: Route["methods"]): Route => ({
  path,
  methods,
  headers: {},
  logged: false,
});

/** Field names need room besides the input, whose own limit is checked later. */
const MAX_FORM_BYTES = 8 * MAX_TOOL_INPUT_BYTES;

const DAILY = { "Cache-Control": "public, max-age=86400" };

/** The 404 for every other path: a page for browsers, JSON for everyone else. */
export function notFound(service: Service): Handler {
  const lost = fixedPage(service, notFoundPage, { cacheControl: "no-store", status: 404 });
  return (request) => {
    const path = pathOf(request.url);
    const isData = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
    const headers = path.startsWith("/api/tools/") ? CORS_HEADERS : {};
    return answer(request, { path: null, headers, logged: isData }, service, () => {
      const withoutSlash = PAGE_PATHS.find((known) => path === `${known}/`);
      if (withoutSlash) return redirect(308, withoutSlash, request.url);
      if (!isData && request.headers.get("accept")?.includes("text/html")) return lost(request);
      throw new HttpError("not_found", hintFor(path));
    });
  };
}

/**
 * The paths to which those with a slash at their end are redirected. These are no routes, because
 * the runtime's router takes a path with a slash for the one without, if it has both.
 */
const PAGE_PATHS = [TOOLS_PATH, DOCS_PATH, ...tools.map(toolPagePath)];

/** Tells the right path for one that ends in a tool's name or command instead of its segment. */
function hintFor(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const tool = tools.find(({ name, command }) => name === last || command === last);
  return tool
    ? `this tool is at ${toolPath(tool)}`
    : "there is nothing at this path; GET /api/tools lists the tools";
}
