import { Elysia } from "elysia";
import * as v from "valibot";
import { MAX_TOOL_INPUT_BYTES, mailFilterContract } from "../../schemas/index.ts";
import { mailFilterTool } from "../../src/mail-filter/mail-filter.ts";
import { HttpError } from "../http/http-error.ts";
import { rejectOtherOrigins } from "../http/origin.ts";
import { parseInputParameter, rawQuery, readBodyText } from "../http/request.ts";
import { type RequestContext, redirect, sendText } from "../http/respond.ts";
import { waitForTurn } from "../http/schedule-request.ts";
import type { ToolPage } from "../pages/form/form-state.ts";
import type { FormValues } from "../pages/form/form-values.ts";
import { pageHeaders } from "../pages/layout.tsx";
import {
  formFromRequest,
  MAX_CONTROLS,
  renderToolPage,
  serverRunner,
  tooLargeForm,
  toolPagesByName,
} from "../pages/tool-page.tsx";
import { toolPagePath } from "../paths.ts";
import type { Service } from "../service.ts";
import { staticPage } from "./static-page.ts";

/** The page of each tool, and the download of filters. */
export const toolPageRoutes = (service: Service) =>
  new Elysia()
    .use([...toolPagesByName.values()].map((page) => toolPageRoute(page, service)))
    .use(downloadRoute(service));

/**
 * Serves a tool's page: GET blank, or with an input or a form in the query; POST with a form that may
 * contain secrets, which must not be in a URL.
 */
function toolPageRoute(page: ToolPage, service: Service) {
  const path = toolPagePath(page.contract);
  const tool = service.tools.find(({ contract }) => contract === page.contract);
  if (!tool) throw new Error(`${page.contract.name} has a page and no code`);
  const runner = serverRunner(page.tool ?? tool, service);
  const blankPage = staticPage(service, () => renderToolPage(service, page, runner, new Map()));
  const send = ({ request, set }: RequestContext, form: FormValues) => {
    Object.assign(set.headers, pageHeaders(service), { "cache-control": "no-store" });
    return sendText({ request, set }, renderToolPage(service, page, runner, form));
  };
  /** @returns undefined for a form or query without fields of the tool. */
  const respond = async ({ request, set }: RequestContext, formText: string | null) => {
    // Even with a short input, a page takes as long as a result for the longest.
    await waitForTurn(MAX_TOOL_INPUT_BYTES);
    if (formText !== null && formText.split("&", MAX_CONTROLS + 1).length <= MAX_CONTROLS) {
      const form = formFromRequest(page, runner, new URLSearchParams(formText));
      return form && send({ request, set }, form);
    }
    // A person sent the form, so show the problem on the page.
    set.status = 413;
    return send({ request, set }, tooLargeForm());
  };
  return new Elysia()
    .get(path, async ({ request, set }) => {
      const query = rawQuery(request.url);
      const filledPage = query === "" ? undefined : await respond({ request, set }, query);
      return filledPage ?? blankPage({ request, set });
    })
    .post(
      path,
      async ({ body, request, set }) => {
        // The pages also work under the server's other host names.
        const isSameOrigin = request.headers.get("sec-fetch-site") === "same-origin";
        if (!isSameOrigin) rejectOtherOrigins(request, service.baseUrl());
        return (await respond({ request, set }, body)) ?? send({ request, set }, new Map());
      },
      { parse: ({ request }) => readFormBody(request), body: v.nullable(v.string()) },
    );
}

/** @returns null for an oversized form, which needs a page, not an error. */
const readFormBody = (request: Request): Promise<string | null> =>
  // Field names need space too. The limit of the input is checked later.
  readBodyText(request, FORM_TYPE, 8 * MAX_TOOL_INPUT_BYTES).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === "payload_too_large") return null;
    throw error;
  });

const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Serves the filters of an input as a download. Links from other sites are redirected to the page,
 * which shows what the file would do.
 */
const downloadRoute = (service: Service) =>
  new Elysia().get(`${MAIL_FILTER_PATH}/file`, ({ request: { url, headers }, set }) => {
    if ((headers.get("sec-fetch-site") ?? "same-origin") !== "same-origin") {
      return redirect(set, 303, MAIL_FILTER_PATH, url);
    }
    const input = parseInputParameter(url, MAX_TOOL_INPUT_BYTES);
    const { file } = service.run(mailFilterTool, input);
    Object.assign(set.headers, {
      "content-type": file.media_type,
      "content-disposition": `attachment; filename="${file.name}"`,
      "cache-control": "private, no-cache",
    });
    return file.content;
  });

const MAIL_FILTER_PATH = toolPagePath(mailFilterContract);
