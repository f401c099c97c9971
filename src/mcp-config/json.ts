import { INVISIBLE } from "./invisible.ts";

/** Indented JSON in which invisible characters are written as `\uXXXX`; no newline at the end. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(INVISIBLE, unicodeEscape);

/** The members of an object, without its braces, to be put into a larger object. */
export const writeJsonMembers = (value: object): string =>
  writeJson(value)
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice("  ".length))
    .join("\n");

/** JSON on one line, with `\uXXXX` for what the pattern matches; it must match inside strings only. */
export const writeJsonLine = (value: unknown, escaped: RegExp): string =>
  JSON.stringify(value).replace(escaped, unicodeEscape);

/** A value as it may stand in a message: in quotes, on one line, with nothing hidden. */
export const quoted = (text: string): string => writeJsonLine(text, INVISIBLE);

/** Each UTF-16 unit as `\uXXXX`, which JSON reads back as the same text. */
export const unicodeEscape = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
