import {
  type Contract,
  MAX_SIGNUP_BYTES,
  MAX_TOOL_INPUT_BYTES,
  tools,
} from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { fileSchemas } from "../../src/file-schemas.ts";
import { HttpError } from "../http/error.ts";
import { rawPath, rejectOtherSites } from "../http/request.ts";
import { CORS_HEADERS, type Handler, redirect } from "../http/response.ts";
import type { Route } from "../http/route.ts";
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
import { MAX_MESSAGE_BYTES } from "../mcp/max-message.ts";
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
import { mcpByPost, requireOwnOrigin } from "./mcp.ts";
import { assetFile, fixedPage } from "./pages.ts";
import { challengeByGet, SIGNUP_HEADERS, signupByPost } from "./signup.ts";
import { fileByGet, toolPageMethods } from "./tool-pages.ts";
import { preflight, toolByGet, toolByPost, toolList } from "./tools.ts";

/** Every path of the service, with its methods and how many bytes of an input each takes. */
export const routes = (service: Service): Route[] => [
  // The API.
  api("/api/tools", { GET: toolList(service), OPTIONS: preflight }),
  ...tools.map((tool) => ({
    ...api(toolPath(tool), {
      GET: toolByGet(tool, service, MAX_TOOL_INPUT_BYTES),
      POST: toolByPost(tool, service),
      OPTIONS: preflight,
    }),
    body: { kind: "json", limit: MAX_TOOL_INPUT_BYTES } as const,
  })),
  { ...api(HEALTH_PATH, { GET: health(service) }), logged: false, skipsHooks: true },
  sameOrigin("/readyz", readiness(service)),
  ...(service.signup ? signupRoutes(service.signup) : []),
  ...(service.mcp ? [mcpRoute(service)] : []),

  // The documents that tell clients, crawlers and agents about the API and the pages.
  { ...api(OPENAPI_PATH, { GET: openApiDocument(service), OPTIONS: preflight }), logged: false },
  ...fileSchemas.map((schema) => ({
    ...api(`${SCHEMAS_PATH}/${schema.name}.json`, { GET: fileSchema(schema) }),
    logged: false,
  })),
  api(CATALOG_PATH, { GET: apiCatalog(service), OPTIONS: preflight }),
  sameOrigin(LLMS_PATH, llmsText(service)),
  sameOrigin("/robots.txt", robotsText(service)),
  sameOrigin(SITEMAP_PATH, pageMap(service)),

  // The pages.
  sameOrigin(HOME_PATH, fixedPage(service, homePage)),
  sameOrigin(TOOLS_PATH, fixedPage(service, toolsPage)),
  sameOrigin(DOCS_PATH, fixedPage(service, docsPage)),
  ...tools.map((tool) => toolPageRoute(tool, service)),
  ...tools
    .filter(hasFile)
    .map((tool) => sameOrigin(filePath(tool), fileByGet(tool, service, MAX_TOOL_INPUT_BYTES))),
  // Browsers and feed readers look for an icon here unasked.
  sameOrigin("/favicon.ico", assetFile(assetOf("favicon.ico"), DAILY)),
  ...assets.map((asset) => sameOrigin(asset.path, assetFile(asset))),

  // Every other path.
  api("/api/tools/*", { ALL: notFoundJson }),
  ...["/api", "/api/*", "/.well-known", "/.well-known/*"].map((path) => ({
    path,
    methods: { ALL: notFoundJson },
    logged: true,
  })),
  { path: "/*", methods: { ALL: otherPath(service) } },
];

const signupRoutes = (signup: NonNullable<Service["signup"]>): Route[] => {
  const { issue } = signup.challenge;
  const rules = { headers: SIGNUP_HEADERS, logged: true, hideReason: true };
  return [
    {
      ...rules,
      path: "/api/beta-signup",
      methods: { POST: signupByPost(signup) },
      body: { kind: "json", limit: MAX_SIGNUP_BYTES },
      onProblem: ({ code }) => {
        if (code !== "method_not_allowed") signup.onOutcome?.(code);
        return undefined;
      },
    },
    ...(issue
      ? [
          {
            ...rules,
            path: "/api/beta-signup/challenge",
            methods: { GET: challengeByGet(signup, issue) },
          },
        ]
      : []),
  ];
};

const mcpRoute = (service: Service): Route => ({
  path: MCP_PATH,
  methods: { POST: mcpByPost(service) },
  body: {
    kind: "json text",
    limit: MAX_MESSAGE_BYTES,
    checkOrigin: (request) => requireOwnOrigin(request, service.baseUrl()),
  },
  logged: true,
});

const toolPageRoute = (tool: Contract, service: Service): Route => ({
  path: toolPagePath(tool),
  ...toolPageMethods(tool, service),
  body: {
    kind: "form",
    limit: MAX_FORM_BYTES,
    checkOrigin: (request) => rejectOtherSites(request, service.baseUrl()),
  },
});

/** A path for programs and for scripts of any site. */
const api = (path: string, methods: Route["methods"]): Route => ({
  path,
  methods,
  headers: CORS_HEADERS,
  logged: true,
});

/** A path that scripts of other sites cannot read. */
const sameOrigin = (path: string, GET: Handler): Route => ({ path, methods: { GET } });

/** Field names need room beside the values; the limit of the input itself is checked later. */
const MAX_FORM_BYTES = 8 * MAX_TOOL_INPUT_BYTES;

const DAILY = { "Cache-Control": "public, max-age=86400" };

/** The 404 for programs. */
const notFoundJson: Handler = ({ url }) => {
  const path = rawPath(url);
  const last = path.slice(path.lastIndexOf("/") + 1);
  // The path may end in a tool's name or command instead of its segment.
  const tool = tools.find(({ name, command }) => name === last || command === last);
  const detail = tool
    ? `this tool is at ${toolPath(tool)}`
    : "there is nothing at this path; GET /api/tools lists the tools";
  throw new HttpError("not_found", detail);
};

/** The 404 outside the API: a page for browsers, JSON for everyone else. */
function otherPath(service: Service): Handler {
  const notFound = fixedPage(service, notFoundPage, { cacheControl: "no-store", status: 404 });
  return (request) => {
    const path = rawPath(request.url);
    const withoutSlash = PAGE_PATHS.find((known) => path === `${known}/`);
    if (withoutSlash) return redirect(308, withoutSlash, request.url);
    return request.headers.get("accept")?.includes("text/html")
      ? notFound(request)
      : notFoundJson(request);
  };
}

/**
 * Paths with a slash at their end are redirected to these. They are no routes, because
 * the runtime's router takes a path with a slash for the one without, if it has both.
 */
const PAGE_PATHS = [TOOLS_PATH, DOCS_PATH, ...tools.map(toolPagePath)];
