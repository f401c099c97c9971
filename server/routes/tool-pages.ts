import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { HttpError } from "../http/error.ts";
import {
  inputParameter,
  queryOf,
  readBody,
  refuseOtherSites,
  requireForm,
} from "../http/request.ts";
import {
  compressedText,
  dataHeaders,
  dataResponse,
  type Handler,
  redirect,
  staticText,
} from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { toolPagePath } from "../links.ts";
import { once } from "../once.ts";
import { pageHeaders } from "../pages/layout.ts";
import { serverRunner, toolPage } from "../pages/tool/page.ts";
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
import { resultOf, type Service } from "../service.ts";

/** The tools' pages. */
export const toolPageRoutes = (service: Service): Route[] =>
  tools.flatMap((contract) => routesOf(contract, service));

/** A tool's page, and the download of its file if it makes one. */
function routesOf(contract: Contract, service: Service): Route[] {
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
    const { file } = readOutput(resultOf(service.run(contract.name, inputParameter(url))));
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
