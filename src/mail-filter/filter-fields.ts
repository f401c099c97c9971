import type { FilterInput, PropertyName } from "../../schemas/mail-filter.ts";

/** The fields whose items are alternatives: any one is enough. */
export const LIST_FIELDS = ["from", "to", "subject"] as const;

export type ListField = (typeof LIST_FIELDS)[number];

/** The fields of a filter that select mail. */
export const CONDITIONS = [
  ...LIST_FIELDS,
  ...["has_words", "does_not_have"],
  ...["has_attachment", "larger_than_mb", "smaller_than_mb"],
] as const satisfies readonly (keyof FilterInput)[];

/** The conditions that are texts to search for, and their names in an export and in a report. */
export const SEARCH_CONDITIONS = [
  { field: "from", property: "from", shortName: "from" },
  { field: "to", property: "to", shortName: "to" },
  { field: "subject", property: "subject", shortName: "subject" },
  { field: "has_words", property: "hasTheWord", shortName: "words" },
  { field: "does_not_have", property: "doesNotHaveTheWord", shortName: "without" },
] as const;

export type Conditions = Pick<FilterInput, (typeof CONDITIONS)[number]>;

/** The actions of a filter: the fields of `ACTIONS`. */
export type Actions = Omit<FilterInput, (typeof CONDITIONS)[number] | "name">;

/** One thing that Gmail can do with mail. */
export interface Action {
  readonly field: keyof Actions;
  readonly property: PropertyName;
  /** Continues "Mail from Ann …"; the asterisk is the text. */
  readonly explanation: string;
  /** The action's name in a list of actions, before the text. */
  readonly shortName: string;
  /** The value of the field that asks for this action, if each value has a property of its own. */
  readonly value?: string;
  /** The text before the field's value in the property; undefined for a flag, whose property is `true`. */
  readonly prefix?: string;
  /** Gmail's names for the texts that the field may have. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * The relation of the action to `delete`, which then warns: `opposite` also conflicts with another
   * filter that deletes the same mail, `pointless` only has no effect in Trash.
   */
  readonly besideDelete?: "opposite" | "pointless";
  /** Why two filters with different values of the field are opposite. */
  readonly conflict?: string;
  /** Matches a search, such as `is:unread`, that may ask whether the action has been done. */
  readonly askedBy?: RegExp;
}

/** A row of the actions, with its field as a type. */
const action = <Field extends keyof Actions>(
  field: Field,
  property: PropertyName,
  explanation: string,
  shortName: string,
  options: Omit<Action, "field" | "property" | "explanation" | "shortName"> = {},
): Action & { readonly field: Field } => ({ field, property, explanation, shortName, ...options });

/** The tabs of the inbox, as Gmail names them. */
export const INBOX_TABS: Readonly<Record<NonNullable<FilterInput["category"]>, string>> = {
  personal: "Primary",
  social: "Social",
  promo: "Promotions",
  notification: "Updates",
  group: "Forums",
};

const IMPORTANCE = "one marks the message as important and the other as unimportant";

const ACTION_DEFINITIONS = [
  action("label", "label", "gets the label *", "label", {
    prefix: "",
    besideDelete: "opposite",
    askedBy: /label/,
  }),
  action("skip_inbox", "shouldArchive", "is archived (skips the inbox)", "archive", {
    askedBy: /inbox|archive/,
  }),
  action("mark_read", "shouldMarkAsRead", "is marked as read", "mark read", {
    askedBy: /read/,
  }),
  action("star", "shouldStar", "is starred", "star", {
    besideDelete: "opposite",
    askedBy: /star|bang|check|info|guillemet|question/,
  }),
  action("never_spam", "shouldNeverSpam", "never goes to Spam", "never spam", {
    besideDelete: "pointless",
    askedBy: /inbox|spam/,
  }),
  action(
    "importance",
    "shouldAlwaysMarkAsImportant",
    "is always marked as important",
    "always important",
    {
      value: "always",
      besideDelete: "opposite",
      conflict: IMPORTANCE,
      askedBy: /important/,
    },
  ),
  action(
    "importance",
    "shouldNeverMarkAsImportant",
    "is never marked as important",
    "never important",
    { value: "never", conflict: IMPORTANCE, askedBy: /important/ },
  ),
  action("category", "smartLabelToApply", "goes to the * tab", "category", {
    prefix: "^smartlabel_",
    names: INBOX_TABS,
    besideDelete: "pointless",
    conflict: "they put the message in different categories",
    askedBy: /category|label:/,
  }),
  action("forward_to", "forwardTo", "is forwarded to *", "forward to", { prefix: "" }),
  action("delete", "shouldTrash", "goes to Trash", "delete", {
    askedBy: /inbox|trash|bin/,
  }),
];

/** The fields of `Actions` without a row. */
type Missing = Exclude<keyof Actions, (typeof ACTION_DEFINITIONS)[number]["field"]>;

/** All actions, in the order of an explanation. A missing row does not compile, and is named. */
export const ACTIONS: readonly Action[] = ACTION_DEFINITIONS satisfies [Missing] extends [never]
  ? readonly Action[]
  : Missing;

/** Actions of which a mail can have one value only (importance, category): two filters can contradict. */
export const CONFLICTING_ACTIONS = ACTIONS.filter(({ conflict }) => conflict !== undefined);

/** The fields of the actions, each once. */
export const ACTION_FIELDS: readonly (keyof Actions)[] = [
  ...new Set(ACTIONS.map(({ field }) => field)),
];

/** The value that an action's property has for a filter; empty when the filter does not ask for it. */
export function propertyValue({ field, value, prefix }: Action, actions: Actions): string {
  const given = actions[field];
  if (!given) return "";
  if (prefix !== undefined) return `${prefix}${given}`;
  return value === undefined || given === value ? "true" : "";
}
