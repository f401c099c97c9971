import * as v from "valibot";
import type { Contract, ResultOf } from "../../../schemas/index.ts";
import { runTool, type Tool, withLocalLimits } from "../../../src/tool.ts";
import { type Host, sizeIssue } from "./run-form.ts";

/** Runs a tool in the page, with the limits of the command line. */
export function browserHost<C extends Contract>(
  given: Tool<C>,
  form: HTMLFormElement,
): Host<ResultOf<C>> {
  const tool = withLocalLimits(given);
  const { baseUrl = "", priceBook } = form.closest<HTMLElement>(".tool-page")?.dataset ?? {};
  const prices = { priceBook: priceBook === undefined ? undefined : JSON.parse(priceBook) };
  return {
    baseUrl,
    ...prices,
    run: (input, options) =>
      runTool(tool, input, { today: new Date().toISOString().slice(0, 10), ...options, ...prices }),
    isBeyondApi: (input) =>
      !v.is(given.contract.input, input) || sizeIssue(JSON.stringify(input)) !== undefined,
  };
}
