import type { FilterInput, MailFilterInput } from "../../../schemas/mail-filter.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { INBOX_TABS } from "../../../src/mail-filter/filter-fields.ts";
import { parseFilters, validateFilters } from "../../../src/mail-filter/parse-filter.ts";
import { isDomain, splitAddresses } from "../../../src/mail-filter/search/addresses.ts";
import { explainParts, searchParts, type TextPart } from "../../../src/mail-filter/write-xml.ts";
import { OPENED_FILE, SECOND_FILE } from "../form/form-state.ts";
import {
  addRow,
  asText,
  collapseItems,
  ensureRows,
  expandItem,
  type FieldsOf,
  type FormField,
  type FormValue,
  type FormValues,
  listRows,
  parseFieldName,
  toInput,
} from "../form/form-values.ts";

/* The first word stands before the condition in a closed filter. */
const textsField = (word: string, label: string, placeholder: string) =>
  ({ kind: "tokens", word, label, placeholder: `e.g. ${placeholder}` }) as const;
const addressesField = (word: string, label: string, placeholder: string) =>
  ({ ...textsField(word, label, placeholder), split: splitAddresses }) as const;
const megabytesField = (word: string, label: string, placeholder: string) =>
  ({ kind: "number", word, label, placeholder: `e.g. ${placeholder}`, unit: "MB" }) as const;
const textField = (label: string, placeholder: string) =>
  ({ kind: "text", label, placeholder: `e.g. ${placeholder}` }) as const;
const checkboxField = (label: string) => ({ kind: "switch", label }) as const;

/* In the order of the page, the usual ones first. */
const conditionFields = {
  from: addressesField("from", "From any of", "@shop.example"),
  subject: textsField("subject", "Subject has any of", "your receipt"),
  has_words: textsField("has", "Has all of", "unsubscribe"),
  to: addressesField("to", "To any of", "me+shop@mail.example"),
  does_not_have: textsField("without", "Has none of", "refund"),
  larger_than_mb: megabytesField("larger than", "Larger than", "5 MB"),
  smaller_than_mb: megabytesField("smaller than", "Smaller than", "20 MB"),
  has_attachment: { ...checkboxField("Has an attachment"), word: "has" },
};

const actionFields = {
  label: { ...textField("Label", "Money/Receipts"), hasSuggestions: true },
  skip_inbox: checkboxField("Archive"),
  mark_read: checkboxField("Mark as read"),
  star: checkboxField("Star"),
  never_spam: checkboxField("Never to Spam"),
  delete: checkboxField("Delete"),
  forward_to: textField("Forward to", "archive@mail.example"),
  importance: {
    kind: "choice",
    label: "Importance",
    placeholder: "No change",
    choices: { always: "Always important", never: "Never important" },
  },
  category: { kind: "choice", label: "Category", placeholder: "No change", choices: INBOX_TABS },
} as const;

export const filterFields = {
  name: { kind: "text", label: "Name", placeholder: "New filter" },
  ...conditionFields,
  ...actionFields,
} as const satisfies FieldsOf<FilterInput>;

export const CONDITION_NAMES = Object.keys(conditionFields);
export const ACTION_NAMES = Object.keys(actionFields);

export const filterFormFields = {
  filters: { kind: "items", label: "Filter", fields: filterFields },
} as const satisfies FieldsOf<MailFilterInput>;

export const PRESETS: ReadonlyMap<string, FilterInput> = new Map(
  Object.entries<FilterInput>({
    Newsletters: {
      has_words: ["unsubscribe"],
      does_not_have: ["invoice", "receipt", "security alert"],
      label: "Newsletters",
      skip_inbox: true,
    },
    Receipts: { subject: ["receipt", "invoice", "your order"], label: "Money/Receipts" },
    "A project": {
      from: ["@client.example"],
      subject: ["[website]"],
      label: "Project",
      star: true,
    },
    Travel: {
      from: ["@airline.example", "@rail.example"],
      has_words: ['itinerary OR "boarding pass" OR "booking confirmation"'],
      label: "Travel",
      star: true,
    },
  }),
);

