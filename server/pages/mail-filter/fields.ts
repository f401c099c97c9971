import {
  type FilterInput,
  type MailFilterInput,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { Findings } from "../../../src/findings.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { explain } from "../../../src/mail-filter/explain.ts";
import { readFilter } from "../../../src/mail-filter/filter.ts";
import { type FilterFindings, filterFindings } from "../../../src/mail-filter/findings.ts";
import { addRow, closeItems, type FieldsOf, type Tree, toTree, treeAt } from "../form/form.ts";
import { isUntouched } from "../form/run-form.ts";

const filterFields = {
  name: {
    kind: "text",
    label: "Optional name",
    hint: "Tells filters apart. Gmail does not keep it.",
    placeholder: "Newsletters",
  },
  from: {
    kind: "texts",
    label: "From",
    hint: "Address, @domain or name. Any one counts.",
    placeholder: "news@shop.example or @shop.example",
  },
  to: {
    kind: "texts",
    label: "To",
    hint: "In To, Cc or Bcc. Any one is enough.",
    placeholder: "me+shop@mail.example",
  },
  subject: {
    kind: "texts",
    label: "Subject",
    hint: "Words of the subject. Any one is enough.",
    placeholder: "your receipt",
  },
  has_words: {
    kind: "texts",
    label: "Has words",
    hint: "All are needed. Gmail’s operators work.",
    placeholder: "unsubscribe",
  },
  does_not_have: {
    kind: "texts",
    label: "Does not have",
    hint: "Any one of these keeps mail out.",
    placeholder: "refund",
  },
  has_attachment: { kind: "switch", label: "Has attachment" },
  larger_than_mb: {
    kind: "number",
    label: "Larger than MB",
    hint: "1 MB is 1,048,576 bytes.",
    placeholder: "5",
  },
  smaller_than_mb: {
    kind: "number",
    label: "Smaller than MB",
    hint: "1 MB is 1,048,576 bytes.",
    placeholder: "20",
  },
  label: {
    kind: "text",
    label: "Label",
    hint: "A slash nests labels.",
    placeholder: "Money/Receipts",
  },
  skip_inbox: {
    kind: "switch",
    label: "Archive (skip the inbox)",
    hint: "The mail waits under its label.",
  },
  mark_read: { kind: "switch", label: "Mark as read" },
  star: { kind: "switch", label: "Star" },
  never_spam: { kind: "switch", label: "Never to Spam" },
  importance: {
    kind: "choice",
    label: "Importance",
    hint: "Gmail’s yellow marker.",
    choices: { always: "Always", never: "Never" },
  },
  delete: { kind: "switch", label: "Delete", hint: "Moves the mail to Trash." },
  category: {
    kind: "choice",
    label: "Category",
    hint: "The tab of the inbox.",
    choices: {
      personal: "Primary",
      social: "Social",
      promo: "Promotions",
      notification: "Updates",
      group: "Forums",
    },
  },
  forward_to: {
    kind: "text",
    label: "Forward to",
    hint: "Verify the address in Gmail first.",
    placeholder: "archive@mail.example",
  },
} as const satisfies FieldsOf<FilterInput>;

export const fields = {
  filters: {
    kind: "items",
    label: "Filter",
    hint: "Each filter needs at least one condition and one action.",
    fields: filterFields,
  },
} as const satisfies FieldsOf<MailFilterInput>;

export const PRESETS: readonly { readonly title: string; readonly filter: FilterInput }[] = [
  {
    title: "Newsletters",
    filter: {
      has_words: ["unsubscribe"],
      does_not_have: ["invoice", "receipt", "security alert"],
      label: "Newsletters",
      skip_inbox: true,
    },
  },
  {
    title: "Receipts",
    filter: { subject: ["receipt", "invoice", "your order"], label: "Money/Receipts" },
  },
  {
    title: "A project",
    filter: { from: ["@client.example"], subject: ["[website]"], label: "Project", star: true },
  },
  {
    title: "Travel",
    filter: {
      from: ["@airline.example", "@rail.example"],
      has_words: ['itinerary OR "boarding pass" OR "booking confirmation"'],
      label: "Travel",
      star: true,
    },
  },
];

/** More filters than this are added closed, but for the first. */
const MAX_OPEN = 3;

/**
 * Adds filters to those of a form. They replace the example only.
 *
 * @returns the name of the last of them, or of the first of many.
 */
export function addFilters(tree: Tree, filters: readonly object[]): string {
  if (isUntouched(tree, { fields, contract: mailFilterContract })) tree.delete("filters");
  const rows = treeAt(tree, ["filters"]);
  const isLong = filters.length > MAX_OPEN;
  const added = filters.map((filter) =>
    addRow(rows, isLong ? JSON.stringify(filter) : toTree(filter, filterFields)),
  );
  const open = added.at(isLong ? 0 : -1) ?? "";
  closeItems(rows, filterFields, open);
  return `filters[${open}]`;
}

/** Does what a button of this page alone asks for, such as `preset Receipts`. */
export function pressOwn(tree: Tree, command: string): string | undefined {
  const preset = PRESETS.find(({ title }) => command === `preset ${title}`);
  return preset && addFilters(tree, [preset.filter]);
}

/** What the user does next for a filter that is not finished. */
export function nextStep(filter: object): string | undefined {
  const has = (names: readonly string[]) => names.some((name) => name in filter);
  if (!has(CONDITIONS)) return "Now choose which mail: a sender, a subject or some words.";
  return has(ACTIONS) ? undefined : "Now choose what should happen.";
}

/** The filters of an input, which may be anything. */
export function listFilters(input: unknown): readonly object[] {
  const { filters } = Object(input);
  return Array.isArray(filters) ? filters.map(Object) : [];
}

/** A filter without its name, in an order that editing the form does not change. */
export const filterMeaning = (filter: object): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([field]) => field !== "name")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** A closed filter in a line: the sentence that its result has, or its first words until it has one. */
export function summarise(filter: FilterInput): string {
  const findings: FilterFindings = new Findings(filterFindings);
  try {
    const { criteria, actions } = readFilter(filter, 0, findings);
    findings.throwIfRejected();
    return explain(criteria, actions);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { from = [], to = [], subject = [], has_words = [] } = filter;
    return [...from, ...to, ...subject, ...has_words].slice(0, 3).join(", ") || "Not finished";
  }
}

export const CONDITIONS = [
  "from",
  "subject",
  "has_words",
  "to",
  "does_not_have",
  "has_attachment",
  "larger_than_mb",
  "smaller_than_mb",
] as const;
export const ACTIONS = [
  "label",
  "skip_inbox",
  "mark_read",
  "star",
  "never_spam",
  "importance",
  "delete",
  "category",
  "forward_to",
] as const;
