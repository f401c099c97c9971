import {
  type FilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../../schemas/mail-filter.ts";
import { Diagnostics } from "../../issues.ts";
import { type ExistingProduct, validInput } from "../../tool.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { ACTIONS } from "../fields.ts";
import { furtherIssues } from "../filter.ts";
import { generate } from "../generate.ts";
import type { Properties } from "../write.ts";
import { changesBetween } from "./changes.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { meaningOf, meaningOfEntry, searchOf, unknownNames } from "./meaning.ts";
import { nameOf } from "./read-entry.ts";
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
  /** Whether there is nothing new to import. */
  readonly isEmpty: boolean;
  /** Numbers of entries; one that changed is new and only there. */
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
  return compareWithFeed(valid, feed, readEntries(feed).left_out);
}

/** The same for a valid input and the entries of a file. */
function compareWithFeed(
  input: ValidMailFilterInput,
  existing: readonly FeedEntry[],
  leftOut: readonly LeftOut[],
): MailFilterComparison {
  const unread = new Set(leftOut.map(({ entry }) => entry));
  const meanings = existing.map((entry, index) =>
    unread.has(index) ? undefined : meaningOfEntry(entry),
  );
  const known = new Set(meanings);
  const wanted = new Set<string | undefined>();
  let there = 0;
  const result = generate(input, {
    isInGmail: (...forms) => {
      const found = forms.map(meaningOf);
      for (const meaning of found) wanted.add(meaning);
      const isKnown = found.some((meaning) => meaning !== undefined && known.has(meaning));
      if (isKnown) there += 1;
      return isKnown;
    },
  });
  const added = result.filters.flatMap(({ name, entries }) =>
    entries.map(({ search, properties }) => ({ name, search, properties })),
  );
  const gone = existing
    .filter((_, index) => !unread.has(index) && !wanted.has(meanings[index]))
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
    summary: summaryOf(counts),
    differences: [
      ...added.map(({ name, search, properties }, index) => {
        const change = changes.find((pair) => pair.added === index);
        return change
          ? `~ ${name}: ${change.text}`
          : `+ ${name}: ${search} -> ${actionsIn(properties)}`;
      }),
      ...gone
        .filter((_, index) => !changes.some((pair) => pair.gone === index))
        .map((properties) => `- ${lineOf(properties)}`),
      ...(added.length + gone.length > 0 ? leftOut.map(keptLine) : []),
    ],
    isEmpty: added.length === 0,
    counts,
  };
}

function summaryOf({ new: added, changed, there, only_there, left_out }: Counts): string {
  return [
    `${added} new${changed > 0 ? ` (${changed} changed)` : ""}`,
    `${there} there already`,
    `${only_there} in Gmail only${only_there > 0 ? " (delete by hand what you no longer want)" : ""}`,
    ...(left_out > 0 ? [`${left_out} left out (keep them)`] : []),
  ].join(", ");
}

type Counts = MailFilterComparison["counts"];

/** An entry that no input can express: no new filter replaces it. */
const keptLine = ({ properties, reason }: LeftOut): string =>
  `? ${shortened(lineOf(properties))}: ${reason}; keep this one`;

/** An entry in one line: `from:(a@x.com) -> label Bills, skip inbox`. */
const lineOf = (properties: Properties): string =>
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

/**
 * A `mailFilters.xml` as every tool's existing product. An entry that no input can express is a
 * warning.
 *
 * @throws {InvalidInputError} for a text that is not such a file.
 */
export function readMailFilterProduct(xml: string): ExistingProduct<typeof mailFilterContract> {
  const feed = readFeed(xml);
  const { filters, left_out, warnings } = readEntries(feed);
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  for (const { entry, properties, reason } of left_out) {
    const line = shortened(lineOf(properties));
    diagnostics.at("entry", entry).warn("left-out", `${line} is left out: ${reason}`);
  }
  return {
    inputs: filters.length > 0 ? [{ filters: filters.map(named) }] : [],
    warnings: [...diagnostics.warnings, ...warnings],
    compare: (input) => compareWithFeed(input, feed, left_out),
  };
}

/** The first characters of a search, which may have thousands, identify a filter. */
const shortened = (line: string): string =>
  line.length > LONGEST ? `${[...line].slice(0, LONGEST).join("")}…` : line;

const LONGEST = 120;

/** A filter of a Gmail export has no name, so its label or first condition becomes one. */
function named({ name, ...filter }: FilterInput): FilterInput {
  const { label, from = [], to = [], subject = [], has_words = [] } = filter;
  const [first] = [...from, ...to, ...subject, ...has_words];
  const words = nameOf(name ?? label ?? first ?? "");
  return words === "" ? filter : { name: words, ...filter };
}
