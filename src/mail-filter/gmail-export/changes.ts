import { groupBy } from "../../group-by.ts";
import { SEARCH_CONDITIONS } from "../fields.ts";
import { splitAlternatives } from "../terms/expression.ts";
import { collapseSpaces } from "../terms/normalise.ts";
import type { Properties } from "../write.ts";
import { listActions } from "./entry-line.ts";

/** A new entry and the old one that it most likely replaces, by their indexes. */
interface Change {
  readonly added: number;
  readonly gone: number;
  /** The parts that came and went: `+ from b@y.com, - label Old`. */
  readonly text: string;
}

/** Pairs each entry that is new with the one that it most likely replaces. */
export function changesBetween(
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
