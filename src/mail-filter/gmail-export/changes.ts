import { ACTIONS } from "../fields.ts";
import { alternativesOf } from "../terms/expression.ts";
import { collapseSpaces } from "../terms/normalise.ts";
import type { Properties } from "../write.ts";

/** Two entries of which most is the same, by their places in the lists. */
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
  const [newParts, oldParts] = [added.map(partsOf), gone.map(partsOf)];
  const holders = new Map<string, number[]>();
  oldParts.forEach((parts, index) => {
    for (const part of conditionsOf(parts)) {
      const indexes = holders.get(part);
      if (indexes) indexes.push(index);
      else holders.set(part, [index]);
    }
  });
  const taken = new Set<number>();
  return newParts.flatMap((parts, index) => {
    const match = closest(parts, oldParts, holders, taken);
    if (match === undefined) return [];
    taken.add(match);
    const old = oldParts[match] ?? new Set();
    const came = [...parts].filter((part) => !old.has(part)).map((part) => `+ ${part}`);
    const went = [...old].filter((part) => !parts.has(part)).map((part) => `- ${part}`);
    return [{ added: index, gone: match, text: [...came, ...went].join(", ") }];
  });
}

type Parts = ReadonlySet<string>;

/** The entry that shares most parts, if these are more than half of both and one is a condition. */
function closest(
  parts: Parts,
  entries: readonly Parts[],
  holders: ReadonlyMap<string, readonly number[]>,
  taken: ReadonlySet<number>,
): number | undefined {
  const related = new Set(conditionsOf(parts).flatMap((part) => holders.get(part) ?? []));
  let best: { readonly index: number; readonly share: number } | undefined;
  for (const index of related) {
    if (taken.has(index)) continue;
    const entry = entries[index] ?? new Set();
    const common = [...parts].filter((part) => entry.has(part)).length;
    const share = common / (parts.size + entry.size - common);
    if (share > 0.5 && share > (best?.share ?? 0)) best = { index, share };
  }
  return best?.index;
}

/** Without the actions, which thousands of entries may share. */
const conditionsOf = (parts: Parts): readonly string[] =>
  [...parts].filter((part) => !ACTION_PARTS.test(part));

const ACTION_PARTS = new RegExp(`^(?:${ACTIONS.map(({ words }) => words).join("|")})(?: |$)`);

/** The conditions and actions of an entry, one by one: `from a@x.com`, `archive`. */
function partsOf(properties: Properties): Parts {
  const parts = new Set<string>();
  for (const [name, field] of LISTS) {
    const value = collapseSpaces(properties[name] ?? "");
    if (value === "") continue;
    for (const item of alternativesOf(value)) parts.add(`${field} ${item.toLowerCase()}`);
  }
  const { hasAttachment, size, sizeOperator = "s_sl", sizeUnit = "s_smb" } = properties;
  if (hasAttachment) parts.add("has:attachment");
  if (size !== undefined) parts.add(`size ${sizeOperator} ${size} ${sizeUnit}`);
  for (const { property, prefix, words } of ACTIONS) {
    const value = properties[property];
    if (value !== undefined) {
      parts.add(prefix === undefined ? words : `${words} ${value.replace(prefix, "")}`);
    }
  }
  return parts;
}

const LISTS = [
  ["from", "from"],
  ["to", "to"],
  ["subject", "subject"],
  ["hasTheWord", "words"],
  ["doesNotHaveTheWord", "without"],
] as const;
