import { type Contract, tools } from "../../../schemas/index.ts";
import type { BoundTool } from "../../../src/call-tool.ts";
import { InvalidInputError, type Issue } from "../../../src/issues.ts";
import { readJson } from "../../../src/json-text.ts";
import { toolLoaders } from "../../../src/loaders.ts";
import { withLocalLimits, withSettings } from "../../../src/tool.ts";
import { validate } from "../../../src/validate.ts";
import { sizeIssue, toolRunner } from "../tool/state.ts";
import { viewOf } from "../views/view-of.ts";
import { liveForm } from "./live-form.ts";
import { saveInPage } from "./show.ts";

/** Loads the tool of a form, and runs it in the page. */
export async function startTool(form: HTMLFormElement): Promise<void> {
  const { live: command = "" } = form.dataset;
  const contract = tools.find((tool) => tool.command === command);
  const loaded = await toolLoaders.get(command)?.();
  if (!contract || !loaded) throw new Error(`No tool has the command ${command}`);
  const tool = withLocalLimits(loaded);
  const { baseUrl, settings } = pageData(form);
  const runOn = withSettings(tool, settings);
  const run: BoundTool = (input, text) => {
    try {
      return { ok: true, value: runOn(input, text) };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const { code, message, issues } = error;
      return { ok: false, error: { code, message, issues } };
    }
  };
  const apiIssue = (input: unknown) => issueOf(contract, input);
  const host = { run, parse: readJson, apiIssue };
  saveInPage();
  await liveForm(form, toolRunner(tool.contract, viewOf(contract), host, ALL_ROWS), baseUrl);
  form.dataset.ready = "";
}

/** The first reason for which the public contract rejects an input. */
function issueOf({ input: schema }: Contract, input: unknown): Issue | undefined {
  try {
    validate(schema, input);
    return sizeIssue(JSON.stringify(input));
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues[0];
    throw error;
  }
}

/** In the page, nothing that the user pastes is cut off. */
const ALL_ROWS = 100_000;

interface PageData {
  readonly baseUrl: string;
  /** The operator's replacements for the tool's built-in data. */
  readonly settings: Readonly<Record<string, unknown>>;
}

function pageData(form: HTMLElement): PageData {
  const { baseUrl = "", settings = "{}" } =
    form.closest<HTMLElement>("[data-settings]")?.dataset ?? {};
  return { baseUrl, settings: JSON.parse(settings) };
}