/** Shows on a blank page what it can do. */
const EXAMPLE: FilterInput = {
  from: [
    ...["news@daily.example", "@weekly.example", "hello@brand.example"],
    ...["editor@longreads.example", "@deals.example", "offers@shoes.example"],
  ],
  label: "Newsletters",
  skip_inbox: true,
};

/**
 * Adds filters to the form, shows all, and opens a single one.
 *
 * @returns the name of the control to focus.
 */
export function addFilters(form: FormValues, filters: readonly object[]): string {
  const rows = ensureRows(form, ["filters"]);
  form.delete("view");
  collapseItems(rows, filterFields, "");
  const [first = "", ...more] = filters.map((filter) => addRow(rows, JSON.stringify(filter)));
  collapseItems(rows, filterFields, more.length > 0 ? "" : first);
  return `${more.length > 0 ? "open " : ""}filters[${first}]`;
}

/** Closes the open card, unless it is the only one. */
export function closeFilters(form: FormValues): undefined {
  collapseItems(ensureRows(form, ["filters"]), filterFields, "");
}

/** Replaces rows with one filter, in the place of the first one. */
export function replaceFilters(form: FormValues, names: readonly string[], filter: object): void {
  const rows = ensureRows(form, ["filters"]);
  const [first = "", ...others] = names.map((name) => parseFieldName(name).at(-1) ?? "");
  rows.set(first, JSON.stringify(filter));
  for (const row of others) rows.delete(row);
}

export const FILE_NAME = "file_name";

interface ReadFile {
  readonly name: string;
  readonly filters: readonly object[];
  readonly text: string;
  readonly isExport: boolean;
}

/** Adds the filters of a file. If a file is open already, the user first chooses. */
export function openFile(form: FormValues, file: ReadFile): string {
  if (form.has(OPENED_FILE)) {
    form.set(SECOND_FILE, JSON.stringify(file));
    return "close file";
  }
  // An unchanged example gives way to the user's own filters.
  const rows = ensureRows(form, ["filters"]);
  for (const [row, item] of rows) if (toKey(readFilter(item)) === toKey(EXAMPLE)) rows.delete(row);
  if (file.isExport) form.set(OPENED_FILE, file.text).set(FILE_NAME, file.name);
  return addFilters(form, file.filters);
}

/** What a filter does, without its name. */
const toKey = (filter: object): string => JSON.stringify({ ...filter, name: undefined });

/** The file that waits for the user's choice, with its filters that the form lacks. */
export function readSecondFile(form: FormValues) {
  const text = asText(form.get(SECOND_FILE));
  if (text === "") return undefined;
  const file: ReadFile = JSON.parse(text);
  const known = new Set(listRows(form.get("filters")).map(([, row]) => toKey(readFilter(row))));
  const added = file.filters.filter((filter) => !known.has(toKey(filter)));
  return { ...file, added };
}

/** Handles the buttons that only this page has, such as `preset Receipts` or `fix domains`. */
export function applyFilterIntent(form: FormValues, intent: string): string | undefined {
  const [verb, ...words] = intent.split(" ");
  const name = words.join(" ");
  const preset = PRESETS.get(name);
  if (verb === "preset" && preset) return addFilters(form, [{ name, ...preset }]);
  switch (intent) {
    case "preset example":
      return addFilters(form, [EXAMPLE]);
    case "view all":
      for (const name of ["find", "view"]) form.delete(name);
      return "find";
    case "close file":
      form.delete(SECOND_FILE);
      return "summary";
    case "replace file": {
      const file = readSecondFile(form);
      for (const name of ["filters", OPENED_FILE, SECOND_FILE]) form.delete(name);
      return file && openFile(form, file);
    }
    case "fix domains": {
      const rows = ensureRows(form, ["filters"]);
      for (const [row, item] of rows) rows.set(row, JSON.stringify(withAtSigns(readFilter(item))));
      collapseItems(rows, filterFields);
      return "summary";
    }
    default:
      return undefined;
  }
}

