import {
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../../schemas/mail-filter.ts";
import { validInput } from "../../tool.ts";
import { furtherIssues } from "../further-issues.ts";
import { generate } from "../generate.ts";
import type { Properties } from "../search.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { meaningOf, meaningOfEntry, searchOf, unknownNames } from "./meaning.ts";

/** The difference between what an input gives and an existing file. */
export interface MailFilterComparison {
  /** The result without the entries that the file has already, and filters that have none left. */
  readonly result: MailFilterResult;
  /** `3 new, 17 there already, 2 in Gmail only` */
  readonly summary: string;
  /** One line a difference: `+ Bills: from:(a@x.com) -> label Bills`, or `- …` for one in Gmail only. */
  readonly differences: readonly string[];
  /** Numbers of entries. */
  readonly counts: { readonly new: number; readonly there: number; readonly only_there: number };
}

/**
 * Compares filters with an export of Gmail's, entry by entry and by what they mean: the order and
 * case of alternatives, brackets and the spelling of a domain make no difference.
 *
 * @throws {InvalidInputError} for an input that is refused, or a text that is no export.
 *
 * @example
 * const { result, summary } = compareMailFilters(input, xml);
 * result.file.content; // only what is new, since an import adds and replaces nothing
 */
export const compareMailFilters = (input: MailFilterInput, xml: string): MailFilterComparison =>
  compareWithFeed(validInput(mailFilterContract.local_input, input, furtherIssues), readFeed(xml));

/** The same for a valid input and a file that has been read. */
export function compareWithFeed(
  input: ValidMailFilterInput,
  existing: readonly FeedEntry[],
): MailFilterComparison {
  const meanings = existing.map(meaningOfEntry);
  const known = new Set(meanings);
  const wanted = new Set<string | undefined>();
  let there = 0;
  const result = generate(input, {
    isThere: (properties) => {
      const meaning = meaningOf(properties);
      wanted.add(meaning);
      const isKnown = meaning !== undefined && known.has(meaning);
      if (isKnown) there += 1;
      return isKnown;
    },
  });
  const missing = result.filters.flatMap(({ name, entries }) =>
    entries.map(({ search, properties }) => `+ ${name}: ${search} -> ${actionsIn(properties)}`),
  );
  const onlyThere = existing
    .filter((_, index) => {
      const meaning = meanings[index];
      return meaning === undefined || !wanted.has(meaning);
    })
    .map(({ properties }) => `- ${lineOf(properties)}`);
  const counts = { new: missing.length, there, only_there: onlyThere.length };
  return {
    result,
    summary: `${counts.new} new, ${there} there already, ${counts.only_there} in Gmail only${
      onlyThere.length > 0 ? ", where an import leaves them" : ""
    }`,
    differences: [...missing, ...onlyThere],
    counts,
  };
}

/** An entry in one line: `from:(a@x.com) -> label Bills, skip inbox`. */
export const lineOf = (properties: Properties): string =>
  `${searchOf(properties)} -> ${actionsIn(properties)}`.trim();

/** The actions of an entry in short: `label Bills, skip inbox`. */
function actionsIn(properties: Properties): string {
  const unknown = unknownNames(properties);
  const rest = unknown.length > 0 ? ` (and ${unknown.join(", ")})` : "";
  return `${knownActions(properties)}${rest}`;
}

const knownActions = (properties: Properties): string =>
  ACTIONS.flatMap(([name, text]) => {
    const value = properties[name];
    if (value === undefined) return [];
    return value === "true" ? [text] : [`${text} ${value.replace(/^\^smartlabel_/, "")}`];
  }).join(", ") || "nothing";

const ACTIONS: readonly (readonly [keyof Properties, string])[] = [
  ["label", "label"],
  ["shouldArchive", "skip inbox"],
  ["shouldMarkAsRead", "mark read"],
  ["shouldStar", "star"],
  ["shouldNeverSpam", "never spam"],
  ["shouldAlwaysMarkAsImportant", "always important"],
  ["shouldNeverMarkAsImportant", "never important"],
  ["smartLabelToApply", "category"],
  ["forwardTo", "forward to"],
  ["shouldTrash", "delete"],
];
