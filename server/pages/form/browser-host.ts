import { MAX_TOOL_INPUT_BYTES } from "../../../schemas/http.ts";
import type { Contract, ResultOf } from "../../../schemas/index.ts";
import { InvalidInputError, type Issue, validate } from "../../../src/issues.ts";
import { hasMoreBytes } from "../../../src/text.ts";
import { runTool, type Tool, withLocalLimits } from "../../../src/tool.ts";
import type { Host } from "./run-form.ts";

/** Runs a tool in the page, with the limits of the command line. */
export function browserHost<C extends Contract>(
  given: Tool<C>,
  form: HTMLFormElement,
): Host<ResultOf<C>> {
  const tool = withLocalLimits(given);
  const { baseUrl = "", priceBook } = form.closest<HTMLElement>(".tool-page")?.dataset ?? {};
  const prices = { priceBook: priceBook === undefined ? undefined : JSON.parse(priceBook) };
  let last: { readonly input: unknown; readonly issue: Issue | undefined } | undefined;
  return {
    baseUrl,
    schema: tool.contract.input,
    ...prices,
    run: (input, options) =>
      runTool(tool, input, { today: new Date().toISOString().slice(0, 10), ...options, ...prices }),
    apiIssue(input) {
      // Several parts of a page ask for the same input.
      const known = last?.input === input ? last : undefined;
      last = known ?? { input, issue: findIssue(given.contract, input) };
      return last.issue;
    },
  };
}

/** The first reason why the public contract rejects an input. */
function findIssue({ input: schema }: Contract, input: unknown): Issue | undefined {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues[0];
    throw error;
  }
  if (!hasMoreBytes(JSON.stringify(input), MAX_TOOL_INPUT_BYTES)) return undefined;
  return { path: "", message: `the input may have at most ${MAX_TOOL_INPUT_BYTES} bytes` };
}
