import { plural, thousands } from "../text.ts";
import type { Properties } from "./conditions.ts";
import { abbreviate } from "./explain.ts";
import { entryLine, type LeftOut, printActions, skippedLine, writeFilter } from "./export-entry.ts";
import { MAX_FILTERS } from "./gmail.ts";
import type { MailFilterMerge } from "./merge.ts";

export interface BeforeMerge {
  readonly entries: readonly (readonly Properties[])[];
  readonly left_out: readonly LeftOut[];
}

/**
 * The changes of a merge, and how to bring them into Gmail without missing mail meanwhile. A line with
 * `+` is a new filter, and those with `-` after it are the entries that it replaces, by their whole
 * search; `=` and `?` are entries that stay.
 */
export function mergeReport(merge: MailFilterMerge, before: BeforeMerge): readonly string[] {
  const added = listMerged(merge, before);
  const repeats = repeatLines(merge, before);
  const kept = before.left_out.map(skippedLine);
  if (added.length + repeats.length === 0) return [NOTHING, ...kept];

  const replaced = new Set(merge.merged.flatMap(({ from }) => from)).size;
  const numbers = [
    ...(added.length > 0
      ? [`${thousands(added.length)} new in place of ${thousands(replaced)}`]
      : []),
    ...(merge.dropped.length > 0 ? [plural(merge.dropped.length, "repeat")] : []),
  ];
  return [
    `${plural(before.entries.length, "filter")} become ${thousands(merge.filters.length)}: ${numbers.join(", ")}`,
    ...(added.length > 0 ? [ORDER] : []),
    ...(hasRoom(added, before) ? [] : [NO_ROOM]),
    ...added.flatMap(({ line, replaced }) => [line, ...replaced]),
    ...(repeats.length > 0 ? [REPEATS] : []),
    ...repeats,
    ...kept,
  ];
}

const NOTHING = "no filters can be merged so that the same happens to all mail with fewer entries";

const ORDER =
  "keep a copy of the export; import the new filters (+) without applying them to existing mail, look for them in Gmail's list, and only then delete by hand those that they replace (-)";

/** True if Gmail can have all new filters beside the old ones. */
function hasRoom(added: readonly MergedEntry[], { entries, left_out }: BeforeMerge): boolean {
  const present = entries.flat().length + left_out.length;
  return added.reduce((sum, one) => sum + one.entries, present) <= MAX_FILTERS;
}

const NO_ROOM =
  "Gmail keeps 1,000 filters, too few for old and new at once: in the import window choose as many of the new ones (+) as there is room for, delete what they replace (-), and go on with the next; with no room at all, delete some of these just before the import";

const REPEATS = "these are there more than once: keep one (=), and delete the others (-) by hand";

/** A new filter and the entries that are to be deleted after its import. */
interface MergedEntry {
  readonly line: string;
  readonly entries: number;
  readonly replaced: readonly string[];
}

/** A filter that two new ones replace together is deleted after the second. */
function listMerged(
  { filters, merged }: MailFilterMerge,
  { entries }: BeforeMerge,
): readonly MergedEntry[] {
  const last = new Map(merged.flatMap(({ from, into }) => from.map((index) => [index, into])));
  return merged.map(({ into, from }) => {
    const filter = filters[into] ?? {};
    const written = writeFilter(filter);
    if ("reason" in written) throw new TypeError(`A merged filter ${written.reason}`);
    const count = written.entries.length;
    const name = [filter.name ?? [], count > 1 ? `${count} entries` : []].flat().join(", ");
    const actions = printActions(written.entries[0] ?? {});
    return {
      line: `+ ${name === "" ? "" : `${name}: `}${abbreviate(written.search)} -> ${actions}`,
      entries: count,
      replaced: from
        .filter((index) => last.get(index) === into)
        .flatMap((index) => entries[index] ?? [])
        .map((properties) => `- ${entryLine(properties)}`),
    };
  });
}

/** Each filter that others repeat, with those others: Gmail's list may show another text of them. */
function repeatLines({ dropped }: MailFilterMerge, { entries }: BeforeMerge): readonly string[] {
  const lines = new Map<number, string[]>();
  const linesOf = (index: number, mark: string) =>
    (entries[index] ?? []).map((properties) => `${mark} ${entryLine(properties)}`);
  for (const { index, by } of dropped) {
    const known = lines.get(by) ?? linesOf(by, "=");
    known.push(...linesOf(index, "-"));
    lines.set(by, known);
  }
  return [...lines.values()].flat();
}
