import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import type { Handler } from "../coded.ts";
import { codedText, fixedText } from "../coded.ts";
import { readBody } from "../http/body.ts";
import { inputParameter } from "../http/input-parameter.ts";
import { requireForm } from "../http/media-type.ts";
import { refuseOtherSites } from "../http/own-origin.ts";
import { queryOf } from "../http/query.ts";
import { toolPagePath } from "../links.ts";
import { pageHeaders } from "../pages/layout.ts";
import { filePath } from "../pages/tool/links.ts";
import { hasFile, readOutput } from "../pages/tool/output.ts";
import { toolPage } from "../pages/tool/page.ts";
import {
  type Sheet,
  sheetOfForm,
  sheetOfInput,
  sheetOfProblem,
  TOO_LARGE,
} from "../pages/tool/sheet.ts";
import { sheetSent } from "../pages/tool/sheet-sent.ts";
import { Refusal } from "../refusal.ts";
import { data, dataHeaders } from "../respond.ts";
import type { Route } from "../route.ts";
import { runTool } from "../run-tool.ts";
import type { Service } from "../service.ts";

/** A tool's page, and the file that its result may have. */
export function toolPageRoutes(contract: Contract, service: Service): Route[] {
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
  const settings = service.settings[contract.name];
  const example = fixedText(
    () => toolPage(service, sheetOfInput(contract, contract.example_input, settings)),
    () => new Headers({ ...pageHeaders(service), "Cache-Control": "public, no-cache" }),
  );
  return (request) => {
    const sheet = sheetSent(contract, new URLSearchParams(queryOf(request.url)), settings);
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
    const settings = service.settings[contract.name];
    try {
      const body = new TextDecoder().decode(await readBody(request, MAX_FORM_BYTES));
      const sheet = sheetSent(contract, new URLSearchParams(body), settings);
      return pageOf(request, service, sheet ?? sheetOfForm(contract, {}, settings));
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
    const { file } = readOutput(runTool(contract, inputParameter(url), service));
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
