import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { HttpError } from "../http/error.ts";
import { inputParameter, rawQuery, takeTurn } from "../http/request.ts";
import { dataHeaders, type Handler, redirect, respond } from "../http/response.ts";
import { toolPagePath } from "../links.ts";
import { once } from "../once.ts";
import { pageHeaders } from "../pages/layout.ts";
import { serverRunner, toolPage } from "../pages/tool/page.ts";
import {
  readOutput,
  runForm,
  runInput,
  runRequest,
  stateOfProblem,
  TOO_LARGE,
  type ToolPageState,
} from "../pages/tool/state.ts";
import type { Service } from "../service.ts";
import { fixedPage } from "./pages.ts";

/**
 * A tool's page: by GET with the example, or with the input or form in the query; by POST with a
 * form that may hold secrets, which must not be in an address.
 */
export function toolPageMethods(contract: Contract, service: Service) {
  const runner = once(() => serverRunner(contract, service));
  const example = fixedPage(service, () =>
    toolPage(service, runInput(runner(), contract.example_input)),
  );
  const readState = async (request: Request, form: string) => {
    const turn = takeTurn(request, PAGE_BYTES);
    if (turn) await turn;
    if (hasTooManyFields(form)) throw new HttpError("payload_too_large");
    return runRequest(runner(), new URLSearchParams(form));
  };
  const GET: Handler = async (request) => {
    const query = rawQuery(request.url);
    const state = query === "" ? undefined : await readState(request, query);
    return state ? respondPage(request, service, state) : example(request);
  };
  const POST: Handler = async (request, form) => {
    const state = await readState(request, String(form));
    return respondPage(request, service, state ?? runForm(runner(), {}));
  };
  return {
    methods: { GET, POST },
    /** A person sent a form that is too large, so the answer is the page with the problem. */
    onProblem: ({ code }: HttpError, request: Request) =>
      code === "payload_too_large"
        ? respondPage(request, service, stateOfProblem(runner(), [TOO_LARGE]), 413)
        : undefined,
  };
}

/** A page takes as long as the result for the longest input, however short its own input is. */
const PAGE_BYTES = MAX_TOOL_INPUT_BYTES;

/** True for more fields than any of our forms has: reading them would take too long. */
const hasTooManyFields = (text: string): boolean =>
  text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS;

const MAX_FIELDS = 4_000;

/**
 * A page rendered for one request. The status is 200 for a rejected input too: the page works and
 * shows the problems, and browsers log no error while the user types.
 */
const respondPage = (
  request: Request,
  service: Service,
  state: ToolPageState,
  status = 200,
): Response =>
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
