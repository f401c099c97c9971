import {
  type FilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { addRow, closeItems, type FieldsOf, type Tree, toTree, treeAt } from "../form/form.ts";
import { isUntouched, type State } from "../form/run-form.ts";

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
    hint: "Address, @domain or name. Any one is enough.",
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
    hint: "All must be there. Gmail’s operators work too.",
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
  delete: { kind: "switch", label: "Delete", hint: "Moves the mail to the bin." },
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

/**
 * Adds filters to those of a form. They replace the example only.
 *
 * @returns the name of the last of them.
 */
export function addFilters(tree: Tree, filters: readonly FilterInput[]): string {
  if (isUntouched(tree, { fields, contract: mailFilterContract })) tree.delete("filters");
  const rows = treeAt(tree, ["filters"]);
  const added = filters.map((filter) =>
    addRow(rows, filters.length > 3 ? JSON.stringify(filter) : toTree(filter, filterFields)),
  );
  const open = added.at(filters.length > 3 ? 0 : -1) ?? "";
  closeItems(rows, filterFields, open);
  return `filters[${open}]`;
}

/** Does what a button of this page alone asks for, such as `preset Receipts`. */
export function pressOwn(tree: Tree, command: string): string | undefined {
  const preset = PRESETS.find(({ title }) => command === `preset ${title}`);
  return preset && addFilters(tree, [preset.filter]);
}

/** What the user does next for a form that is not finished. */
export function nextStep({ input }: State<MailFilterResult>): string {
  const filters = Array.isArray(input.filters) ? input.filters : [];
  const has = (filter: object, names: readonly string[]) => names.some((name) => name in filter);
  for (const filter of filters) {
    if (!has(filter, CONDITIONS))
      return "Now choose which mail: a sender, a subject or some words.";
    if (!has(filter, ACTIONS)) return "Now choose what should happen.";
  }
  return "Fill in the form, and the result appears here.";
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
