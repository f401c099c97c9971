import * as v from "valibot";
import {
  type Contract,
  MAX_TOOL_INPUT_BYTES,
  type PriceBook,
  type Warning,
  WarningSchema,
} from "../../../schemas/index.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { InvalidInputError, type Issue } from "../../../src/issues.ts";
import { jsonSchema, listFields } from "../../../src/json-schema.ts";
import { hasMoreBytes } from "../../../src/text.ts";
import { toolPagePath } from "../../links.ts";
import { ALTERNATIVE } from "../form/fields.ts";
import { editRows, parseForm, type SubmittedForm } from "../form/form-data.ts";
import { type FormField, formFields, inFormWords, optionFields } from "../form/form-fields.ts";
import { type FormValues, isBlankRow, linkTo, readValues, toInput } from "../form/values.ts";
import type { FormOptions, ReadExtras, TrialState, View } from "../view.ts";

/** The issue of an input above the server's limit. */
export const TOO_LARGE: Issue = {
  path: "",
  message: `the input may have at most ${MAX_TOOL_INPUT_BYTES} bytes`,
};

/** The issue of an input whose JSON is above the server's limit. */
export const sizeIssue = (json: string): Issue | undefined =>
  hasMoreBytes(json, MAX_TOOL_INPUT_BYTES) ? TOO_LARGE : undefined;

/** A tool and its view, ready to run. The server and the page's script each have their own. */
export interface ToolRunner {
  readonly contract: Contract;
  readonly view: View;
  readonly fields: readonly FormField[];
  /** Writes a message with the labels of the form. */
  readonly inWords: (message: string) => string;
  /** @throws {InvalidInputError} for an input that is rejected. */
  run(input: unknown, options?: object): object;
  /** @throws {InvalidInputError} for a text that is not JSON. */
  parse(text: string): unknown;
  /** The operator's prices, with which `run` runs. */
  readonly priceBook: PriceBook | undefined;
  /** The API's objection to an input that is accepted here. */
  apiIssue?(input: unknown): Issue | undefined;
}

/** @param surplusRows how many rows of a list are kept beyond its limit. */
export function toolRunner(
  contract: Contract,
  view: View,
  host: Pick<ToolRunner, "run" | "parse" | "priceBook" | "apiIssue">,
  surplusRows?: number,
): ToolRunner {
  const all = [...listFields(contract.input), ...optionFields(view.form)];
  const fields = formFields(all, view.form, surplusRows);
  const run: ToolRunner["run"] = (input, options) =>
    host.run(input, { ...view.options, ...options });
  return { contract, view, fields, inWords: inFormWords(fields), ...host, run };
}

/** The state of a tool's page: the form as it is filled in, and its outcome. */
export interface ToolPageState {
  readonly runner: ToolRunner;
  readonly values: FormValues;
  readonly chosen: number | undefined;
  readonly input: unknown;
  /** The choices of the form beside the input, where they are not the usual ones. */
  readonly options: FormOptions;
  readonly outcome: Outcome;
  /** True when the input came in a link instead of being typed. */
  readonly isLinked: boolean;
  /** A trial of an input on the user's files, if there is one. */
  readonly trial?: TrialState | undefined;
  /** What the text that was read last gave besides its input. */
  readonly extras?: ReadExtras | undefined;
}

type Outcome =
  | { readonly kind: "blank" }
  /** All problems are in fields that the user has not reached yet. */
  | { readonly kind: "unfinished"; readonly next: Issue }
  | { readonly kind: "rejected"; readonly issues: readonly Issue[] }
  | { readonly kind: "done"; readonly result: ToolOutput };

/** Tells whether the user has been in a field, by the id of its element. */
type Visited = (id: string) => boolean;

const EVERYTHING: Visited = () => true;

/**
 * The state that a request asks for: by `input` in JSON, or by a form's fields. Undefined when the
 * parameters hold neither, such as those of a campaign.
 */
export function runRequest(
  runner: ToolRunner,
  parameters: URLSearchParams,
): ToolPageState | undefined {
  const input = parameters.get("input");
  if (input !== null) return { ...runText(runner, input), isLinked: true };

  const command = parameters.get(COMMAND) ?? "";
  if (command === "clear") return runForm(runner, {});
  const data = parseForm(parameters);
  const isForm = runner.fields.some(({ name }) => Object.hasOwn(data, name));
  return isForm ? runForm(runner, editRows(data, command)) : undefined;
}

/** The parameter that names the pressed button, if it changes the form's rows. */
export const COMMAND = "do";

export function runText(runner: ToolRunner, text: string): ToolPageState {
  try {
    return runInput(runner, runner.parse(text));
  } catch (error) {
    if (error instanceof InvalidInputError) return stateOfProblem(runner, error.issues);
    throw error;
  }
}

/** The state for a text that is not an input. */
export const stateOfProblem = (runner: ToolRunner, issues: readonly Issue[]): ToolPageState => ({
  ...runForm(runner, {}),
  outcome: { kind: "rejected", issues },
});

/** The state for a submitted form, or for one that is being filled in. */
export function runForm(
  runner: ToolRunner,
  data: SubmittedForm,
  isVisited = EVERYTHING,
): ToolPageState {
  const values = readValues(runner.fields, data);
  const chosen = chosenAlternative(runner, data[ALTERNATIVE], values);
  const used = withoutUnchosen(values, runner, chosen);
  const { input, options, issues } = toInput(used, Object.keys(runner.view.form?.options ?? {}));
  const state = { runner, values, chosen, input, options, isLinked: false };
  if (isBlankRow(values)) return { ...state, outcome: { kind: "blank" } };
  const outcome: Outcome =
    issues.length > 0 ? { kind: "rejected", issues } : computeOutcome(runner, input, options);
  return { ...state, outcome: shownOutcome(outcome, values, isVisited) };
}

