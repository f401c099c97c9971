import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { Refusal } from "../http/error.ts";
import {
  inputParameter,
  pathOf,
  queryOf,
  readBody,
  refuseOtherSites,
  requireForm,
} from "../http/request.ts";
import {
  codedText,
  data,
  dataHeaders,
  fixedText,
  type Handler,
  type HeaderMap,
  OPEN,
} from "../http/response.ts";
import { answer, type Route } from "../http/route.ts";
import { DOCS_PATH, HOME_PATH, TOOLS_PATH, toolPagePath } from "../links.ts";
import { assets } from "../pages/assets/assets.ts";
import { docsPage } from "../pages/docs/page.ts";
import { homePage } from "../pages/home.ts";
import { pageHeaders } from "../pages/layout.ts";
import { notFoundPage } from "../pages/not-found.ts";
import { toolPage } from "../pages/tool/page.ts";
import {
  filePath,
  hasFile,
  readOutput,
  type Sheet,
  sheetOfForm,
  sheetOfInput,
  sheetOfProblem,
  sheetSent,
  TOO_LARGE,
} from "../pages/tool/sheet.ts";
import { toolsPage } from "../pages/tools.ts";
import { runForRequest, type Service } from "../service.ts";

/** A tool's page, and the file that its result may have. */
function toolPageRoutes(contract: Contract, service: Service): Route[] {
  const page = {
    path: toolPagePath(contract),
    methods: { GET: pageByGet(contract, service), POST: pageByPost(contract, service) },
    headers: {},
    logged: false,
  };
  if (!hasFile(contract)) return [page];
  return [
    page,
    { ...page, path: filePath(contract), methods: { GET: download(contract, service) } },
  ];
}

/** The page with the example, or with what the query has of its form. */
function pageByGet(contract: Contract, service: Service): Handler {
  const run = service.toolOf(contract);
  const example = fixedText(
    () => toolPage(service, sheetOfInput(contract, contract.example_input, run)),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );
  return (request) => {
    const sheet = sheetSent(contract, new URLSearchParams(queryOf(request.url)), run);
    return sheet ? pageOf(request, service, sheet) : example(request);
  };
}

/** A form's names take up room beside the input, of which the tool's own limit is checked later. */
const MAX_FORM_BYTES = 8 * MAX_TOOL_INPUT_BYTES;

/**
 * The page for what is sent in a body: what may be secret, so that it stands in no address, and
 * what the page's script sends while somebody types, so that no address grows too long.
 */
const pageByPost =
  (contract: Contract, service: Service): Handler =>
  async (request) => {
    requireForm(request);
    refuseOtherSites(request, service.baseUrl());
    const run = service.toolOf(contract);
    try {
      const body = new TextDecoder().decode(await readBody(request, MAX_FORM_BYTES));
      const sheet = sheetSent(contract, new URLSearchParams(body), run);
      return pageOf(request, service, sheet ?? sheetOfForm(contract, {}, run));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "payload_too_large")) throw error;
      // Who fills in a form should read of it on the page.
      return pageOf(request, service, sheetOfProblem(contract, TOO_LARGE), error.status);
    }
  };

/**
 * A page made for who asked. A refused input is no failure of the page, which tells of it: so the
 * status is 200, and browsers write no error into their console while somebody is typing.
 */
const pageOf = (request: Request, service: Service, sheet: Sheet, status = 200): Response =>
  codedText(
    request,
    toolPage(service, sheet),
    new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    status,
  );

/** The file that a result has, as a download. */
const download =
  (contract: Contract, service: Service): Handler =>
  ({ url }) => {
    const { file } = readOutput(runForRequest(contract, inputParameter(url), service));
    if (!file) throw new Refusal("not_found", "this tool makes no file");
    return data(
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

/** The pages for people, and what they load. */
export const pageRoutes = (service: Service): Route[] => [
  route(HOME_PATH, fixedPage(service, homePage)),
  route(TOOLS_PATH, fixedPage(service, toolsPage)),
  route(DOCS_PATH, fixedPage(service, docsPage)),
  ...tools.flatMap((contract) => toolPageRoutes(contract, service)),
  ...assets.map(({ path, type, text }) =>
    route(
      path,
      fixedText(
        () => text,
        () => dataHeaders(FOR_GOOD, type),
      ),
    ),
  ),
];

/** The name of an asset tells its version. */
const FOR_GOOD = { "Cache-Control": "public, max-age=31536000, immutable" };

const fixedPage = (service: Service, render: (service: Service) => string): Handler =>
  fixedText(
    () => render(service),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );

const route = (path: string, GET: Handler): Route => ({
  path,
  methods: { GET },
  headers: {},
  logged: false,
});

/** The answer to a path that there is not: a page for a browser, JSON for anyone else. */
export function notFound(request: Request, service: Service): Promise<Response> {
  const path = pathOf(request.url);
  const isData = /^\/(?:api|\.well-known)(?:\/|$)/.test(path);
  const headers: HeaderMap = path.startsWith("/api/tools/") ? OPEN : {};
  return answer(request, { path: null, headers, logged: isData }, service, () => {
    if (!isData && request.headers.get("accept")?.includes("text/html"))
      return page(request, service);
    throw new Refusal("not_found", "nothing has this path; GET /api/tools lists the tools");
  });
}

const page = (request: Request, service: Service): Response =>
  codedText(
    request,
    notFoundPage(service),
    new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    404,
  );
