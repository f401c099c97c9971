import {
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../../schemas/mail-filter.ts";
import { validInput } from "../../tool.ts";
import { ACTIONS } from "../fields.ts";
import { furtherIssues } from "../filter.ts";
import { generate } from "../generate.ts";
import type { Properties } from "../write.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { meaningOf, meaningOfEntry, searchOf, unknownNames } from "./meaning.ts";

/** The difference between the filters of an input and an existing file. */
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
 * Compares filters with a Gmail export, entry by entry and by their meaning: the order and case of
 * alternatives, brackets and the spelling of a domain make no difference.
 *
 * @throws {InvalidInputError} for an input that is rejected, or a text that is not an export.
 *
 * @example
 * const { result, summary } = compareMailFilters(input, xml);
 * result.file.content; // only what is new, since an import adds and replaces nothing
 */
export const compareMailFilters = (input: MailFilterInput, xml: string): MailFilterComparison =>
  compareWithFeed(validInput(mailFilterContract.local_input, input, furtherIssues), readFeed(xml));

/** The same for a valid input and the entries of a file. */
export function compareWithFeed(
  input: ValidMailFilterInput,
  existing: readonly FeedEntry[],
): MailFilterComparison {
  const meanings = existing.map(meaningOfEntry);
  const known = new Set(meanings);
  const wanted = new Set<string | undefined>();
  let there = 0;
  const result = generate(input, {
    isInGmail: (properties) => {
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
  ACTIONS.flatMap(({ property, prefix, words }) => {
    const value = properties[property];
    if (value === undefined) return [];
    return prefix === undefined ? [words] : [`${words} ${value.replace(prefix, "")}`];
  }).join(", ") || "nothing";