/** The state with the data of a form that describes the same input. */
export const withData = (state: ToolPageState, data: SubmittedForm) => ({
  ...state,
  values: readValues(state.runner.fields, data),
});

export function runInput(
  runner: ToolRunner,
  input: unknown,
  options: FormOptions = {},
): ToolPageState {
  const values = readValues(runner.fields, { ...Object(input), ...options }, true);
  return {
    runner,
    input,
    options,
    values,
    chosen: chosenAlternative(runner, undefined, values),
    outcome: computeOutcome(runner, input, options),
    isLinked: false,
  };
}

/** The alternative that the form sent, or else the only one that is filled in, or else the first. */
function chosenAlternative(
  { view }: ToolRunner,
  sent: unknown,
  values: FormValues,
): number | undefined {
  const alternatives = view.form?.alternatives ?? [];
  if (alternatives.length === 0) return undefined;
  if (typeof sent === "string" && alternatives[Number(sent)]) return Number(sent);
  const filled = alternatives.flatMap(({ fields }, index) =>
    isBlankRow(values.filter(({ field }) => fields.includes(field.name))) ? [] : [index],
  );
  return filled.length > 1 ? undefined : (filled[0] ?? 0);
}

/** The values without those of the alternatives that are not chosen. */
function withoutUnchosen(
  values: FormValues,
  { view }: ToolRunner,
  chosen: number | undefined,
): FormValues {
  if (chosen === undefined) return values;
  const others = view.form?.alternatives?.flatMap(({ fields }, index) =>
    index === chosen ? [] : fields,
  );
  return values.filter(({ field }) => !others?.includes(field.name));
}

function computeOutcome(
  runner: ToolRunner,
  ...[input, options]: Parameters<ToolRunner["run"]>
): Outcome {
  try {
    return { kind: "done", result: readOutput(runner.run(input, options)) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { kind: "rejected", issues: error.issues };
    throw error;
  }
}

/** Problems of fields that the user has not reached stay hidden. */
function shownOutcome(outcome: Outcome, values: FormValues, isVisited: Visited): Outcome {
  if (outcome.kind !== "rejected" || isVisited === EVERYTHING) return outcome;
  const issues = outcome.issues.filter(({ path }) => isVisited(linkTo(path, values)?.id ?? ""));
  const [next] = outcome.issues;
  return issues.length > 0 || !next ? { kind: "rejected", issues } : { kind: "unfinished", next };
}

/** The input of a state, if it is valid. */
export const validInput = ({ outcome, input }: ToolPageState): unknown =>
  outcome.kind === "done" ? input : undefined;

/** What a view needs to compute other results than that of a state. */
export const viewInput = ({ runner, input, options }: ToolPageState) => ({
  input,
  priceBook: runner.priceBook,
  run(other: unknown, more?: object) {
    const outcome = computeOutcome(runner, other, { ...more, ...options });
    return outcome.kind === "done" ? outcome.result : undefined;
  },
});

/** The properties that the results of all tools share. */
const OutputSchema = v.looseObject({
  file: v.optional(v.object({ name: v.string(), media_type: v.string(), content: v.string() })),
  warnings: v.array(WarningSchema),
});
export type ToolOutput = v.InferOutput<typeof OutputSchema>;

export const readOutput = (result: unknown): ToolOutput => v.parse(OutputSchema, result);

export const hasFile = ({ output }: Contract): boolean =>
  jsonSchema(output).properties?.file !== undefined;

/** The warnings, by the place where they are shown. */
interface SortedWarnings {
  /** About a field of the form, or the input as a whole. */
  readonly onInput: readonly Warning[];
  /** About a part of the result: their path does not begin with a field of the form. */
  readonly onResult: readonly Warning[];
}

/** The warnings, before the mere information. */
export function sortWarnings(state: ToolPageState): SortedWarnings {
  const names = new Set(["", ...state.runner.fields.map(({ name }) => name)]);
  const { warning = [], info = [] } = Object.groupBy(
    listWarnings(state),
    ({ severity }) => severity,
  );
  const { onInput = [], onResult = [] } = Object.groupBy([...warning, ...info], ({ path }) =>
    names.has(path.split(/[.[]/, 1)[0] ?? "") ? "onInput" : "onResult",
  );
  return { onInput, onResult };
}

export const listWarnings = ({ outcome }: ToolPageState): readonly Warning[] =>
  outcome.kind === "done" ? outcome.result.warnings : [];

/**
 * The input without the values that may be secret: in a tool whose results hold secrets, those are
 * the maps, such as environment variables and headers.
 */
export function withoutSecrets({ runner, input }: ToolPageState): object {
  const secret = runner.contract.sensitive
    ? runner.fields.filter(({ kind }) => kind === "map")
    : [];
  const names = new Set(secret.map(({ name }) => name));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !names.has(name)));
}

export const hasSecrets = (state: ToolPageState): boolean =>
  Object.keys(withoutSecrets(state)).length < Object.keys(state.input ?? {}).length;

/** True when a warning reports a misplaced secret. */
export const hasStraySecret = (state: ToolPageState): boolean =>
  listWarnings(state).some(({ code }) => code.startsWith("secret-in-"));

/** The address of the result's file, if it has one. */
export const fileHref = ({ runner, input, outcome }: ToolPageState): string | undefined =>
  outcome.kind === "done" && outcome.result.file
    ? urlWithInput(filePath(runner.contract), input)
    : undefined;

export const filePath = (contract: Contract): string => `${toolPagePath(contract)}/file`;
