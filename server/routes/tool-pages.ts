import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { HttpError } from "../http/error.ts";
import {
  inputParameter,
  queryOf,
  readBody,
  rejectOtherSites,
  requireForm,
  turnOf,
} from "../http/request.ts";
import { dataHeaders, type Handler, redirect, respond, respondFixed } from "../http/response.ts";
import { toolPagePath } from "../links.ts";
import { once } from "../once.ts";
import { pageHeaders } from "../pages/layout.ts";
import { serverRunner, toolPage } from "../pages/tool/page.ts";
import {
  readOutput,
  stateOfForm,
  stateOfInput,
  stateOfProblem,
  stateOfRequest,
  TOO_LARGE,
  type ToolPageState,
  type ToolRunner,
} from "../pages/tool/state.ts";
import type { Service } from "../service.ts";

/** A tool's page with the example, or with the input or form in the query. */
export function toolPageByGet(contract: Contract, service: Service): Handler {
  const runner = once(() => serverRunner(contract, service));
  const example = respondFixed(
    () => toolPage(service, stateOfInput(runner(), runner().contract.example_input)),
    {
      headers: () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
    },
  );
  return async (request) => {
    const query = queryOf(request.url);
    if (query === "") return example(request);
    const turn = turnOf(request, PAGE_BYTES);
    if (turn) await turn;
    if (hasTooManyFields(query)) return tooLarge(request, runner(), service);
    const state = stateOfRequest(runner(), new URLSearchParams(query));
    return state ? pageOf(request, service, state) : example(request);
  };
}

/**
 * The page for a form in a body of at most `limit` bytes: one that may hold secrets, which must not
 * be in an address.
 */
export function toolPageByPost(contract: Contract, service: Service, limit: number): Handler {
  const runner = once(() => serverRunner(contract, service));
  return async (request) => {
    requireForm(request);
    rejectOtherSites(request, service.baseUrl());
    try {
      const body = new TextDecoder().decode(await readBody(request, limit));
      const turn = turnOf(request, PAGE_BYTES);
      if (turn) await turn;
      if (hasTooManyFields(body)) return tooLarge(request, runner(), service);
      const state = stateOfRequest(runner(), new URLSearchParams(body));
      return pageOf(request, service, state ?? stateOfForm(runner(), {}));
    } catch (error) {
      if (!(error instanceof HttpError && error.code === "payload_too_large")) throw error;
      return tooLarge(request, runner(), service);
    }
  };
}

/** A page takes as long as the result for the longest input, however short its own input is. */
const PAGE_BYTES = MAX_TOOL_INPUT_BYTES;

/** A person sent this form, so the answer is the page with the problem. */
const tooLarge = (request: Request, runner: ToolRunner, service: Service): Response =>
  pageOf(request, service, stateOfProblem(runner, [TOO_LARGE]), 413);

/** True for more fields than any of our forms has: reading them would take too long. */
const hasTooManyFields = (text: string): boolean =>
  text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS;

const MAX_FIELDS = 4_000;

/**
 * A page rendered for one request. The status is 200 for a rejected input too: the page works and
 * shows the problems, and browsers log no error while the user types.
 */
const pageOf = (request: Request, service: Service, state: ToolPageState, status = 200): Response =>
  respond(toolPage(service, state), {
    headers: new Headers({ ...pageHeaders(service), "Cache-Control": "no-store" }),
    status,
    request,
  });

/**
 * The file of a tool's result, as a download. Another site's link leads to the page instead, which
 * shows what the file would do.
 */
export const fileByGet =
  (contract: Contract, service: Service, limit: number): Handler =>
  ({ url, headers: sent }) => {
    if ((sent.get("sec-fetch-site") ?? "same-origin") !== "same-origin") {
      return redirect(303, toolPagePath(contract), url);
    }
    const input = inputParameter(url, limit);
    const { file } = readOutput(service.run(contract.name, input));
    if (!file) throw new HttpError("not_found", "this tool makes no file");
    const headers = {
      "Cache-Control": "private, no-cache",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    };
    return respond(file.content, { headers: dataHeaders(headers, file.media_type) });
  };