/** The filter of a row, open or closed. */
export const readFilter = (row: FormValue): FilterInput =>
  toInput(expandItem(row, filterFields), filterFields).input;

/** Whether a filter names a domain without an @. */
export const hasDomain = ({ from, to }: FilterInput): boolean =>
  [from, to].flat().some((text) => typeof text === "string" && isDomain(text));

const withAtSigns = (filter: FilterInput): FilterInput => {
  const fix = (text: string) => (isDomain(text) ? `@${text}` : text);
  const { from, to } = filter;
  return { ...filter, ...(from && { from: from.map(fix) }), ...(to && { to: to.map(fix) }) };
};

/** The next step for an unfinished filter. */
export function findNextStep(filter: object): string | undefined {
  const has = (names: readonly string[]) => names.some((name) => name in filter);
  if (!has(CONDITION_NAMES)) return "Add a sender, a subject or words";
  return has(ACTION_NAMES) ? undefined : "Choose what happens to it";
}

/** The filters of an input, which may be anything. */
export function listFilters(input: unknown): readonly FilterInput[] {
  const { filters } = Object(input);
  return Array.isArray(filters) ? filters.map(Object) : [];
}

/** A longer list makes the sentence unreadable. The search and the form have all of it. */
export const MAX_TERMS_SHOWN = 3;

/** The sentence and the search of a filter in parts, also before it has an action; undefined while it is invalid. */
export function describeFilter(
  filter: FilterInput,
): { readonly sentence: readonly TextPart[]; readonly search: readonly TextPart[] } | undefined {
  const hasAction = ACTION_NAMES.some((name) => name in filter);
  const finished = hasAction ? filter : { ...filter, star: true };
  try {
    const [parsed] = parseFilters(validateFilters({ filters: [finished] }));
    if (!parsed) return undefined;
    const { criteria, actions } = parsed;
    return {
      sentence: hasAction
        ? explainParts(criteria, actions, MAX_TERMS_SHOWN)
        : [...explainParts(criteria, {}, MAX_TERMS_SHOWN).slice(0, -1), { text: "…" }],
      search: searchParts(criteria),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return undefined;
  }
}

/** The conditions of a filter, each with its name and its first values in a line: from a@shop.example. */
export const listConditions = (
  filter: FilterInput,
  maxValues = 20,
): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(conditionFields).flatMap(([field, { word: name }]) => {
    const value: unknown = Object(filter)[field];
    if (!value) return [];
    if (value === true) return { name, text: "attachment" };
    // A posted row may hold values of other types.
    if (typeof value === "number") return { name, text: `${Number(value.toPrecision(4))} MB` };
    if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) return [];
    const text = value.slice(0, maxValues).join(", ");
    // An export has subject:([JIRA-4]), which the field for subjects would write as a phrase.
    const [, operator = name, operand = text] =
      (field === "has_words" && /^(\w+):\(([^()]*)\)$/.exec(text)) || [];
    return { name: operator, text: operand };
  });

/** A filter's name, or its first condition, "from a@shop.example", or its label. */
export function titleOf(filter: FilterInput = {}): string | undefined {
  const [first] = listConditions(filter);
  const title =
    filter.name ?? (first ? `${first.name} ${first.text.replace(/, .*/, " …")}` : filter.label);
  // A posted row may hold values of other types.
  return typeof title === "string" ? title : undefined;
}

/** Lists a filter's actions besides its label, in a few words each. */
export const listActions = (filter: FilterInput): readonly string[] =>
  Object.entries<FormField>(actionFields).flatMap(([name, field]) => {
    const value: unknown = Object(filter)[name];
    if (!value || name === "label") return [];
    if (field.kind === "choice") return field.choices[String(value)] ?? [];
    return value === true ? field.label : `${field.label} ${value}`;
  });
