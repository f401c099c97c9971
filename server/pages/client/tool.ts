import { tools } from "../../../schemas/index.ts";
import { formatIssue, InvalidInputError, type ToolResult } from "../../../src/issues.ts";
import { toolLoaders } from "../../../src/loaders.ts";
import { type Tool, withLocalLimits, withSettings } from "../../../src/tool.ts";
import { toolRunner } from "../tool/state.ts";
import type { ReadText } from "../view.ts";
import { viewOf } from "../views/view-of.ts";
import { liveForm, type ReadProduct } from "./live-form.ts";
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
  const run = (input: unknown): ToolResult => {
    try {
      return { ok: true, value: runOn(input) };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const { code, message, issues } = error;
      return { ok: false, error: { code, message, issues } };
    }
  };
  const readProduct: ReadProduct = async (text, isPasted) =>
    isPasted ? undefined : await readWith(tool, text);
  const means = { run, parse: parseJson };
  liveForm(
    form,
    toolRunner(tool.contract, viewOf(contract), means, ALL_ROWS),
    baseUrl,
    readProduct,
  );
  saveInPage();
  form.dataset.ready = "";
}

/** An export is read whole; of several inputs the first is shown. */
async function readWith(tool: Tool, text: string): Promise<ReadText | undefined> {
  try {
    const product = await tool.readProduct?.(text);
    const [input] = product?.inputs ?? [];
    if (!product || input === undefined) return undefined;
    const others = product.warnings.map(({ path, message }) => formatIssue({ path, message }));
    return { input: Object(input), summary: ["Read the file.", ...others].join(" ") };
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInputError([{ path: "", message: "the input must be JSON" }]);
  }
}
