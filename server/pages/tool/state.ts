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
import { HttpError } from "../../http/error.ts";
import { parseJson } from "../../http/request.ts";
import { toolPagePath } from "../../links.ts";
import { editRows, formData } from "../form/form-data.ts";
import { type FieldPlace, SENT_FORM, SHOWN_INPUT } from "../form/places.ts";
import { type FormValues, inputOf, isBlankRow, readValues } from "../form/values.ts";

/** The state of a tool's page: the form as it is filled in, and its outcome. */
export interface ToolPageState {
  readonly contract: Contract;
  readonly values: FormValues;
  /** Where the values stand in the input. */
  readonly place: FieldPlace;
  /** The input that the form stands for. */
  readonly input: unknown;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: "blank" }
  | { readonly kind: "refused"; readonly issues: readonly Issue[] }
  | { readonly kind: "done"; readonly result: ToolOutput };

/**
 * The state that a request asks for: by `input` in JSON, or by a form's fields. Undefined when the
 * parameters hold neither, such as those of a campaign.
 */
export function stateOfRequest(
  contract: Contract,
  parameters: URLSearchParams,
  run: BoundTool,
): ToolPageState | undefined {
  const input = parameters.get("input");
  if (input !== null) return stateOfText(contract, input, run);

  const command = parameters.get(COMMAND) ?? "";
  if (command === "clear") return stateOfForm(contract, {}, run);
  const data = formData(parameters);
  const isForm = fieldsOf(contract.input).some(({ name }) => Object.hasOwn(data, name));
  return isForm ? stateOfForm(contract, editRows(data, command), run) : undefined;
}

/** The parameter that names the pressed button, if it changes the form's rows. */
const COMMAND = "do";

function stateOfText(contract: Contract, text: string, run: BoundTool): ToolPageState {
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return stateOfProblem(contract, TOO_LARGE);
  try {
    return stateOfInput(contract, parseJson(text), run);
  } catch (error) {
    if (error instanceof HttpError) return stateOfProblem(contract, NO_JSON);
    throw error;
  }
}

const NO_JSON = problem("the input must be JSON");

export const TOO_LARGE = problem(`the input may have ${MAX_TOOL_INPUT_BYTES} bytes`);

function problem(message: string): Outcome {
  return { kind: "refused", issues: [{ path: "", message }] };
}

/** The state for something that cannot be read as an input. */
export function stateOfProblem(contract: Contract, outcome: Outcome): ToolPageState {
  const values = readValues(fieldsOf(contract.input), {});
  return { contract, values, place: SENT_FORM, input: inputOf(values).input, outcome };
}

/** The state for a submitted form. */
export function stateOfForm(contract: Contract, data: unknown, run: BoundTool): ToolPageState {
  const values = readValues(fieldsOf(contract.input), data);
  const { input, issues } = inputOf(values);
  const outcome = (): Outcome => {
    if (isBlankRow(values)) return { kind: "blank" };
    return issues.length > 0 ? { kind: "refused", issues } : outcomeOf(input, run);
  };
  return { contract, values, place: SENT_FORM, input, outcome: outcome() };
}

/** The state for an input, valid or not. */
export const stateOfInput = (
  contract: Contract,
  input: unknown,
  run: BoundTool,
): ToolPageState => ({
  contract,
  input,
  values: readValues(fieldsOf(contract.input), input),
  place: SHOWN_INPUT,
  outcome: outcomeOf(input, run),
});

function outcomeOf(input: unknown, run: BoundTool): Outcome {
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_TOOL_INPUT_BYTES) return TOO_LARGE;
  const called = run(input);
  if (called.ok) return { kind: "done", result: readOutput(called.value) };
  const { code, issues, cause } = called.error;
  if (code === "invalid_request") return { kind: "refused", issues };
  throw cause;
}

/** What all results have in common. */
const OutputSchema = v.looseObject({
  file: v.optional(v.object({ name: v.string(), media_type: v.string(), content: v.string() })),
  warnings: v.array(WarningSchema),
});

export type ToolOutput = v.InferOutput<typeof OutputSchema>;

/** The common part of a tool's result. */
export const readOutput = (result: unknown): ToolOutput => v.parse(OutputSchema, result);

/** Whether a tool makes a file to download. */
export const hasFile = ({ output }: Contract): boolean =>
  jsonSchema(output).properties?.file !== undefined;

/** The warnings, by where they are shown. */
interface SortedWarnings {
  /** About a field of the form, or the input as a whole. */
  readonly onInput: readonly Warning[];
  /** About a part of the result: their path does not begin with a field of the form. */
  readonly onResult: readonly Warning[];
}

export function sortWarnings(state: ToolPageState): SortedWarnings {
  const fields = new Set(["", ...fieldsOf(state.contract.input).map(({ name }) => name)]);
  const { onInput = [], onResult = [] } = Object.groupBy(warningsOf(state), ({ path }) =>
    fields.has(path.split(/[.[]/, 1)[0] ?? "") ? "onInput" : "onResult",
  );
  return { onInput, onResult };
}

export const warningsOf = ({ outcome }: ToolPageState): readonly Warning[] =>
  outcome.kind === "done" ? outcome.result.warnings : [];

/**
 * The input without the values that may be secret: in a tool whose results hold secrets, those are
 * the maps, such as environment variables and headers.
 */
export function withoutSecrets({ contract, input }: ToolPageState): object {
  const secret = contract.sensitive
    ? fieldsOf(contract.input).filter(({ kind }) => kind === "map")
    : [];
  const names = new Set(secret.map(({ name }) => name));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !names.has(name)));
}

export const hasSecrets = (state: ToolPageState): boolean =>
  Object.keys(withoutSecrets(state)).length < Object.keys(state.input ?? {}).length;

/** Whether the tool warns of a secret in a place where none belongs. */
export const hasStraySecret = (state: ToolPageState): boolean =>
  warningsOf(state).some(({ code }) => code.startsWith("secret-in-"));

/** The address of the result's file, if it has one. */
export const fileHref = ({ contract, input, outcome }: ToolPageState): string | undefined =>
  outcome.kind === "done" && outcome.result.file
    ? urlWithInput(filePath(contract), input)
    : undefined;

export const filePath = (contract: Contract): string => `${toolPagePath(contract)}/file`;
