import type { VNode } from "preact";
import { MAX_TOOL_INPUT_BYTES } from "../../../schemas/http.ts";
import type { Contract, PriceBook, Warning } from "../../../schemas/index.ts";
import type { Finding } from "../../../src/findings.ts";
import {
  formatPath,
  formatProblem,
  InvalidInputError,
  joinPath,
  type Path,
  type Problem,
  replaceFieldNames,
} from "../../../src/issues.ts";
import { parseJson } from "../../../src/parse-json.ts";
import { formatSomeClauses, hasMoreBytes } from "../../../src/text.ts";
import type { RunOptions, Tool } from "../../../src/tool.ts";
import {
  applyIntent,
  asText,
  expandItem,
  type Fields,
  type FormField,
  type FormInput,
  type FormValues,
  getFormValue,
  isInCollapsedItem,
  toFormValues,
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
  /** The form as a draft and a link may keep it, with another text in place of each secret. */
  withoutSecrets?(form: FormValues): FormValues;
  /** What a draft does not keep, in words that follow "except". */
  readonly draftOmits?: string;
  /** What the form says besides the input. */
  options?(form: FormValues): RunOptions;
  /** The controls besides the input that a link has. */
  readonly linkedControls?: readonly string[];
  /** Why this form has no API call and no link, in a sentence: only pages and commands have its options. */
  whyNotShareable?(form: FormValues): string | undefined;
  /**
   * Does what a button of this page alone asks for.
   *
   * @returns the control to focus; undefined for an intent that all forms share.
   */
  applyIntent?(form: FormValues, command: string): string | undefined;
  /** The outcome in a line, also for a screen reader. */
  summary(state: FormState<Result, Extra>): string;
  view(props: ViewProps<Result, Extra>): VNode;
}

/** A tool's page in a browser: what it runs and reads there. */
export interface HydratedPage<Result, Extra = unknown, Reader = unknown>
  extends ToolPage<Result, Extra> {
  /** Runs the tool with the limits of the command line. @throws {InvalidInputError} */
  run(
    input: unknown,
    options: RunOptions,
    context: {
      readonly form: FormValues;
      /** The extra data of the last form with a result. */
      readonly lastExtra: Extra | undefined;
      /** Undefined until it is loaded. */
      readonly reader: Reader | undefined;
    },
  ): { readonly result: Result; readonly extra?: Extra };
  /** Whether the input exceeds the API's limits, but not this page's. */
  isBeyondApi(input: unknown): boolean;
  /**
   * Reads a text of the user: a file, or what was pasted. Undefined for a text in a field that is only
   * the field's value.
   *
   * @param field the control or cell that was pasted into; empty for a file or the paste box.
   * @param form the form now.
   * @param fileName of a file.
   */
  readText?(
    text: string,
    field: string,
    load: () => Promise<Reader | undefined>,
    form: FormValues,
    fileName?: string,
  ): Promise<ReadOutcome | undefined>;
  /** Loads the parsers at the first interaction, so that the page works offline later. */
  loadReader?(): Promise<Reader>;
  /** Whether the form needs the parsers before it can render. */
  needsReader?(form: FormValues): boolean;
  /** Choices that the browser remembers and undo leaves alone: by the names of their controls, as they are at first. */
  readonly preferences?: Readonly<Record<string, string>>;
}

/** The change for a text that was read, with a message; or the reason why it cannot be read. */
export type ReadOutcome =
  | {
      readonly change: FormChange;
      readonly notice: string;
      /** What was read otherwise than it stands, a sentence each. */
      readonly details?: readonly string[];
    }
  | NotRead;

export interface NotRead {
  readonly reason: string;
  /** Whether the form has this text already, which is no error. */
  readonly isOpen?: boolean;
}

export interface ViewProps<Result, Extra = unknown> {
  readonly state: FormState<Result, Extra>;
  /** Browser-only values; the page renders the same without them. */
  readonly live?: LivePage<Result, Extra> | undefined;
}

/** Changes a form, and names what gets the focus. */
export type FormChange = (form: FormValues) => string | undefined;

/** What a page shows and can do in a browser, besides its form. */
export interface LivePage<Result, Extra = unknown> {
  /** A message about the last action or file. */
  readonly notice: ReadNotice | undefined;
  /** The last form with a result, for one that has none now. */
  readonly lastValid: FormState<Result, Extra> | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Sets choices that the browser remembers, by the names of their controls. */
  readonly setPreferences: (choices: Readonly<Record<string, string>>) => void;
  /**
   * Reads a file or a paste into the form.
   *
   * @param options `isTypedOn`: a beginning of the text was read before; its change is replaced.
   * @returns whether it was read. Of a text that is still typed, the page does not say why not.
   */
  readonly openText: (
    text: string,
    options?: { readonly isTyping?: boolean; readonly isTypedOn?: boolean },
  ) => Promise<boolean>;
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  /** Makes a change that can be undone, with a message afterwards: "Merged." */
  readonly change: (change: FormChange, doneMessage?: string) => void;
}

