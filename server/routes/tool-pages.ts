import { Elysia } from "elysia";
import * as v from "valibot";
import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { HttpError } from "../http/error.ts";
import { rejectOtherOrigins } from "../http/origin.ts";
import { inputParameter, rawQuery, readText } from "../http/request.ts";
import { type Exchange, redirect, sendText } from "../http/send.ts";
import { takeTurn } from "../http/turn.ts";
import { toolPagePath } from "../links.ts";
import type { Tree } from "../pages/form/form.ts";
import { exampleOf, type ToolPage } from "../pages/form/run-form.ts";
import { pageHeaders } from "../pages/layout.tsx";
import { serverRunner, toolPage } from "../pages/tool/page.ts";
import {
  filePath,
  hasFile,
  readOutput,
  runForm,
  runInput,
  runRequest,
  stateOfProblem,
  TOO_LARGE,
  type ToolPageState,
} from "../pages/tool/state.ts";
import {
  formOf,
  toolPage as livePageText,
  serverHost,
  tooLarge,
  toolPagesByName,
} from "../pages/tool-page.tsx";
import type { Service } from "../service.ts";
import { fixedPage } from "./fixed-page.ts";

/** The page of each tool, and the file of its result. */
export const toolPages = (service: Service) =>
  new Elysia()
    .use(tools.map((tool) => page(tool, service)))
    .use(tools.filter(hasFile).map((tool) => download(tool, service)));

/**
 * A tool's page: by GET with the example, or with the input or form in the query; by POST with a
 * form that may hold secrets, which must not be in an address.
 */
function page(tool: Contract, service: Service) {
  const path = toolPagePath(tool);
  const live = toolPagesByName.get(tool.name);
  if (live) return livePage(live, service);
  const runner = serverRunner(tool, service);
  const example = fixedPage(service, () => toolPage(service, runInput(runner, tool.example_input)));
  const send = ({ request, set }: Exchange, state: ToolPageState) => {
    Object.assign(set.headers, pageHeaders(service), { "cache-control": "no-store" });
    return sendText({ request, set }, toolPage(service, state));
  };
  /** @returns undefined for a form or query that has nothing of the tool's. */
  const answer = async ({ request, set }: Exchange, form: string | null) => {
    // A page takes as long as the result for the longest input, however short its own input is.
    await takeTurn(MAX_TOOL_INPUT_BYTES);
    if (form !== null && form.split("&", MAX_FIELDS + 1).length <= MAX_FIELDS) {
      const state = runRequest(runner, new URLSearchParams(form));
      return state && send({ request, set }, state);
    }
    // A person sent a form that is too large, so the answer is the page with the problem.
    set.status = 413;
    return send({ request, set }, stateOfProblem(runner, [TOO_LARGE]));
  };
  return new Elysia()
    .get(path, async ({ request, set }) => {
      const query = rawQuery(request.url);
      const page = query === "" ? undefined : await answer({ request, set }, query);
      return page ?? example({ request, set });
    })
    .post(
      path,
      async ({ body, request, set }) => {
        // The pages also work under other host names of the server.
        const isOwn = request.headers.get("sec-fetch-site") === "same-origin";
        if (!isOwn) rejectOtherOrigins(request, service.baseUrl());
        const page = await answer({ request, set }, body);
        return page ?? send({ request, set }, runForm(runner, {}));
      },
      { parse: ({ request }) => readForm(request), body: v.nullable(v.string()) },
    );
}

/**
 * The same, for a page in Preact. By GET with the example, or with the input or form in the query; by
 * POST with a form that may hold secrets, which must not be in an address.
 */
function livePage(page: ToolPage, service: Service) {
  const path = toolPagePath(page.contract);
  const host = serverHost(page.contract, service);
  const example = fixedPage(service, () => livePageText(service, page, host, exampleOf(page)));
  const send = ({ request, set }: Exchange, tree: Tree) => {
    Object.assign(set.headers, pageHeaders(service), { "cache-control": "no-store" });
    return sendText({ request, set }, livePageText(service, page, host, tree));
  };
  /** @returns undefined for a form or query that has nothing of the tool's. */
  const answer = async ({ request, set }: Exchange, form: string | null) => {
    // A page takes as long as the result for the longest input, however short its own input is.
    await takeTurn(MAX_TOOL_INPUT_BYTES);
    if (form !== null && form.split("&", MAX_FIELDS + 1).length <= MAX_FIELDS) {
      const tree = formOf(page, host, new URLSearchParams(form));
      return tree && send({ request, set }, tree);
    }
    // A person sent a form that is too large, so the answer is the page with the problem.
    set.status = 413;
    return send({ request, set }, tooLarge());
  };
  return new Elysia()
    .get(path, async ({ request, set }) => {
      const query = rawQuery(request.url);
      const own = query === "" ? undefined : await answer({ request, set }, query);
      return own ?? example({ request, set });
    })
    .post(
      path,
      async ({ body, request, set }) => {
        // The pages also work under other host names of the server.
        const isOwn = request.headers.get("sec-fetch-site") === "same-origin";
        if (!isOwn) rejectOtherOrigins(request, service.baseUrl());
        return (await answer({ request, set }, body)) ?? send({ request, set }, new Map());
      },
      { parse: ({ request }) => readForm(request), body: v.nullable(v.string()) },
    );
}

/** More than any of our forms has: reading them would take too long. */
const MAX_FIELDS = 4_000;

/** A form that is too large is null: the answer to it is a page, and no error. */
const readForm = (request: Request): Promise<string | null> =>
  // Field names need room beside the values; the limit of the input itself is checked later.
  readText(request, FORM_TYPE, 8 * MAX_TOOL_INPUT_BYTES).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === "payload_too_large") return null;
    throw error;
  });

const FORM_TYPE = "application/x-www-form-urlencoded";
/**
 * The file of a tool's result, as a download. Another site's link leads to the page instead, which
 * shows what the file would do.
 */
const download = (tool: Contract, service: Service) =>
  new Elysia().get(filePath(tool), ({ request: { url, headers }, set }) => {
    if ((headers.get("sec-fetch-site") ?? "same-origin") !== "same-origin") {
      return redirect(set, 303, toolPagePath(tool), url);
    }
    const { file } = readOutput(service.run(tool.name, inputParameter(url, MAX_TOOL_INPUT_BYTES)));
    if (!file) throw new HttpError("not_found", "this tool makes no file");
    Object.assign(set.headers, {
      "content-type": file.media_type,
      "content-disposition": `attachment; filename="${file.name}"`,
      "cache-control": "private, no-cache",
    });
    return file.content;
  });
