import { escapeInvisible } from "./invisible.ts";

/** Indented JSON in which invisible characters are written as `\uXXXX`; no newline at the end. */
export const writeJson = (value: unknown): string =>
  escapeInvisible(JSON.stringify(value, null, 2), unicodeEscape);

/** The members of an object, without its braces, to be put into a larger object. */
export const writeJsonMembers = (value: object): string =>
  writeJson(value)
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice("  ".length))
    .join("\n");

/** The same on one line. */
export const writeJsonLine = (value: unknown): string =>
  escapeInvisible(JSON.stringify(value), unicodeEscape);

/** A value as it may stand in a message: in quotes, on one line, with nothing hidden. */
export const quoted = (text: string): string => writeJsonLine(text);

/** Each UTF-16 unit as `\uXXXX`, which JSON reads back as the same text. */
export const unicodeEscape = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
