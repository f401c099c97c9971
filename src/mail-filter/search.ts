import { PROPERTY_NAMES, type PropertyName } from "../../schemas/mail-filter.ts";
import type { Actions, Criteria } from "./filter.ts";
import { type Size, searchSize } from "./size.ts";

/** The search string that finds the mail a filter selects. */
export function searchString(criteria: Criteria): string {
  return [
    fieldSearch("from", criteria.from),
    fieldSearch("to", criteria.to),
    fieldSearch("subject", criteria.subject),
    ...criteria.words.map(({ text }) => text),
    exclusionSearch(criteria.exclusions),
    criteria.hasAttachment ? "has:attachment" : "",
    criteria.larger ? `larger:${searchSize(criteria.larger)}` : "",
    criteria.smaller ? `smaller:${searchSize(criteria.smaller)}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** `from:(a OR b)`, as Gmail itself rewrites the field of a filter. */
const fieldSearch = (field: "from" | "to" | "subject", terms: readonly string[]): string =>
  terms.length === 0 ? "" : `${field}:(${anyOf(terms)})`;

/** Alternatives in the form that Gmail writes in its own filters. */
export const anyOf = (terms: readonly string[]): string => terms.join(" OR ");

/** What keeps mail out: `-sale`, or `-{sale "out of office"}`, in which any one of them does. */
const exclusionSearch = (terms: readonly string[]): string => {
  if (terms.length === 0) return "";
  return terms.length === 1 ? `-${terms[0]}` : `-{${terms.join(" ")}}`;
};

/** Gmail's address of that search. A slash would end the search, so it is encoded too. */
export const previewUrl = (search: string): string =>
  `https://mail.google.com/mail/u/0/#search/${encodeURIComponent(search)}`;

/** The names and values of one entry's `apps:property` elements. */
export type Properties = { readonly [Name in PropertyName]?: string | undefined };

/**
 * One entry's properties in Gmail's order. A property that is off is left out: Gmail never
 * writes `false`, and an empty value is unproven.
 */
export function entryProperties(criteria: Criteria, actions: Actions): Properties {
  const conditions = criteriaProperties(criteria);
  const effects = actionProperties(actions);
  const properties: { [Name in PropertyName]?: string } = {};
  for (const name of PROPERTY_NAMES) {
    const value = conditions[name] || effects[name];
    if (value) properties[name] = value;
  }
  return properties;
}

function criteriaProperties(criteria: Criteria): Partial<Record<PropertyName, string>> {
  const { larger, smaller } = criteria;
  // An entry holds one size; a second one goes to the words, where operators are allowed.
  const sizeWords = larger && smaller ? [`smaller:${searchSize(smaller)}`] : [];
  return {
    from: anyOf(criteria.from),
    to: anyOf(criteria.to),
    subject: anyOf(criteria.subject),
    hasTheWord: [...criteria.words.map(({ text }) => text), ...sizeWords].join(" "),
    doesNotHaveTheWord: anyOf(criteria.exclusions),
    hasAttachment: on(criteria.hasAttachment),
    ...(larger ? sizeProperties(larger, "s_sl") : smaller && sizeProperties(smaller, "s_ss")),
  };
}

const sizeProperties = (size: Size, sizeOperator: "s_sl" | "s_ss") => ({
  size: String(size.value),
  sizeOperator,
  sizeUnit: size.unit === "MB" ? "s_smb" : "s_sb",
});

function actionProperties(actions: Actions): Partial<Record<PropertyName, string>> {
  return {
    label: actions.label ?? "",
    shouldMarkAsRead: on(actions.markRead),
    shouldArchive: on(actions.skipInbox),
    forwardTo: actions.forwardTo ?? "",
    shouldStar: on(actions.star),
    shouldTrash: on(actions.delete),
    shouldNeverSpam: on(actions.neverSpam),
    shouldAlwaysMarkAsImportant: on(actions.importance === "always"),
    shouldNeverMarkAsImportant: on(actions.importance === "never"),
    smartLabelToApply: actions.category ? `^smartlabel_${actions.category}` : "",
  };
}

const on = (flag: boolean): string => (flag ? "true" : "");
