import * as v from "valibot";
import {
  type Contract,
  MAX_TOOL_INPUT_BYTES,
  type Warning,
  WarningSchema,
} from "../../../schemas/index.ts";
import type { BoundTool } from "../../../src/call-tool.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { fieldsOf } from "../../../src/fields.ts";
import type { Issue } from "../../../src/issues.ts";
import { jsonSchema } from "../../../src/json-schema.ts";
import { Refusal } from "../../http/error.ts";
import { parseJson } from "../../http/request.ts";
import { toolPagePath } from "../../links.ts";
import { type Entries, inputOf, isBlankRow, readEntries } from "../form/entries.ts";
import { editRows, formData } from "../form/form-data.ts";
import { type Place, SENT_FORM, SHOWN_INPUT } from "../form/places.ts";

/** What the results of all tools have in common. */
const OutputSchema = v.looseObject({
  file: v.optional(v.object({ name: v.string(), media_type: v.string(), content: v.string() })),
  warnings: v.array(WarningSchema),
});
export type ToolOutput = v.InferOutput<typeof OutputSchema>;

/** A tool's result, as far as all results are alike. */
export const readOutput = (result: unknown): ToolOutput => v.parse(OutputSchema, result);

/** Whether a tool makes a file to download. */
export const hasFile = ({ output }: Contract): boolean =>
  jsonSchema(output).properties?.file !== undefined;

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

/** The sheet of an input, whatever it is. */
export const sheetOfInput = (contract: Contract, input: unknown, run: BoundTool): Sheet => ({
  contract,
  input,
  entries: readEntries(fieldsOf(contract.input), input),
  place: SHOWN_INPUT,
  outcome: outcomeOf(input, run),
});

/** The sheet of a form that was sent. */
export function sheetOfForm(contract: Contract, data: unknown, run: BoundTool): Sheet {
  const entries = readEntries(fieldsOf(contract.input), data);
  const { input, issues } = inputOf(entries);
  const outcome = (): Outcome => {
    if (isBlankRow(entries)) return { kind: "blank" };
    return issues.length > 0 ? { kind: "refused", issues } : outcomeOf(input, run);
  };
  return { contract, entries, place: SENT_FORM, input, outcome: outcome() };
}

/** An empty form, with the reason why what was sent is no input. */
export function sheetOfProblem(contract: Contract, outcome: Outcome): Sheet {
  const entries = readEntries(fieldsOf(contract.input), {});
  return { contract, entries, place: SENT_FORM, input: inputOf(entries).input, outcome };
}

const problem = (message: string): Outcome => ({
  kind: "refused",
  issues: [{ path: "", message }],
});

export const TOO_LARGE = problem(`the input may have ${MAX_TOOL_INPUT_BYTES} bytes`);
const NO_JSON = problem("the input must be JSON");

function outcomeOf(input: unknown, run: BoundTool): Outcome {
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_TOOL_INPUT_BYTES) return TOO_LARGE;
  const called = run(input);
  if (called.ok) return { kind: "done", result: readOutput(called.value) };
  const { code, issues, cause } = called.error;
  if (code === "invalid_request") return { kind: "refused", issues };
  throw cause;
}

export const warningsOf = ({ outcome }: Sheet): readonly Warning[] =>
  outcome.kind === "done" ? outcome.result.warnings : [];

/** The parameter of the buttons that change a form's rows. */
const COMMAND = "do";

/**
 * The sheet that was asked for: of an `input` in JSON, or of a form's fields. Undefined when the
 * parameters have neither, as those of a campaign.
 */
export function sheetSent(
  contract: Contract,
  parameters: URLSearchParams,
  run: BoundTool,
): Sheet | undefined {
  const input = parameters.get("input");
  if (input !== null) return sheetOfText(contract, input, run);

  const command = parameters.get(COMMAND) ?? "";
  if (command === "clear") return sheetOfForm(contract, {}, run);
  const data = formData(parameters);
  const isForm = fieldsOf(contract.input).some(({ name }) => Object.hasOwn(data, name));
  return isForm ? sheetOfForm(contract, editRows(data, command), run) : undefined;
}

function sheetOfText(contract: Contract, text: string, run: BoundTool): Sheet {
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return sheetOfProblem(contract, TOO_LARGE);
  try {
    return sheetOfInput(contract, parseJson(text), run);
  } catch (error) {
    if (error instanceof Refusal) return sheetOfProblem(contract, NO_JSON);
    throw error;
  }
}

/** The warnings of a sheet, by where they belong. */
export interface SortedWarnings {
  /** About a field of the form, or about the whole. */
  readonly onInput: readonly Warning[];
  /** About a part of the result: what their path begins with is no field of the form. */
  readonly onResult: readonly Warning[];
}

export function sortWarnings(sheet: Sheet): SortedWarnings {
  const fields = new Set(["", ...fieldsOf(sheet.contract.input).map(({ name }) => name)]);
  const { onInput = [], onResult = [] } = Object.groupBy(warningsOf(sheet), ({ path }) =>
    fields.has(path.split(/[.[]/, 1)[0] ?? "") ? "onInput" : "onResult",
  );
  return { onInput, onResult };
}

/**
 * The input without the values that may be secret: where results hold secrets, those of maps, such
 * as environment variables and headers.
 */
export function withoutSecrets({ contract, input }: Sheet): object {
  const secret = contract.sensitive
    ? fieldsOf(contract.input).filter(({ kind }) => kind === "map")
    : [];
  const names = new Set(secret.map(({ name }) => name));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !names.has(name)));
}

export const hasSecrets = (sheet: Sheet): boolean =>
  Object.keys(withoutSecrets(sheet)).length < Object.keys(sheet.input ?? {}).length;

/** Whether the tool has found what seems to be a secret in a place where none belongs. */
export const hasStraySecret = (sheet: Sheet): boolean =>
  warningsOf(sheet).some(({ code }) => code.startsWith("secret-in-"));

export const filePath = (contract: Contract): string => `${toolPagePath(contract)}/file`;

/** Where the file of a result can be downloaded, if it has one. */
export const fileHref = ({ contract, input, outcome }: Sheet): string | undefined =>
  outcome.kind === "done" && outcome.result.file
    ? urlWithInput(filePath(contract), input)
    : undefined;
