import {
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../../schemas/mail-filter.ts";
import { validInput } from "../../tool.ts";
import { furtherIssues } from "../filter.ts";
import { filterKey } from "../filter-key.ts";
import { generate } from "../generate.ts";
import { changesBetween } from "./changes.ts";
import { entryLine, printActions, skippedLine } from "./entry-line.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { readMeaning } from "./meaning.ts";
import { type LeftOut, readEntries } from "./read-mail-filters.ts";

/** The difference between the filters of an input and an existing file. */
export interface MailFilterComparison {
  /** The result without the entries that the file has already, and filters that have none left. */
  readonly result: MailFilterResult;
  /** `3 new, 17 there already, 2 in Gmail only` */
  readonly summary: string;
  /**
   * One line a difference: `+ Bills: from:(a@x.com) -> label Bills`, `~ …` for a filter that changed,
   * `- …` for one in Gmail only, `? …` for one that cannot be read and must be kept.
   */
  readonly differences: readonly string[];
  /**
   * The entries in Gmail only, each in a line: those of filters that are gone or changed, and what
   * Gmail has more often than the input. An import removes none of them.
   */
  readonly only_there: readonly string[];
  /** Numbers of entries. A changed entry counts as new and as one that only Gmail has. */
  readonly counts: {
    readonly new: number;
    readonly changed: number;
    readonly there: number;
    readonly only_there: number;
    readonly left_out: number;
  };
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
export function compareMailFilters(input: MailFilterInput, xml: string): MailFilterComparison {
  const valid = validInput(mailFilterContract.local_input, input, furtherIssues);
  const feed = readFeed(xml);
  return compareWith(feed, readEntries(feed).left_out)(valid);
}

/** Compares inputs with the entries of an export, whose meaning is read once. */
export function compareWith(existing: readonly FeedEntry[], leftOut: readonly LeftOut[]) {
  const skipped = new Set(leftOut.map(({ entry }) => entry));
  const existingKeys = existing.map((entry, index) =>
    skipped.has(index) ? undefined : readMeaning(entry).key,
  );
  return (input: ValidMailFilterInput) => compareEntries(input, existing, existingKeys, leftOut);
}

/** @param existingKeys the meaning of each entry; undefined for one that is left out. */
function compareEntries(
  input: ValidMailFilterInput,
  existing: readonly FeedEntry[],
  existingKeys: readonly (string | undefined)[],
  leftOut: readonly LeftOut[],
): MailFilterComparison {
  const known = new Set(existingKeys);
  const wanted = new Map<string, number>();
  let there = 0;
  const result = generate(input, {
    isInGmail: (actions, ...forms) => {
      const keys = forms.map((criteria) => filterKey(criteria, actions));
      for (const key of keys) wanted.set(key, (wanted.get(key) ?? 0) + 1);
      const isKnown = keys.some((key) => known.has(key));
      if (isKnown) there += 1;
      return isKnown;
    },
  });
  const added = result.filters.flatMap(({ name, entries }) =>
    entries.map(({ search, properties }) => ({ name, search, properties })),
  );
  const gone = existing
    .filter((_, index) => {
      const key = existingKeys[index];
      if (key === undefined) return false;
      const count = wanted.get(key) ?? 0;
      wanted.set(key, count - 1);
      return count <= 0;
    })
    .map(({ properties }) => properties);
  const changes = changesBetween(
    added.map(({ properties }) => properties),
    gone,
  );
  const counts = {
    new: added.length,
    changed: changes.length,
    there,
    only_there: gone.length,
    left_out: leftOut.length,
  };
  return {
    result,
    summary: summarise(counts),
    differences: [
      ...added.map(({ name, search, properties }, index) => {
        const change = changes.find((pair) => pair.added === index);
        return change
          ? `~ ${name}: ${change.text}`
          : `+ ${name}: ${search} -> ${printActions(properties)}`;
      }),
      ...gone
        .filter((_, index) => !changes.some((pair) => pair.gone === index))
        .map((properties) => `- ${entryLine(properties)}`),
      ...(added.length + gone.length > 0 ? leftOut.map(skippedLine) : []),
    ],
    only_there: gone.map(entryLine),
    counts,
  };
}

function summarise({ new: added, changed, there, only_there, left_out }: Counts): string {
  return [
    `${added} new${changed > 0 ? ` (${changed} changed)` : ""}`,
    `${there} there already`,
    `${only_there} in Gmail only${only_there > 0 ? " (delete by hand what you no longer want)" : ""}`,
    ...(left_out > 0 ? [`${left_out} left out (keep them)`] : []),
  ].join(", ");
}

type Counts = MailFilterComparison["counts"];
