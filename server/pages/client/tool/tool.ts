import { type Contract, tools } from "../../../../schemas/index.ts";
import { InvalidInputError, type Issue, validate } from "../../../../src/issues.ts";
import { readJson } from "../../../../src/json-text.ts";
import { runTool, withLocalLimits } from "../../../../src/tool.ts";
import { sizeIssue, type ToolRunner, toolRunner } from "../../tool/state.ts";
import { pageCode } from "../../views/view-loaders.ts";
import { liveForm } from "./live-form.ts";
import { saveInPage } from "./show.ts";

/** Loads the tool of a form, and runs it in the page. */
export async function startTool(form: HTMLFormElement): Promise<void> {
  const { live: command = "" } = form.dataset;
  const contract = tools.find((tool) => tool.command === command);
  const code = contract && pageCode.get(contract.name);
  if (!contract || !code) throw new Error(`No tool has the command ${command}`);
  const [loaded, view] = await Promise.all([code.tool(), code.view()]);
  const tool = withLocalLimits(loaded);
  const { baseUrl = "", priceBook } = form.closest<HTMLElement>("[data-base-url]")?.dataset ?? {};
  const prices = { priceBook: priceBook === undefined ? undefined : JSON.parse(priceBook) };
  const run: ToolRunner["run"] = (input, options) =>
    runTool(tool, input, { today: new Date().toISOString().slice(0, 10), ...options, ...prices });
  const apiIssue = (input: unknown) => findIssue(contract, input);
  const host = { run, parse: readJson, apiIssue, ...prices };
  saveInPage();
  stickWhileItFits(form);
  liveForm(form, toolRunner(tool.contract, view, host, ALL_ROWS), baseUrl);
  form.dataset.ready = "";
}

/** A form that fits into the window stays in view beside a long result. */
function stickWhileItFits(form: HTMLFormElement): void {
  const update = () => form.toggleAttribute("data-fits", form.offsetHeight <= innerHeight);
  new ResizeObserver(update).observe(form);
  addEventListener("resize", update);
}

/** The first reason why the public contract rejects an input. */
function findIssue({ input: schema }: Contract, input: unknown): Issue | undefined {
  try {
    validate(schema, input);
    return sizeIssue(JSON.stringify(input));
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues[0];
    throw error;
  }
}

/** More rows than anybody pastes: the page cuts nothing off. */
const ALL_ROWS = 100_000;
