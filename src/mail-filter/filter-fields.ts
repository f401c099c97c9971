import type { FilterInput, PropertyName } from "../../schemas/mail-filter.ts";

/** In these fields, any one of the items is enough. */
export const LIST_FIELDS = ["from", "to", "subject"] as const;

export type ListField = (typeof LIST_FIELDS)[number];

export const CONDITIONS = [
  ...LIST_FIELDS,
  ...["has_words", "does_not_have"],
  ...["has_attachment", "larger_than_mb", "smaller_than_mb"],
] as const satisfies readonly (keyof FilterInput)[];

/** The conditions with search terms, and their names in exports and reports. */
export const SEARCH_CONDITIONS = [
  { field: "from", property: "from", shortName: "from" },
  { field: "to", property: "to", shortName: "to" },
  { field: "subject", property: "subject", shortName: "subject" },
  { field: "has_words", property: "hasTheWord", shortName: "words" },
  { field: "does_not_have", property: "doesNotHaveTheWord", shortName: "without" },
] as const;

export type Conditions = Pick<FilterInput, (typeof CONDITIONS)[number]>;

export type Actions = Omit<FilterInput, (typeof CONDITIONS)[number] | "name">;

export interface FilterAction {
  readonly field: keyof Actions;
  readonly property: PropertyName;
  /** Continues "Mail from Ann …"; the asterisk stands for the value. */
  readonly explanation: string;
  /** The name in a list of actions, before the value. */
  readonly shortName: string;
  /** The value of the field for this action, if each value has its own property. */
  readonly value?: string;
  /** Precedes the field's value in the property. Undefined for a flag, whose property is `true`. */
  readonly prefix?: string;
  /** Gmail's names for the values of the field. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Both values warn beside `delete`, because the action has no effect in Trash. `opposite` also
   * conflicts with another filter that deletes the same messages.
   */
  readonly besideDelete?: "opposite" | "pointless";
  /** Why two filters with different values of the field conflict. */
  readonly conflict?: string;
  /** Matches searches, such as `is:unread`, whose result the action may change. */
  readonly askedBy?: RegExp;
}

/** Keeps the field's type, for `Missing`. */
const action = <Field extends keyof Actions>(
  field: Field,
  property: PropertyName,
  explanation: string,
  shortName: string,
  options: Omit<FilterAction, "field" | "property" | "explanation" | "shortName"> = {},
): FilterAction & { readonly field: Field } => ({
  field,
  property,
  explanation,
  shortName,
  ...options,
});

/** Gmail's names of the tabs. */
export const INBOX_TABS: Readonly<Record<NonNullable<FilterInput["category"]>, string>> = {
  personal: "Primary",
  social: "Social",
  promo: "Promotions",
  notification: "Updates",
  group: "Forums",
};

const IMPORTANCE_CONFLICT = "one marks the message as important and the other as unimportant";

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
      conflict: IMPORTANCE_CONFLICT,
      askedBy: /important/,
    },
  ),
  action(
    "importance",
    "shouldNeverMarkAsImportant",
    "is never marked as important",
    "never important",
    { value: "never", conflict: IMPORTANCE_CONFLICT, askedBy: /important/ },
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

/** The fields of `Actions` without a definition. */
type Missing = Exclude<keyof Actions, (typeof ACTION_DEFINITIONS)[number]["field"]>;

/** In the order of an explanation. The compiler names a missing action. */
export const ACTIONS: readonly FilterAction[] = ACTION_DEFINITIONS satisfies [Missing] extends [
  never,
]
  ? readonly FilterAction[]
  : Missing;

/** A message has only one importance and one category, so two filters can conflict. */
export const CONFLICTING_ACTIONS = ACTIONS.filter(({ conflict }) => conflict !== undefined);

export const ACTION_FIELDS: readonly (keyof Actions)[] = [
  ...new Set(ACTIONS.map(({ field }) => field)),
];

/** Returns the value of an action's property, or an empty string if the filter lacks the action. */
export function propertyValue({ field, value, prefix }: FilterAction, actions: Actions): string {
  const given = actions[field];
  if (!given) return "";
  if (prefix !== undefined) return `${prefix}${given}`;
  return value === undefined || given === value ? "true" : "";
}
