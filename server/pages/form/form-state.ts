import type { VNode } from "preact";
import * as v from "valibot";
import { MAX_TOOL_INPUT_BYTES } from "../../../schemas/http.ts";
import type { Contract, PriceBook, Warning } from "../../../schemas/index.ts";
import type { Finding } from "../../../src/findings.ts";
import {
  formatPath,
  InvalidInputError,
  joinPath,
  type Path,
  type Problem,
  replaceFieldNames,
} from "../../../src/issues.ts";
import { hasMoreBytes } from "../../../src/text.ts";
import type { RunOptions, Tool } from "../../../src/tool.ts";
import {
  asText,
  expandItem,
  type Fields,
  type FormField,
  type FormInput,
  type FormValues,
  getFormValue,
  isInCollapsedItem,
  toInput,
} from "./form-values.ts";

/** A tool's page: its words, fields and buttons. The server and the browser have the same. */
export interface ToolPage<Result = object, Extra = unknown> {
  readonly contract: Contract;
  /** The tool that this page runs, if its result has more fields than the contract's. */
  readonly tool?: Tool;
  /** The product in two words: "Gmail filters". */
  readonly product: string;
  /** The label of a button that opens the page: "Make a filter". */
  readonly action: string;
  readonly lead: string;
  readonly fields: Fields;
  /** The control to focus when the home page has filled in the first one. */
  readonly controlAfterHandOver?: string;
  /** The input of a form that is more than its fields. */
  toInput?(form: FormValues): FormInput;
  /** The input that a link holds, if it differs from the input that the tool runs. */
  linkInput?(form: FormValues): object;
  /** The form as drafts and links may keep it, with a placeholder for each secret. */
  withoutSecrets?(form: FormValues): FormValues;
  /** What a draft does not keep, in words that follow "except". */
  readonly draftOmits?: string;
  /** The options of a run that the form contains beside the input. */
  options?(form: FormValues): RunOptions;
  /** The controls that a link contains beside the input. */
  readonly linkedControls?: readonly string[];
  /** Why this form has no API call and no link, in a sentence: only pages and commands have its options. */
  whyNotShareable?(form: FormValues): string | undefined;
  /**
   * Applies an intent of this page alone.
   *
   * @returns the control to focus; undefined for an intent that all forms share.
   */
  applyIntent?(form: FormValues, intent: string): string | undefined;
  /** The outcome in a line, also for a screen reader. */
  summary(state: FormState<Result, Extra>): string;
  view(props: ViewProps<Result, Extra>): VNode;
}

/** A tool's page in a browser: what it runs and reads there. */
export interface HydratedPage<Result, Extra = unknown, Reader extends TextReader = TextReader>
  extends ToolPage<Result, Extra> {
  /** Runs the tool with the limits of the command line. @throws {InvalidInputError} */
  run(
    input: unknown,
    options: RunOptions,
    context: RunContext<Extra>,
    /** Undefined until it is loaded. */
    reader: Reader | undefined,
  ): Outcome<Result, Extra>;
  /** Loads the parsers, at the first interaction, so that the page works offline later. */
  loadReader(): Promise<Reader>;
  /** Whether the outcome needs the parsers, and in part waits until the user has typed. */
  needsReader?(form: FormValues): boolean;
  /** Choices that the browser remembers and undo leaves alone: control names with their defaults. */
  readonly preferences?: Readonly<Record<string, string>>;
}

/** What a run knows besides its input. */
export interface RunContext<Extra> {
  readonly form: FormValues;
  /** The extra data of the last form with a result. */
  readonly lastExtra: Extra | undefined;
  /** Whether the user types: slow parts may wait until the field is left or something is clicked. */
  readonly isTyping: boolean;
}

type Outcome<Result, Extra> = Pick<FormState<Result, Extra>, "extra"> & {
  readonly result: Result;
};

export interface TextReader {
  /**
   * Reads a file or a paste. Returns undefined if the paste is an ordinary value of its field.
   *
   * @param field the control or cell that was pasted into; empty for a file or the paste box.
   * @param form the form now.
   * @param fileName the name of a file.
   */
  readText(
    text: string,
    field: string,
    form: FormValues,
    fileName?: string,
  ): ReadOutcome | undefined | Promise<ReadOutcome | undefined>;
}

/** How to change the form, with a message; or the reason why nothing could be read. */
export type ReadOutcome =
  | {
      readonly change: FormChange;
      readonly notice: string;
      /** Sentences about values that were changed or left out. */
      readonly details?: readonly string[];
    }
  | {
      readonly reason: string;
      /** Whether this file is open already, which is no error. */
      readonly isOpen?: boolean;
    };

export interface ViewProps<Result, Extra = unknown> {
  readonly state: FormState<Result, Extra>;
  /** Browser-only values; the page renders the same without them. */
  readonly live?: LivePage<Result, Extra> | undefined;
}

/** Changes a form. A string that it returns names the control to focus. */
export type FormChange = (form: FormValues) => unknown;

