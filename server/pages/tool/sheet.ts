import { type Contract, MAX_TOOL_INPUT_BYTES, type Warning } from "../../../schemas/index.ts";
import { callTool } from "../../../src/call-tool.ts";
import { fieldsOf } from "../../../src/fields.ts";
import type { Issue } from "../../../src/issues.ts";
import { type Entries, isBlankRow } from "../form/entry.ts";
import { inputOf } from "../form/input-of.ts";
import { type Place, SENT_FORM, SHOWN_INPUT } from "../form/place.ts";
import { readEntries } from "../form/read-entries.ts";
import { readOutput, type ToolOutput } from "./output.ts";

/** A tool's form with what stands in it, and what came of it. */
export interface Sheet {
  readonly contract: Contract;
  readonly entries: Entries;
  /** Where the entries are in the input. */
  readonly place: Place;
  /** The input that the form stands for. */
  readonly input: unknown;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: "blank" }
  | { readonly kind: "refused"; readonly issues: readonly Issue[] }
  | { readonly kind: "done"; readonly result: ToolOutput };

/** Replacements for the tool's built-in data. */
export type Settings = Readonly<Record<string, unknown>> | undefined;

/** The sheet of an input, whatever it is. */
export const sheetOfInput = (contract: Contract, input: unknown, settings: Settings): Sheet => ({
  contract,
  input,
  entries: readEntries(fieldsOf(contract.input), input),
  place: SHOWN_INPUT,
  outcome: outcomeOf(contract, input, settings),
});

/** The sheet of a form that was sent. */
export function sheetOfForm(contract: Contract, data: unknown, settings: Settings): Sheet {
  const entries = readEntries(fieldsOf(contract.input), data);
  const { input, issues } = inputOf(entries);
  const outcome = (): Outcome => {
    if (isBlankRow(entries)) return { kind: "blank" };
    return issues.length > 0 ? { kind: "refused", issues } : outcomeOf(contract, input, settings);
  };
  return { contract, entries, place: SENT_FORM, input, outcome: outcome() };
}

/** The sheet of what cannot be read as an input. */
export const sheetOfProblem = (contract: Contract, outcome: Outcome): Sheet => ({
  ...sheetOfForm(contract, {}, undefined),
  outcome,
});

const problem = (message: string): Outcome => ({
  kind: "refused",
  issues: [{ path: "", message }],
});

export const TOO_LARGE = problem(`the input may have ${MAX_TOOL_INPUT_BYTES} bytes`);
export const NO_JSON = problem("the input must be JSON");

function outcomeOf({ name }: Contract, input: unknown, settings: Settings): Outcome {
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_TOOL_INPUT_BYTES) return TOO_LARGE;
  const called = callTool(name, input, settings);
  if (called.ok) return { kind: "done", result: readOutput(called.value) };
  const { code, issues, cause } = called.error;
  if (code === "invalid_request") return { kind: "refused", issues };
  throw cause;
}

export const warningsOf = ({ outcome }: Sheet): readonly Warning[] =>
  outcome.kind === "done" ? outcome.result.warnings : [];
