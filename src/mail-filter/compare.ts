import {
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../../schemas/mail-filter.ts";
import { groupBy } from "../../group-by.ts";
import { Diagnostics } from "../../issues.ts";
import { validInput } from "../../tool.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { SEARCH_CONDITIONS } from "../fields.ts";
import type { ParsedFilter } from "../filter.ts";
import { filterKey } from "../filter-key.ts";
import { furtherIssues } from "../further-issues.ts";
import { toAddition, writeFilters } from "../generate.ts";
import type { Criteria } from "../terms/criteria.ts";
import { splitAlternatives } from "../terms/expression.ts";
import { collapseSpaces } from "../terms/normalise.ts";
import type { Properties } from "../write.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import {
  entryLine,
  type LeftOut,
  listActions,
  printActions,
  readMeaning,
  skippedLine,
} from "./meaning.ts";
import { readEntries } from "./read-mail-filters.ts";

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
export function compareWith(
  existing: readonly FeedEntry[],
  leftOut: readonly LeftOut[],
): (input: ValidMailFilterInput) => MailFilterComparison {
  const skipped = new Set(leftOut.map(({ entry }) => entry));
  const existingKeys = existing.map((entry, index) =>
    skipped.has(index) ? undefined : readMeaning(entry).key,
  );
  return (input) => compareEntries(input, existing, existingKeys, leftOut);
}

/** @param existingKeys the meaning of each entry; undefined for one that is left out. */
function compareEntries(
  input: ValidMailFilterInput,
  existing: readonly FeedEntry[],
  existingKeys: readonly (string | undefined)[],
  leftOut: readonly LeftOut[],
): MailFilterComparison {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const filters = writeFilters(input.filters, diagnostics).map((filter) => ({
    ...filter,
    entries: filter.entries.map((entry) => ({ ...entry, keys: entryKeys(filter, entry.part) })),
  }));
  const entries = filters.flatMap((filter) => filter.entries);
  const wanted = new Map<string, number>();
  for (const key of entries.flatMap(({ keys }) => keys)) {
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  const known = new Set(existingKeys);
  const missing = filters.map((filter) => ({
    ...filter,
    entries: filter.entries.filter(({ keys }) => !keys.some((key) => known.has(key))),
  }));
  const result = toAddition(missing, diagnostics);
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
    there: entries.length - added.length,
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

/** The meanings that an entry may have in Gmail: of its part, and of its whole filter if that was split here. */
const entryKeys = ({ criteria, actions, parts }: ParsedFilter, part: Criteria): readonly string[] =>
  [part, ...(parts.length > 1 ? [criteria] : [])].map((form) => filterKey(form, actions));

function summarise({ new: added, changed, there, only_there, left_out }: Counts): string {
  return [
    `${added} new${changed > 0 ? ` (${changed} changed)` : ""}`,
    `${there} there already`,
    `${only_there} in Gmail only${only_there > 0 ? " (delete by hand what you no longer want)" : ""}`,
    ...(left_out > 0 ? [`${left_out} left out (keep them)`] : []),
  ].join(", ");
}

type Counts = MailFilterComparison["counts"];

/** A new entry and the old one that it most likely replaces, by their indexes. */
interface Change {
  readonly added: number;
  readonly gone: number;
  /** The parts that came and went: `+ from b@y.com, - label Old`. */
  readonly text: string;
}

/** Pairs each entry that is new with the one that it most likely replaces. */
function changesBetween(
  added: readonly Properties[],
  gone: readonly Properties[],
): readonly Change[] {
  const [newParts, oldParts] = [added.map(listParts), gone.map(listParts)];
  const holders = groupBy(
    oldParts.flatMap(({ conditions }, index) => conditions.map((part) => ({ part, index }))),
    ({ part }) => part,
  );
  const taken = new Set<number>();
  return newParts.flatMap((parts, index) => {
    const match = closest(parts, oldParts, holders, taken);
    if (match === undefined) return [];
    taken.add(match);
    const old = oldParts[match]?.all ?? new Set();
    const came = [...parts.all].filter((part) => !old.has(part)).map((part) => `+ ${part}`);
    const went = [...old].filter((part) => !parts.all.has(part)).map((part) => `- ${part}`);
    return [{ added: index, gone: match, text: [...came, ...went].join(", ") }];
  });
}

/** The conditions and actions of an entry, one by one: `from a@x.com`, `archive`. */
interface Parts {
  readonly all: ReadonlySet<string>;
  /** The conditions alone: thousands of entries may share an action. */
  readonly conditions: readonly string[];
}

/**
 * The most similar old entry: it has the same conditions, or shares more than half of all parts
 * (Jaccard), a condition among them.
 */
function closest(
  { all, conditions }: Parts,
  entries: readonly Parts[],
  holders: ReadonlyMap<string, readonly { readonly index: number }[]>,
  taken: ReadonlySet<number>,
): number | undefined {
  const related = new Set(
    conditions.flatMap((part) => holders.get(part) ?? []).map(({ index }) => index),
  );
  let best: { readonly index: number; readonly share: number } | undefined;
  for (const index of related) {
    if (taken.has(index)) continue;
    const entry = entries[index]?.all ?? new Set();
    const common = [...all].filter((part) => entry.has(part)).length;
    const isSameMail =
      entries[index]?.conditions.length === conditions.length &&
      conditions.every((part) => entry.has(part));
    const share = common / (all.size + entry.size - common) + (isSameMail ? 1 : 0);
    if (share > 0.5 && share > (best?.share ?? 0)) best = { index, share };
  }
  return best?.index;
}

function listParts(properties: Properties): Parts {
  const conditions = SEARCH_CONDITIONS.flatMap(({ property, shortName }) => {
    const value = collapseSpaces(properties[property] ?? "");
    const items = value === "" ? [] : splitAlternatives(value);
    return items.map((item) => `${shortName} ${item.toLowerCase()}`);
  });
  const { hasAttachment, size, sizeOperator = "s_sl", sizeUnit = "s_smb" } = properties;
  if (hasAttachment) conditions.push("has:attachment");
  if (size !== undefined) conditions.push(`size ${sizeOperator} ${size} ${sizeUnit}`);
  return { conditions, all: new Set([...conditions, ...listActions(properties)]) };
}
