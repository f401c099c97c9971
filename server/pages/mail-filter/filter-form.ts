import {
  type FilterInput,
  type MailFilterInput,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { Findings } from "../../../src/findings.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { INBOX_TABS } from "../../../src/mail-filter/filter-fields.ts";
import { type FilterFindings, filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { parseFilter } from "../../../src/mail-filter/parse-filter.ts";
import { isDomain, splitAddresses } from "../../../src/mail-filter/search/addresses.ts";
import { explain } from "../../../src/mail-filter/write-xml.ts";
import { isUntouched } from "../form/form-state.ts";
import {
  addRow,
  collapseItems,
  ensureRows,
  expandItem,
  type FieldsOf,
  type FormValues,
  findExpandedItem,
  MAX_EXPANDED,
  readList,
  toFormValues,
  writeList,
} from "../form/form-values.ts";

/** A field by its label, a hint and an example. */
const textsField = (label: string, hint: string, placeholder: string) =>
  ({ kind: "texts", label, hint, placeholder }) as const;
const addressesField = (label: string, hint: string, placeholder: string) =>
  ({ ...textsField(label, hint, placeholder), split: splitAddresses }) as const;
const textField = (label: string, hint: string, placeholder: string) =>
  ({ kind: "text", label, hint, placeholder }) as const;
const megabytesField = (label: string, placeholder: string) =>
  ({ kind: "number", label, hint: "1 MB is 1,048,576 bytes.", placeholder, unit: "MB" }) as const;
const checkboxField = (label: string, hint = "") => ({ kind: "switch", label, hint }) as const;

/* In the order of the page, the usual ones first. */
const conditionFields = {
  from: addressesField(
    "From",
    "Address, @domain or name: any one.",
    "news@shop.example or @shop.example",
  ),
  subject: textsField("Subject", "Words of the subject. Any one is enough.", "your receipt"),
  has_words: textsField("Has words", "All must match. Gmail operators work.", "unsubscribe"),
  to: addressesField("To", "In To, Cc or Bcc. Any one is enough.", "me+shop@mail.example"),
  does_not_have: textsField("Does not have", "Any one of these keeps mail out.", "refund"),
  has_attachment: checkboxField("Has attachment"),
  larger_than_mb: megabytesField("Larger than", "5 MB"),
  smaller_than_mb: megabytesField("Smaller than", "20 MB"),
};

const actionFields = {
  label: { ...textField("Label", "A slash nests labels.", "Money/Receipts"), isSuggested: true },
  skip_inbox: checkboxField("Archive (skip the inbox)", "The mail waits under its label."),
  mark_read: checkboxField("Mark as read"),
  star: checkboxField("Star"),
  never_spam: checkboxField("Never to Spam"),
  importance: {
    kind: "choice",
    label: "Importance",
    hint: "Gmail’s yellow marker.",
    choices: { always: "Always", never: "Never" },
  },
  delete: checkboxField("Delete", "Moves the mail to Trash."),
  category: {
    kind: "choice",
    label: "Category",
    hint: "The tab of the inbox.",
    choices: INBOX_TABS,
  },
  forward_to: textField("Forward to", "Verify the address in Gmail first.", "archive@mail.example"),
} as const;

const filterFields = {
  name: textField("Optional name", "Tells filters apart. Gmail does not keep it.", "Newsletters"),
  ...conditionFields,
  ...actionFields,
} as const satisfies FieldsOf<FilterInput>;

export const CONDITION_NAMES = Object.keys(conditionFields);
export const ACTION_NAMES = Object.keys(actionFields);

export const filterFormFields = {
  filters: {
    kind: "items",
    label: "Filter",
    hint: "Each filter needs at least one condition and one action.",
    fields: filterFields,
  },
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
 * Adds filters to those of a form. They replace the example only.
 *
 * @returns the name of the last of them, or of the first of many.
 */
export function addFilters(tree: FormValues, filters: readonly object[]): string {
  if (isUntouched(tree, { fields: filterFormFields, contract: mailFilterContract }))
    tree.delete("filters");
  const rows = ensureRows(tree, ["filters"]);
  const isLong = filters.length > MAX_EXPANDED;
  const added = filters.map((filter) =>
    addRow(rows, isLong ? JSON.stringify(filter) : toFormValues(filter, filterFields)),
  );
  const open = added.at(isLong ? 0 : -1) ?? "";
  collapseItems(rows, filterFields, open);
  return `filters[${open}]`;
}

/** Does what a button of this page alone asks for, such as `preset Receipts` or `fix domains`. */
export function applyFilterIntent(tree: FormValues, command: string): string | undefined {
  if (command === "fix domains") {
    const filters = ensureRows(tree, ["filters"]);
    const open = findExpandedItem(filters);
    for (const [row, item] of filters) {
      const filter = expandItem(item, filterFields);
      filters.set(row, filter);
      for (const field of ["from", "to"]) {
        const { items, at } = readList(filter, field);
        const fixed = items.map((textField) => (isDomain(textField) ? `@${textField}` : textField));
        if (filter.has(field)) writeList(filter, field, { items: fixed, at });
      }
    }
    collapseItems(filters, filterFields, open);
    return "download";
  }
  const name = command.replace(/^preset /, "");
  const preset = PRESETS.get(name);
  return preset && addFilters(tree, [{ name, ...preset }]);
}

/** True for a filter that names a domain without an @. */
export const hasDomain = ({ from, to }: FilterInput): boolean =>
  [from, to].flat().some((textField) => typeof textField === "string" && isDomain(textField));

/** What the user does next for a filter that is not finished. */
export function findNextStep(filter: object): string | undefined {
  const has = (names: readonly string[]) => names.some((name) => name in filter);
  if (!has(CONDITION_NAMES)) return "Now choose which mail: a sender, a subject or some words.";
  return has(ACTION_NAMES) ? undefined : "Now choose what should happen.";
}

/** The filters of an input, which may be anything. */
export function listFilters(input: unknown): readonly object[] {
  const { filters } = Object(input);
  return Array.isArray(filters) ? filters.map(Object) : [];
}

/** A filter without its name, in an order that editing the form does not change. */
export const toMeaningKey = (filter: object): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([field]) => field !== "name")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** A closed filter in a line: the sentence that its result has, or its first words until it has one. */
export function summariseFilter(filter: FilterInput): string {
  const findings: FilterFindings = new Findings(filterFindings);
  try {
    const { criteria, actions } = parseFilter(filter, 0, findings);
    findings.throwIfRejected();
    return explain(criteria, actions);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { from = [], to = [], subject = [], has_words = [] } = filter;
    return [...from, ...to, ...subject, ...has_words].slice(0, 3).join(", ") || "Not finished";
  }
}
