import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { HttpError } from "../http/error.ts";
import {
  inputParameter,
  pathOf,
  queryOf,
  readBody,
  refuseOtherSites,
  requireForm,
} from "../http/request.ts";
import {
  CORS_HEADERS,
  compressedText,
  dataHeaders,
  dataResponse,
  type Handler,
  type HeaderMap,
  staticData,
  staticText,
} from "../http/response.ts";
import { answer, type Route } from "../http/route.ts";
import { DOCS_PATH, HOME_PATH, TOOLS_PATH, toolPagePath } from "../links.ts";
import { once } from "../once.ts";
import { assetOf, assets } from "../pages/assets/assets.ts";
import type { Asset } from "../pages/assets/build-assets.ts";
import { docsPage } from "../pages/docs/page.ts";
import { homePage } from "../pages/home.ts";
import { pageHeaders } from "../pages/layout.ts";
import { notFoundPage } from "../pages/not-found.ts";
import { toolPage } from "../pages/tool/page.ts";
import { serverRunner } from "../pages/tool/server-runner.ts";
import {
  filePath,
  hasFile,
  readOutput,
  stateOfForm,
  stateOfInput,
  stateOfProblem,
  stateOfRequest,
  TOO_LARGE,
  type ToolPageState,
  type ToolRunner,
} from "../pages/tool/state.ts";
import { toolsPage } from "../pages/tools.ts";
import { runForRequest, type Service } from "../service.ts";

/** The pages and the assets they load. */
export const pageRoutes = (service: Service): Route[] => [
  route(HOME_PATH, fixedPage(service, homePage)),
  route(TOOLS_PATH, fixedPage(service, toolsPage)),
  route(DOCS_PATH, fixedPage(service, docsPage)),
  ...tools.flatMap((contract) => toolPageRoutes(contract, service)),
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

/** A tool's page, and the download of its file if it makes one. */
function toolPageRoutes(contract: Contract, service: Service): Route[] {
  const runner = once(() => serverRunner(contract, service));
  const page = {
    path: toolPagePath(contract),
    methods: { GET: pageByGet(runner, service), POST: pageByPost(runner, service) },
    headers: {},
    logged: false,
  };
  if (!hasFile(contract)) return [page];
  return [
    page,
    { ...page, path: filePath(contract), methods: { GET: download(contract, service) } },
  ];
}

/** The page with the example, or with the input or form in the query. */
function pageByGet(runner: () => ToolRunner, service: Service): Handler {
  const example = staticText(
    () => toolPage(service, stateOfInput(runner(), runner().contract.example_input)),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );
  return (request) => {
    const query = queryOf(request.url);
    if (hasTooManyFields(query)) return tooLarge(request, runner(), service);
    const state = stateOfRequest(runner(), new URLSearchParams(query));
    return state ? pageOf(request, service, state) : example(request);
  };
}

/** The page for a form in a body: one that may hold secrets, which must not stand in an address. */
const pageByPost =
  (runner: () => ToolRunner, service: Service): Handler =>
  async (request) => {
    requireForm(request);
    refuseOtherSites(request, service.baseUrl());
    try {
      const body = new TextDecoder().decode(await readBody(request, MAX_FORM_BYTES));
      if (hasTooManyFields(body)) return tooLarge(request, runner(), service);
      const state = stateOfRequest(runner(), new URLSearchParams(body));
      return pageOf(request, service, state ?? stateOfForm(runner(), {}));
    } catch (error) {
      if (!(error instanceof HttpError && error.code === "payload_too_large")) throw error;
      return tooLarge(request, runner(), service);
    }
  };

/** A person sent this form, so the page itself tells them. */
const tooLarge = (request: Request, runner: ToolRunner, service: Service): Response =>
  pageOf(request, service, stateOfProblem(runner, [TOO_LARGE]), 413);

/** Whether there are more fields than any form of ours has: only reading them would take long. */
const hasTooManyFields = (text: string): boolean =>
  text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS;

const MAX_FIELDS = 4_000;

/** Field names need room besides the input, whose own limit is checked later. */
const MAX_FORM_BYTES = 8 * MAX_TOOL_INPUT_BYTES;

/**
 * A page rendered for one request. The status is 200 for a refused input too: the page works and
 * shows the problems, and browsers log no error while the user types.
 */
const pageOf = (request: Request, service: Service, state: ToolPageState, status = 200): Response =>
  compressedText(
    request,
    toolPage(service, state),
    new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    status,
  );

/**
 * The file of a result, as a download. Another site's link leads to the page instead, which shows
 * what the file would do.
 */
const download =
  (contract: Contract, service: Service): Handler =>
  ({ url, headers: sent }) => {
    if ((sent.get("sec-fetch-site") ?? "same-origin") !== "same-origin") {
      return redirect(303, toolPagePath(contract), url);
    }
    const { file } = readOutput(runForRequest(contract, inputParameter(url), service));
    if (!file) throw new HttpError("not_found", "this tool makes no file");
    return dataResponse(
      file.content,
      dataHeaders(
        {
          "Cache-Control": "private, no-cache",
          "Content-Disposition": `attachment; filename="${file.name}"`,
        },
        file.media_type,
      ),
    );
  };

/** The 404 for an unknown path: a page for browsers, JSON for everyone else. */
export function notFound(request: Request, service: Service): Response | Promise<Response> {
  const path = pathOf(request.url);
  const isData = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
  const headers: HeaderMap = path.startsWith("/api/tools/") ? CORS_HEADERS : {};
  return answer(request, { path: null, headers, logged: isData }, service, () => {
    const withoutSlash = PAGE_PATHS.find((known) => path === `${known}/`);
    if (withoutSlash) return redirect(308, withoutSlash, request.url);
    if (!isData && request.headers.get("accept")?.includes("text/html"))
      return page(request, service);
    throw new HttpError("not_found", hintFor(path));
  });
}

/** The runtime's router takes a path with a slash at its end for the one without, if it has both. */
const PAGE_PATHS = [TOOLS_PATH, DOCS_PATH, ...tools.map(toolPagePath)];

/** A redirect to another path, with the query of the request. */
function redirect(status: 303 | 308, path: string, url: string): Response {
  // A URL without a usable Host is as it was sent, and a header takes no such character as ✓.
  const { search } = new URL(`?${queryOf(url)}`, "http://localhost");
  return new Response(null, { status, headers: { Location: path + search } });
}

const page = (request: Request, service: Service): Response =>
  compressedText(
    request,
    notFoundPage(service),
    new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    404,
  );

/** Tells the right path for one that ends in a tool's name or command instead of its segment. */
function hintFor(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const tool = tools.find(({ name, command }) => name === last || command === last);
  return tool
    ? `this tool is at ${toolPath(tool)}`
    : "nothing has this path; GET /api/tools lists the tools";
}