/** What a page shows and can do in a browser, besides its form. */
export interface LivePage<Result, Extra = unknown> {
  /** A message about the last action or file. */
  readonly notice: ReadNotice | undefined;
  /** The last form with a result, for a form that has none. */
  readonly lastValid: FormState<Result, Extra> | undefined;
  readonly history: Readonly<Record<"past" | "future", readonly { readonly done: string }[]>>;
  /** Sets choices that the browser remembers, by the names of their controls. */
  setPreferences(choices: Readonly<Record<string, string>>): void;
  /** Makes a change that can be undone, with a message afterwards: "Merged." */
  change(change: FormChange, doneMessage?: string): void;
}

/** A message about the last action, or about what was read. */
export interface ReadNotice {
  readonly text: string;
  readonly details?: readonly string[] | undefined;
  readonly isError?: boolean;
}

/** What runs a page's tool: the server, or a browser. */
export interface Runner<Result = object, Extra = unknown> {
  readonly baseUrl: string;
  /** The operator's prices. */
  readonly priceBook?: PriceBook | undefined;
  /** @throws {InvalidInputError} for an input that is rejected. */
  run(input: unknown, options?: RunOptions): Outcome<Result, Extra>;
}

/** A message at a field: a problem that stops the tool, or a warning. */
export interface FieldMessage {
  readonly severity: "error" | Warning["severity"];
  /** The name of the field's control, or of a row. */
  readonly name: string;
  /** The place in the labels of the form: "Filter 2, From". */
  readonly place: string;
  readonly message: string;
  /** Of a warning. */
  readonly code?: string;
}

/** A form with the outcome of its tool, from which a page is rendered. */
export interface FormState<Result, Extra = unknown> {
  readonly page: ToolPage<Result, Extra>;
  readonly runner: Runner<Result, Extra>;
  readonly form: FormValues;
  readonly input: Readonly<Record<string, unknown>>;
  /** Not set while the form is blank, unfinished or invalid. */
  readonly result: Result | undefined;
  /** More than the result, such as the changes of an opened file. */
  readonly extra?: Extra | undefined;
  /** Only the page and the command line accept the input. */
  readonly isBeyondApi: boolean;
  readonly isBlank: boolean;
  /** The name of the item or control for a path of the input. */
  readonly nameOf: (path: Path) => string;
  /** All problems, shown or not. */
  readonly problems: readonly FieldMessage[];
  /** The problems of fields that the user has left, or else the warnings about fields, infos last. */
  readonly messages: readonly FieldMessage[];
}

