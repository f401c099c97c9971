import type { FilterInput, MailFilterInput } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../../src/findings.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { INBOX_TABS } from "../../../src/mail-filter/filter-fields.ts";
import { type FilterFindings, filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { parseFilter } from "../../../src/mail-filter/parse-filter.ts";
import { isDomain, splitAddresses } from "../../../src/mail-filter/search/addresses.ts";
import { explainParts, searchParts, type TextPart } from "../../../src/mail-filter/write-xml.ts";
import { OPENED_FILE } from "../form/form-state.ts";
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
  toInput,
} from "../form/form-values.ts";

const textsField = (label: string, placeholder: string) =>
  ({ kind: "texts", label, placeholder: `e.g. ${placeholder}` }) as const;
const addressesField = (label: string, placeholder: string) =>
  ({ ...textsField(label, placeholder), split: splitAddresses }) as const;
const textField = (label: string, placeholder: string) =>
  ({ kind: "text", label, placeholder: `e.g. ${placeholder}` }) as const;
const megabytesField = (label: string, placeholder: string) =>
  ({ kind: "number", label, placeholder: `e.g. ${placeholder}`, unit: "MB" }) as const;
const checkboxField = (label: string) => ({ kind: "switch", label }) as const;

/* In the order of the page, the usual ones first. */
const conditionFields = {
  from: addressesField("From any of", "news@shop.example or @shop.example"),
  subject: textsField("Subject has any of", "your receipt"),
  has_words: textsField("Has all of", "unsubscribe"),
  to: addressesField("To any of", "me+shop@mail.example"),
  does_not_have: textsField("Has none of", "refund"),
  larger_than_mb: megabytesField("Larger than", "5 MB"),
  smaller_than_mb: megabytesField("Smaller than", "20 MB"),
  has_attachment: checkboxField("Has an attachment"),
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
    choices: { always: "Always important", never: "Never important" },
  },
  category: { kind: "choice", label: "Category", choices: INBOX_TABS },
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

export const PRESETS: ReadonlyMap<string, FilterInput> = new Map<string, FilterInput>([
  [
    "Newsletters",
    {
      has_words: ["unsubscribe"],
      does_not_have: ["invoice", "receipt", "security alert"],
      label: "Newsletters",
      skip_inbox: true,
    },
  ],
  ["Receipts", { subject: ["receipt", "invoice", "your order"], label: "Money/Receipts" }],
  [
    "A project",
    { from: ["@client.example"], subject: ["[website]"], label: "Project", star: true },
  ],
  [
    "Travel",
    {
      from: ["@airline.example", "@rail.example"],
      has_words: ['itinerary OR "boarding pass" OR "booking confirmation"'],
      label: "Travel",
      star: true,
    },
  ],
]);

/**
 * Adds filters to the form and opens a single one.
 *
 * @returns the name of the control to focus.
 */
export function addFilters(form: FormValues, filters: readonly object[]): string {
  const rows = ensureRows(form, ["filters"]);
  collapseItems(rows, filterFields, "");
  const [first = "", ...more] = filters.map((filter) => addRow(rows, JSON.stringify(filter)));
  collapseItems(rows, filterFields, more.length > 0 ? "" : first);
  return `${more.length > 0 ? "open " : ""}filters[${first}]`;
}

/** Replaces all filters of a form. */
export function setFilters(form: FormValues, filters: readonly object[]): string {
  form.delete("filters");
  return addFilters(form, filters);
}

/** Holds a second opened file until the user chooses. Only the page's script sets it. */
export const SECOND_FILE = "second_file";

interface SecondFile {
  readonly filters: readonly object[];
  /** The text of an export. */
  readonly source: string | undefined;
}

/** Asks whether a file replaces the filters of the form, or is added to them. @returns the first answer's command. */
export function askAboutFile(form: FormValues, file: SecondFile): string {
  form.set(SECOND_FILE, JSON.stringify(file));
  return "replace file";
}

/** Filters added to an export count as new: the form is still compared with the first file. */
function takeSecondFile(form: FormValues, isReplaced: boolean): string | undefined {
  const text = asText(form.get(SECOND_FILE));
  if (text === "") return undefined;
  const { filters, source }: SecondFile = JSON.parse(text);
  form.delete(SECOND_FILE);
  if (!isReplaced) return addFilters(form, filters);
  if (source === undefined) form.delete(OPENED_FILE);
  else form.set(OPENED_FILE, source);
  return setFilters(form, filters);
}

/** Handles the buttons that only this page has, such as `preset Receipts` or `fix domains`. */
export function applyFilterIntent(form: FormValues, command: string): string | undefined {
  const name = command.replace(/^preset /, "");
  const preset = PRESETS.get(name);
  if (preset) return addFilters(form, [{ name, ...preset }]);
  if (command === "replace file" || command === "add file")
    return takeSecondFile(form, command === "replace file");
  if (command !== "fix domains") return undefined;
  const rows = ensureRows(form, ["filters"]);
  for (const [row, item] of rows) rows.set(row, JSON.stringify(withAtSigns(readFilter(item))));
  collapseItems(rows, filterFields);
  return "download";
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
  if (!has(CONDITION_NAMES)) return "Choose which mail: add a sender, a subject or some words.";
  return has(ACTION_NAMES) ? undefined : "Choose what happens to it.";
}

/** The filters of an input, which may be anything. */
export function listFilters(input: unknown): readonly FilterInput[] {
  const { filters } = Object(input);
  return Array.isArray(filters) ? filters.map(Object) : [];
}

/** The sentence and the search of a filter in parts; undefined while it is invalid. */
export function describeFilter(
  filter: FilterInput,
): { readonly sentence: readonly TextPart[]; readonly search: readonly TextPart[] } | undefined {
  const findings: FilterFindings = new Findings(filterFindings);
  try {
    const { criteria, actions } = parseFilter(filter, 0, findings);
    findings.throwIfRejected();
    return { sentence: explainParts(criteria, actions), search: searchParts(criteria) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return undefined;
  }
}

/** The mail that a filter is for, in a line: `from a@shop.example, without refund`. */
export function summariseConditions(filter: FilterInput): string {
  const parts = describeFilter(filter)?.sentence.filter(({ field = "" }) =>
    CONDITION_NAMES.includes(field),
  );
  const { from = [], to = [], subject = [], has_words = [] } = filter;
  const texts = parts?.map(({ text }) => text) ?? [...from, ...to, ...subject, ...has_words];
  return texts.slice(0, 8).join(", ") || "Not finished";
}

/** Lists a filter's actions besides its label, in a word each. */
export const listActions = (filter: FilterInput): readonly string[] =>
  Object.entries<FormField>(actionFields).flatMap(([name, field]) => {
    const value: unknown = Object(filter)[name];
    if (!value || name === "label") return [];
    return field.kind === "choice" ? (field.choices[String(value)] ?? []) : field.label;
  });
