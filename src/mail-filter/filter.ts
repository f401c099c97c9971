import type { FilterInput } from "../../schemas/mail-filter.ts";
import { type FilterDiagnostics, type ItemDiagnostics, ListDiagnostics } from "./diagnostics.ts";
import { readSizes, type SizeRange } from "./size.ts";
import { addressTerms, recipientTerms } from "./terms/address.ts";
import { exclusionTerms } from "./terms/exclusion.ts";
import { allGroups } from "./terms/expression.ts";
import { normaliseLabel, normaliseSearchText, visibleText } from "./terms/normalise.ts";
import { type ListTerm, subjectTerm } from "./terms/text.ts";
import { type WordsTerm, wordsTerm } from "./terms/words.ts";

/** What selects mail, in Gmail's search syntax, item by item. */
export interface Criteria extends SizeRange {
  /** Any of them. */
  readonly from: readonly string[];
  /** Any of them. */
  readonly to: readonly string[];
  /** Any of them. */
  readonly subject: readonly string[];
  /** All of them. */
  readonly words: readonly WordsTerm[];
  /** None of them. */
  readonly exclusions: readonly string[];
  readonly hasAttachment: boolean;
}

/** Reads a filter's conditions; what has no honest translation is refused through `diagnostics`. */
export function readCriteria(filter: FilterInput, diagnostics: FilterDiagnostics): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) =>
    readList(filter[field], diagnostics.at(field), (item, here) =>
      toListTerms(readItem(item, here)),
    ).map(({ text }) => text);
  return {
    from: read("from", addressTerms),
    to: read("to", recipientTerms),
    subject: read("subject", subjectTerm),
    words: readWords(filter, diagnostics.at("has_words")),
    exclusions: read("does_not_have", exclusionTerms),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, diagnostics),
  };
}

/** The term or terms of an item, none when it was refused. */
type ItemTerms = string | readonly string[] | undefined;
type ReadItem = (text: string, diagnostics: ItemDiagnostics) => ItemTerms;

const toListTerms = (terms: ItemTerms = []): readonly ListTerm[] =>
  [terms].flat().map((text) => ({ text, key: text.toLowerCase() }));

/** Reads the items of a list one by one and leaves out terms that repeat an earlier one. */
function readList<Term extends ListTerm>(
  items: readonly string[] | undefined,
  diagnostics: FilterDiagnostics,
  readItem: (text: string, diagnostics: ItemDiagnostics) => readonly Term[],
): readonly Term[] {
  if (items === undefined) return [];
  const terms = new Map<string, Term>();
  const found = new ListDiagnostics(diagnostics);
  for (const [index, item] of items.entries()) {
    const text = normaliseSearchText(item, found);
    for (const term of text === undefined ? [] : readItem(text, found)) {
      if (terms.has(term.key)) {
        found.info("repeated", `${term.text} is already in the list, left out`);
      } else {
        terms.set(term.key, term);
      }
    }
    found.endItem(index);
  }
  found.endList();
  return [...terms.values()];
}

/** Reads the `has_words` of a filter, with warnings about its items taken together. */
function readWords(filter: FilterInput, diagnostics: FilterDiagnostics): readonly WordsTerm[] {
  const terms = readList(filter.has_words, diagnostics, (text, here) => {
    const term = wordsTerm(text, here);
    return term ? [term] : [];
  });
  const [first, second] = terms.filter(({ expression }) => !expression);
  if (first && second) {
    diagnostics.info(
      "all-words-required",
      `a mail must have all of these; for any of them write one item, as in ${first.text} OR ${second.text}`,
    );
  }
  const sized = filter.larger_than_mb !== undefined || filter.smaller_than_mb !== undefined;
  if (sized && terms.some(asksForSize)) {
    diagnostics.warn(
      "size-twice",
      "also asks for a size, beside larger_than_mb or smaller_than_mb",
    );
  }
  return terms;
}

const asksForSize = ({ expression }: WordsTerm): boolean =>
  expression !== undefined &&
  allGroups(expression)
    .flatMap(({ terms }) => terms)
    .some(({ operator }) => /^(?:size|larger|smaller)$/i.test(operator ?? ""));

/** What happens to the mail. */
export interface Actions {
  readonly label: string | undefined;
  readonly skipInbox: boolean;
  readonly markRead: boolean;
  readonly star: boolean;
  readonly neverSpam: boolean;
  readonly importance: FilterInput["importance"];
  readonly delete: boolean;
  readonly category: FilterInput["category"];
  readonly forwardTo: string | undefined;
}