/** Runs a page's tool on a form. */
export function evaluateForm<Result extends object, Extra>(
  page: ToolPage<Result, Extra>,
  runner: Runner<Result, Extra>,
  form: FormValues,
): FormState<Result, Extra> {
  const { fields } = page;
  const { input, names, issues, unread = [] } = getInput(page, form);
  const nameOf = (path: Path) => findName(path, names, form, fields);
  const inWords = replaceByLabels(fields);
  const toMessage = (
    severity: FieldMessage["severity"],
    { path, message, onPage = message }: Problem,
  ): FieldMessage => {
    const name = nameOf(path);
    const place = describeField(name, formatPath(path), form, fields);
    return { severity, name, place, message: inWords(onPage) };
  };
  const describe = (problems: readonly Problem[]) => {
    const all = problems.map((problem) => toMessage("error", problem));
    return {
      problems: all,
      messages: all.filter(({ name }, at) =>
        isShown(name, problems[at]?.path.at(-1), form, fields),
      ),
    };
  };
  const isBlank = isBlankInput(input, fields);
  const state = {
    ...{ page, runner, form, input, nameOf, isBlank, isBeyondApi: false },
    ...{ result: undefined, problems: [], messages: [] },
  };
  const linkProblem = asText(form.get(LINK_PROBLEM));
  const own = linkProblem === "" ? issues : [{ path: [], message: linkProblem }];
  if (isBlank && own.length === 0) return state;
  try {
    if (own.length > 0) throw new InvalidInputError(own);
    const outcome = runner.run(input, page.options?.(form));
    const { problems, messages } = describe(unread);
    const warnings = getWarnings(outcome.result)
      .filter(({ path }) => path.length === 0 || nameOf(path) !== "")
      .map((warning) => ({ ...toMessage(warning.severity, warning), code: warning.code }))
      .toSorted((a, b) => Number(a.severity === "info") - Number(b.severity === "info"));
    return {
      ...state,
      ...outcome,
      isBeyondApi:
        findSizeProblem(JSON.stringify(input)) !== undefined || !v.is(page.contract.input, input),
      problems,
      messages: [...messages, ...warnings],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { ...state, ...describe(error.problems) };
  }
}

/**
 * Whether to show a problem: the user has left its field, or it is about a list that is too long, a
 * token or a collapsed item.
 *
 * @param key the last key of the problem's path.
 */
function isShown(
  name: string,
  key: string | number | undefined,
  form: FormValues,
  fields: Fields,
): boolean {
  const touched = getTouchedNames(form);
  if (touched.has(ALL_FIELDS) || touched.has(name)) return true;
  const list = name.replace(/\[\d+\]$/, "");
  const value = getFormValue(form, list);
  const isToken = name !== list && Array.isArray(value);
  // A number as the key is a string in the text control of the list.
  const isTooLong =
    name !== "" && name === list && typeof key !== "number" && typeof value === "object";
  return isToken || isTooLong || isInCollapsedItem(form, name, fields);
}

export const getInput = (page: Pick<ToolPage, "fields" | "toInput">, form: FormValues): FormInput =>
  page.toInput?.(form) ?? toInput(form, page.fields);

/** The control that says that the form came in a link. */
export const FROM_LINK = "linked";

/** The control with the problem of a link, in a sentence. */
export const LINK_PROBLEM = "link_problem";

/** The control with an opened file, to which the form is compared. Only the page's script sets it. */
export const OPENED_FILE = "source";

/** The control with a second opened file, until the user chooses. Only the page's script sets it. */
export const SECOND_FILE = "second_file";

/** Replaces all values of a form with those of another. */
export function replaceForm(form: FormValues, newForm: FormValues): undefined {
  form.clear();
  for (const [name, value] of newForm) form.set(name, value);
}

/** The problem of an input in JSON that is above the API's limit. */
export const findSizeProblem = (json: string): Problem | undefined =>
  hasMoreBytes(json, MAX_TOOL_INPUT_BYTES) ? TOO_LARGE : undefined;

export const TOO_LARGE: Problem = {
  path: [],
  message: `the input may have at most ${MAX_TOOL_INPUT_BYTES} bytes`,
};

/** Whether an input has only choices and ticks. */
export const isBlankInput = (input: object, fields: Fields): boolean =>
  Object.entries(input).every(([name, value]) =>
    Array.isArray(value)
      ? value.length === 0
      : ["choice", "switch"].includes(fields[name]?.kind ?? ""),
  );

/** All results have warnings. */
export const getWarnings = (result: object): readonly Finding[] => Object(result).warnings;

/** The control with the names of the fields that the user has left. */
export const TOUCHED_FIELDS = "left";

const ALL_FIELDS = "*";

const getTouchedNames = (form: FormValues): Set<string> =>
  new Set(asText(form.get(TOUCHED_FIELDS)).match(/\S+/g));

/**
 * Marks fields as left.
 *
 * @param names everything by default, as on submit.
 */
export function markTouched(form: FormValues, names: readonly string[] = [ALL_FIELDS]): undefined {
  form.set(TOUCHED_FIELDS, [...new Set([...getTouchedNames(form), ...names])].join(" ").trim());
}

/** The name of the control or row for an input path, or for its nearest parent. */
function findName(
  path: Path,
  names: ReadonlyMap<string, string>,
  form: FormValues,
  fields: Fields,
): string {
  for (let length = path.length; length > 0; length -= 1) {
    const name = names.get(formatPath(path.slice(0, length)));
    if (name === undefined) continue;
    // A collapsed item has no controls: the names of its fields end as their paths do.
    const isCollapsed = length < path.length && isInCollapsedItem(form, name, fields);
    return isCollapsed ? path.slice(2).reduce<string>(joinPath, name) : name;
  }
  return "";
}

/** A place in the labels of the form: "Filter 2, From". */
function describeField(name: string, path: string, form: FormValues, fields: Fields): string {
  const [, key = "", row, rest = ""] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(name) ?? [];
  const field = fields[key];
  // Problems without a field are named by their path.
  if (!field) return path;
  const rows = form.get(key);
  if (row !== undefined && Array.isArray(rows)) return `${field.label} ${Number(row) + 1}`;
  if (row === undefined || !(rows instanceof Map))
    return "fields" in field ? `${field.label}s` : field.label;
  const number = [...rows.keys()].indexOf(row) + 1;
  const item = rows.get(row);
  const pair = item instanceof Map ? asText(item.get("key")) : "";
  if (!("fields" in field) || item === undefined) return `${field.label} ${pair || number}`;
  const inner = describeField(rest, rest, expandItem(item, field.fields), field.fields);
  return `${field.label} ${number}${inner ? `, ${inner}` : ""}`;
}

/** Writes messages with the labels of the form in place of the input's names. */
function replaceByLabels(fields: Fields): (message: string) => string {
  const labels = new Map<string, string>();
  const add = (fields: Fields) => {
    for (const [name, field] of Object.entries(fields) as [string, FormField][]) {
      labels.set(name, `“${field.label}”`);
      if ("fields" in field) add(field.fields);
    }
  };
  add(fields);
  return (message) =>
    replaceFieldNames(message, (name, index) => {
      const field = fields[name];
      if (index === undefined) return labels.get(name);
      return field && "fields" in field ? `${field.label.toLowerCase()} ${index + 1}` : undefined;
    });
}
