import { ACTIONS } from "../fields.ts";
import type { Properties } from "../write.ts";
import { searchOf, unknownNames } from "./meaning.ts";
import type { LeftOut } from "./read-mail-filters.ts";

/** An entry in one line: `from:(a@x.com) -> label Bills, archive`. */
export const entryLine = (properties: Properties): string =>
  `${searchOf(properties)} -> ${actionsIn(properties)}`.trim();

/** The actions of an entry in short: `label Bills, archive`. */
export function actionsIn(properties: Properties): string {
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

/** An entry that no input can express: no new filter replaces it. */
export const keptLine = ({ properties, reason }: LeftOut): string =>
  `? ${shortened(entryLine(properties))}: ${reason}; keep this one`;

/** The first characters of a search, which may have thousands, identify a filter. */
export const shortened = (line: string): string =>
  line.length > LONGEST ? `${[...line].slice(0, LONGEST).join("")}…` : line;

const LONGEST = 120;