/** A message about the last action, or about what was read. */
export interface ReadNotice {
  readonly text: string;
  readonly details?: readonly string[] | undefined;
  readonly isError?: boolean;
}

/** What runs a page's tool: the server, or a browser. */
export interface Runner<Result = object> {
  readonly baseUrl: string;
  /** The operator's prices. */
  readonly priceBook?: PriceBook | undefined;
  /** @throws {InvalidInputError} for an input that is rejected. */
  run(input: unknown, options?: RunOptions): Result;
  /** Whether the input exceeds the API's limits, but not this page's. */
  isBeyondApi?(input: unknown): boolean;
}

/** A message at a field: a problem that stops the tool, or a warning. */
export interface FieldMessage {
  readonly severity: "error" | Warning["severity"];
  /** The name of the field's control, or of a row. */
  readonly name: string;
  /** The place in the form's words: "Filter 2, From". */
  readonly place: string;
  readonly message: string;
  /** Of a warning. */
  readonly code?: string;
}

/** A form with the outcome of its tool, from which a page is rendered. */
export interface FormState<Result, Extra = unknown> {
  readonly page: ToolPage<Result, Extra>;
  readonly runner: Runner<Result>;
  readonly form: FormValues;
  readonly input: Readonly<Record<string, unknown>>;
  /** Not set while the form is blank, unfinished or invalid. */
  readonly result: Result | undefined;
  /** What else the run returned, such as the changes of an opened file. */
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

export function evaluateForm<Result extends object, Extra>(
  page: ToolPage<Result, Extra>,
  runner: Runner<Result>,
  form: FormValues,
): FormState<Result, Extra> {
  const { input, names, issues: own, unread = [] } = getInput(page, form);
  const message = asText(form.get(LINK_PROBLEM));
  const issues = message === "" ? own : [{ path: [], message }];
  const isBlank = isBlankInput(input, page.fields);
  const nameOf = (path: Path) => {
    const own = names.get(formatPath(path));
    if (own !== undefined) return own;
    const name = findNearestName(path, names);
    // The names of a closed item's fields end as their paths do.
    return isInCollapsedItem(form, name, page.fields)
      ? path.slice(2).reduce<string>(joinPath, name)
      : name;
  };
  const inWords = replaceByLabels(page.fields);
  const note = (severity: FieldMessage["severity"], problem: Problem): FieldMessage => {
    const { path, message, onPage = message } = problem;
    const name = nameOf(path);
    const place = describeField(name, formatPath(path), form, page.fields);
    return { severity, name, place, message: inWords(onPage) };
  };
  const state = {
    page,
    runner: runner,
    form: form,
    input,
    isBlank,
    nameOf,
    result: undefined,
    isBeyondApi: false,
    problems: [],
    messages: [],
  };
  if (isBlank && issues.length === 0) return state;
  const left = getTouchedNames(form);
  // These show at once: a list that is too long, what was entered in one, and a closed item.
  const isShown =
    (issues: readonly Problem[]) =>
    ({ name }: FieldMessage, index: number) => {
      const list = name.replace(/\[\d+\]$/, "");
      const value = getFormValue(form, list);
      const isItem = name !== list && Array.isArray(value);
      const isTyped = typeof issues[index]?.path.at(-1) === "number";
      const isTooLong = name !== "" && name === list && !isTyped && typeof value === "object";
      const isMarked = left.has(ALL_FIELDS) || left.has(name);
      return isMarked || isItem || isTooLong || isInCollapsedItem(form, name, page.fields);
    };
  try {
    if (issues.length > 0) throw new InvalidInputError(issues);
    const result = runner.run(input, page.options?.(form));
    const isInfo = ({ severity }: Finding) => Number(severity === "info");
    const sorted = getWarnings(result).toSorted((one, other) => isInfo(one) - isInfo(other));
    const isOnField = ({ path }: Finding) => path.length === 0 || nameOf(path) !== "";
    const problems = unread.map((issue) => note("error", issue));
    const warnings = sorted
      .filter(isOnField)
      .map((warning) => ({ ...note(warning.severity, warning), code: warning.code }));
    return {
      ...state,
      result,
      isBeyondApi: runner.isBeyondApi?.(input) === true,
      problems,
      messages: [...problems.filter(isShown(unread)), ...warnings],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.problems.map((problem) => note("error", problem));
    return { ...state, problems, messages: problems.filter(isShown(error.problems)) };
  }
}

const getInput = (page: Pick<ToolPage, "fields" | "toInput">, form: FormValues): FormInput =>
  page.toInput?.(form) ?? toInput(form, page.fields);

/**
 * The form of an input in JSON, which came in a link. A problem that the form cannot have itself, such
 * as a value of a wrong type, is kept in a control until the form changes.
 */
export function formFromLink(
  page: Pick<ToolPage, "fields" | "toInput">,
  runner: Pick<Runner, "run">,
  text: string,
): FormValues {
  let form: FormValues = new Map();
  try {
    const input = parseJson(text);
    form = toFormValues(input, page.fields);
    const { input: own } = getInput(page, form);
    if (isBlankInput(own, page.fields) || JSON.stringify(own) !== JSON.stringify(input))
      runner.run(input);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.problems.map((problem) => replaceFieldNames(formatProblem(problem)));
    const isDamaged = error.problems.some(({ path }) => path.length === 0);
    const what = isDamaged ? "this link is damaged" : "this input cannot be opened";
    form.set(LINK_PROBLEM, `${what}: ${formatSomeClauses(problems)}`);
  }
  form.set(FROM_LINK, "true");
  markTouched(form);
  return form;
}

/** The control that says that the form came in a link. */
export const FROM_LINK = "linked";

/** The control with the problem of a link, in a sentence. */
export const LINK_PROBLEM = "link_problem";

/** The control with an opened file, to which the form is compared. Only the page's script sets it. */
export const OPENED_FILE = "source";

/** The input for a share link; undefined if the link would reveal a secret or drop an option. */
export function getShareableInput<Result, Extra>({
  page,
  form,
  input,
  result,
}: FormState<Result, Extra>): object | undefined {
  // A misplaced secret would be in the link too.
  const isStray = result && getWarnings(result).some(({ code }) => code.startsWith("secret-in-"));
  if (isStray || page.whyNotShareable?.(form) !== undefined) return undefined;
  return page.withoutSecrets ? getInput(page, page.withoutSecrets(form)).input : input;
}

/** Puts an input in the place of all that a form has. */
export const fillForm = (form: FormValues, input: unknown, fields: Fields): undefined =>
  replaceForm(form, toFormValues(input, fields));

/** Replaces all values of a form with those of another. */
export function replaceForm(form: FormValues, newForm: FormValues): undefined {
  form.clear();
  for (const [name, value] of newForm) form.set(name, value);
}

/** The issue of an input in JSON that is above the API's limit. */
export const findSizeIssue = (json: string): Problem | undefined =>
  hasMoreBytes(json, MAX_TOOL_INPUT_BYTES) ? TOO_LARGE : undefined;

export const TOO_LARGE: Problem = {
  path: [],
  message: `the input may have at most ${MAX_TOOL_INPUT_BYTES} bytes`,
};

/**
 * Does what a button asks for, of this page or of any.
 *
 * @returns the name of the control to focus.
 */
export const applyAnyIntent = (
  page: ToolPage,
  form: FormValues,
  command: string,
): string | undefined =>
  page.applyIntent?.(form, command) ?? applyIntent(form, command, page.fields);

/** A choice or a tick alone says nothing. */
const isBlankInput = (input: object, fields: Fields): boolean =>
  Object.entries(input).every(([name, value]) =>
    Array.isArray(value)
      ? value.length === 0
      : ["choice", "switch"].includes(fields[name]?.kind ?? ""),
  );

/** All results have warnings. */
const getWarnings = (result: object): readonly Finding[] => Object(result).warnings;

/** The control that holds the fields that the user has left. It is part of the form, as all state is. */
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

/** Whether leaving a control reveals a new problem. */
export const isShownOnLeaving = <Result, Extra>(
  { problems, messages }: FormState<Result, Extra>,
  names: readonly string[],
): boolean =>
  problems.some((problem) => names.includes(problem.name) && !messages.includes(problem));

/** The control for an input path, or for its parent. */
function findNearestName(path: Path, names: ReadonlyMap<string, string>): string {
  const parents = path.map((_, index) => path.slice(0, index + 1));
  const nearest = parents.findLast((parent) => names.has(formatPath(parent))) ?? [];
  return names.get(formatPath(nearest)) ?? "";
}

/** A place in words: "Filter 2, From". */
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