export const NO_ACTIONS: Actions = {
  label: undefined,
  skipInbox: false,
  markRead: false,
  star: false,
  neverSpam: false,
  importance: undefined,
  delete: false,
  category: undefined,
  forwardTo: undefined,
};

export function readActions(filter: FilterInput, diagnostics: FilterDiagnostics): Actions {
  return {
    label:
      filter.label === undefined ? undefined : readLabel(filter.label, diagnostics.at("label")),
    skipInbox: filter.skip_inbox === true,
    markRead: filter.mark_read === true,
    star: filter.star === true,
    neverSpam: filter.never_spam === true,
    importance: filter.importance,
    delete: filter.delete === true,
    category: filter.category,
    forwardTo: filter.forward_to,
  };
}

/** A filter after reading: what it selects, what it does, and the chunks it is written as. */
export interface ReadFilter {
  readonly name: string;
  readonly criteria: Criteria;
  readonly search: string;
  readonly actions: Actions;
  readonly chunks: readonly Criteria[];
}

/** As a first segment these never import (gmailctl #300). */
const SYSTEM_FOLDERS = ["inbox", "[gmail]"];

/**
 * The label as it is written to the file.
 *
 * @returns undefined when it had to be refused.
 */
function readLabel(text: string, diagnostics: FilterDiagnostics): string | undefined {
  const label = normaliseLabel(text, diagnostics);
  if (label === undefined) return undefined;
  const segments = label.split("/").map((segment) => visibleText(segment).trim());
  const [first = "", ...deeper] = segments;
  if (first === "" || deeper.includes("")) {
    diagnostics.reject("must have a name on both sides of each slash, as in Money/Bills");
    return undefined;
  }
  if (SYSTEM_FOLDERS.includes(first.toLowerCase())) {
    diagnostics.reject(`must not be or start with ${first}, which belongs to Gmail`);
    return undefined;
  }
  warnAboutLabel(label, diagnostics);
  return label;
}

/**
 * Names that Gmail keeps for itself as a whole (API labels guide, got-your-back #264, lieer).
 * The list is not complete, and each account language adds its own names. Travel, Personal and
 * Finance are on Google's list too, but Gmail's own exports have them as labels of users.
 */
const RESERVED = new Set([
  ...["all mail", "bin", "chat", "chats", "draft", "drafts", "forums", "important", "muted"],
  ...["promotions", "scheduled", "sent", "snoozed", "social", "spam", "starred", "todo", "trash"],
  ...["unread", "updates", "voicemail"],
]);

function warnAboutLabel(label: string, diagnostics: FilterDiagnostics): void {
  const name = visibleText(label).trim();
  if (RESERVED.has(name.toLowerCase()) || /^category_/i.test(name)) {
    diagnostics.warn(
      "reserved-label",
      `${name} is a name of Gmail's own; the import may refuse it`,
    );
  }
  if (name.startsWith("^")) {
    diagnostics.warn("system-label", "a label that starts with ^ may be taken for a system label");
  }
  if (label.includes("\\")) {
    diagnostics.warn("backslash-in-label", "a backslash does not nest labels; use a slash");
  }
}

const CONDITIONS = [
  ...["from", "to", "subject", "has_words", "does_not_have"],
  ...["has_attachment", "larger_than_mb", "smaller_than_mb"],
] as const;

const ACTIONS = [
  ...["label", "skip_inbox", "mark_read", "star", "never_spam"],
  ...["importance", "delete", "category", "forward_to"],
] as const;

/** All fields of a filter. */
export const FIELDS: ReadonlySet<string> = new Set(["name", ...CONDITIONS, ...ACTIONS]);

/** Refuses a filter that selects no mail or does nothing with it. */
export function requireConditionAndAction(
  filter: FilterInput,
  diagnostics: FilterDiagnostics,
): void {
  if (!CONDITIONS.some((field) => isGiven(filter[field]))) {
    diagnostics.reject(`must have a condition: one of ${CONDITIONS.join(", ")}`);
  }
  if (!ACTIONS.some((field) => isGiven(filter[field]))) {
    diagnostics.reject(`must have an action: one of ${ACTIONS.join(", ")}`);
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
