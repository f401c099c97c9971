import type { Editable } from "../../../schemas/common.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import type { Properties } from "../write.ts";
import { packItems, parseActions, parseConditions } from "./entry.ts";
import type { FeedEntry } from "./feed.ts";
import { writeFilter } from "./write-filter.ts";

/** Reads a filter that this tool has split, as its comments show: `Name (1 of 3)`. */
export function readSplitFilter(
  entries: readonly FeedEntry[],
  start: number,
): { readonly filter: Editable<FilterInput>; readonly entries: number } | undefined {
  const [, name = "", count = ""] =
    /^ (.*) \(1 of (\d+)\) $/.exec(entries[start]?.comment ?? "") ?? [];
  const parts = entries.slice(start, start + Number(count));
  const isWhole =
    parts.length > 1 &&
    parts.length === Number(count) &&
    parts.every(({ comment }, index) => comment === ` ${name} (${index + 1} of ${count}) `);
  if (!isWhole) return undefined;

  const read = parts.map(({ properties }) => ({
    properties,
    ...parseConditions(properties).conditions,
  }));
  const [first] = read;
  const actions = first && parseActions(first.properties);
  if (!first || !actions || "reason" in actions) return undefined;
  const { properties: _, ...rest } = first;
  const written = writeFilter({ name, ...rest, ...joinLists(read), ...actions.fields });
  const isSame =
    "filter" in written &&
    written.entries.length === parts.length &&
    written.entries.every((entry, index) => isEqual(entry, parts[index]?.properties ?? {}));
  return isSame ? { filter: written.filter, entries: parts.length } : undefined;
}

/** The lists of all parts joined, without repeats. */
function joinLists(parts: readonly FilterInput[]): Pick<FilterInput, "from" | "to" | "subject"> {
  const all = (field: "from" | "to" | "subject") => [
    ...new Set(parts.flatMap((part) => part[field] ?? [])),
  ];
  const [from, to, subject] = [all("from"), all("to"), all("subject")];
  return {
    ...(from.length > 0 && { from: packItems(from) }),
    ...(to.length > 0 && { to: packItems(to) }),
    ...(subject.length > 0 && { subject }),
  };
}

const isEqual = (a: Properties, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);
