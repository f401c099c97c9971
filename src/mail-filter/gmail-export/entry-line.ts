import { ACTIONS } from "../fields.ts";
import { abbreviate } from "../filter.ts";
import type { Properties } from "../write.ts";
import { printEntrySearch, unknownNames } from "./meaning.ts";
import type { LeftOut } from "./read-mail-filters.ts";

/** An entry in one line: `from:(a@x.com) -> label Bills, archive`. */
export const entryLine = (properties: Properties): string =>
  `${printEntrySearch(properties)} -> ${printActions(properties)}`.trim();

/** The actions of an entry in short: `label Bills, archive`. */
export function printActions(properties: Properties): string {
  const unknown = unknownNames(properties);
  const rest = unknown.length > 0 ? ` (and ${unknown.join(", ")})` : "";
  return `${listActions(properties).join(", ") || "nothing"}${rest}`;
}

/** The known actions, one a text: `archive`. */
export const listActions = (properties: Properties): readonly string[] =>
  ACTIONS.flatMap(({ property, prefix, shortName }) => {
    const value = properties[property];
    if (value === undefined) return [];
    return prefix === undefined ? [shortName] : [`${shortName} ${value.replace(prefix, "")}`];
  });

/** The line for an entry that no input can express: no new filter replaces it. */
export const skippedLine = ({ properties, reason }: LeftOut): string =>
  `? ${abbreviate(entryLine(properties))}: ${reason}; keep this one`;
