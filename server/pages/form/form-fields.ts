import { replaceFieldNames } from "../../../src/issues.ts";
import type { Field } from "../../../src/json-schema.ts";

/** A field of a form with its words and its layout. */
export type FormField = (ScalarField | ItemsField) & {
  readonly label: string;
  /** The label of one row of a list, "Filter". */
  readonly singular: string;
  /** The title within a sentence: "filter", but "Zap". */
  readonly noun: string;
  readonly hint: string;
  readonly placeholder: string;
  /** The most rows that a form shows of a list. */
  readonly maxRows: number;
  /** Folded away in a narrow window. */
  readonly isRare: boolean;
  /** Shares a line with its neighbours. */
  readonly isShort: boolean;
};

type ScalarField = Exclude<Field, { kind: "items" }>;

type ItemsField = Omit<Extract<Field, { kind: "items" }>, "fields"> & {
  readonly fields: readonly FormField[];
};

/** The words and groups of a tool's form. Fields are named by their property, `larger_than_mb`. */
export interface FormText {
  readonly labels?: Readonly<Record<string, string>>;
  /** The labels of one row, where they are not the list's label without its s. */
  readonly singulars?: Readonly<Record<string, string>>;
  readonly hints?: Readonly<Record<string, string>>;
  readonly placeholders?: Readonly<Record<string, string>>;
  /** The labels of choices, where they are not the values themselves. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly rare?: readonly string[];
  /** The parts of an item, such as conditions and actions. */
  readonly groups?: readonly FieldGroup[];
  /** The field where people write a whole line; a button lets the view's reader split it. */
  readonly split?: string;
  /** The values of each option of a run that the form offers, the usual one first. */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  /** Parts that exclude each other, such as a local and a remote server. */
  readonly alternatives?: readonly FieldGroup[];
}

interface FieldGroup {
  readonly title: string;
  readonly fields: readonly string[];
}

/**
 * The fields of a tool's input with the words of its view.
 *
 * @param surplusRows how many rows of a list are shown beyond its limit. One is enough for the tool
 * to reject it and for the user to see why; all rows of a hostile input would make a page of 50 MB.
 */
export const formFields = (
  fields: readonly Field[],
  text: FormText = {},
  surplusRows = 1,
): readonly FormField[] =>
  fields.map((field) => ({
    ...field,
    ...(field.kind === "items" ? { fields: formFields(field.fields, text, surplusRows) } : {}),
    maxRows: (field.schema.maxItems ?? MAX_PAIRS) + surplusRows,
    label: text.labels?.[field.name] ?? labelOf(field.name),
    singular:
      text.singulars?.[field.name] ?? singularOf(text.labels?.[field.name] ?? labelOf(field.name)),
    noun: singularOf(text.labels?.[field.name] ?? labelOf(field.name).toLowerCase()),
    hint: text.hints?.[field.name] ?? field.description,
    placeholder: text.placeholders?.[field.name] ?? "",
    isRare: text.rare?.includes(field.name) ?? false,
    isShort: ["number", "integer", "boolean", "choice"].includes(field.kind),
  })) as readonly FormField[];

/** The options of a run as fields of a form. The usual value is the default. */
export const optionFields = ({ options = {} }: FormText = {}): Field[] =>
  Object.entries(options).map(([name, choices]) => {
    const field = { kind: "choice", name, description: "", required: false, schema: {} } as const;
    return { ...field, choices, default: choices[0] };
  });

/** The field of a control with this name, `filters[0].from`. */
export function fieldAt(fields: readonly FormField[], control: string): FormField | undefined {
  const [, name, rest] = /^(\w+)(?:\[\d+\]\.?)?(.*)$/.exec(control) ?? [];
  const field = fields.find((candidate) => candidate.name === name);
  return rest === "" || !field
    ? field
    : fieldAt(field.kind === "items" ? field.fields : [], rest ?? "");
}

/** The schema of a map has no limit. */
const MAX_PAIRS = 100;

/** A property's name for people, "Larger than MB" for `larger_than_mb`. */
export function labelOf(name: string): string {
  const text = name
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const WORDS: Readonly<Record<string, string>> = {
  mb: "MB",
  url: "URL",
  args: "arguments",
  env: "environment variables",
};

/** The name of one row of a list, "Filter" for "Filters". */
const singularOf = (label: string): string => label.replace(/s$/, "");

/** Writes messages with the labels and item numbers of the form in place of the input's names. */
export function inFormWords(fields: readonly FormField[]): (message: string) => string {
  const labels = new Map(allFields(fields).map(({ name, label }) => [name, `“${label}”`]));
  const items = new Map(
    fields.filter(({ kind }) => kind === "items").map(({ name, noun }) => [name, noun]),
  );
  return (message) =>
    replaceFieldNames(message, (path) => {
      const [, name = "", index] = /^(.*)\[(\d+)\]$/.exec(path) ?? [];
      const noun = items.get(name);
      return noun === undefined ? labels.get(path) : `${noun} ${Number(index) + 1}`;
    });
}

const allFields = (fields: readonly FormField[]): readonly FormField[] =>
  fields.flatMap((field) => [field, ...(field.kind === "items" ? allFields(field.fields) : [])]);
