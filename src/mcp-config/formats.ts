import { stringify } from "smol-toml";
import type { LocalServer, RemoteServer, Server, StringMap } from "./server.ts";

/** A server as a client's file spells it, in the order of its keys. */
export type Entry = Readonly<Record<string, string | readonly string[] | StringMap>>;

export const localEntry = ({ command, args, env }: LocalServer): Entry => ({
  command,
  ...unlessEmpty("args", args),
  ...unlessEmpty("env", env),
});

export const remoteEntry = ({ url, headers }: RemoteServer, headersKey = "headers"): Entry => ({
  url,
  ...unlessEmpty(headersKey, headers),
});

/** An entry that says its transport in `type`. */
export const typedEntry = (server: Server): Entry => ({
  type: server.transport,
  ...(server.transport === "stdio" ? localEntry(server) : remoteEntry(server)),
});

const unlessEmpty = (key: string, value: readonly string[] | StringMap): Entry =>
  Object.keys(value).length === 0 ? {} : { [key]: value };

/** Indented JSON in which invisible characters are written as `\uXXXX`; no newline at the end. */
export const writeJson = (value: unknown): string => showInvisible(JSON.stringify(value, null, 2));

/** The members of an object, without its braces, to paste into a larger object. */
export const writeJsonMembers = (value: object): string =>
  writeJson(value)
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice("  ".length))
    .join("\n");

/** A value for a message: in quotes, on one line, with nothing hidden. */
export const quoted = (text: string): string => showInvisible(JSON.stringify(text));

/** JSON in which invisible characters are written as `\uXXXX`. */
export const showInvisible = (json: string): string => escapeInvisible(json, unicodeEscape);

/** TOML 1.0 in which invisible characters are written as `\uXXXX`; it ends with a newline. */
export const writeToml = (tables: Record<string, Record<string, Entry>>): string =>
  escapeInvisible(stringify(tables), escapeCodePoint);

function escapeCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

/** Each UTF-16 unit as `\uXXXX`, which JSON reads back as the same text. */
export const unicodeEscape = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/**
 * Escapes the characters that a reviewer cannot see: controls, zero-width and bidirectional marks,
 * tags, separators. Line feeds stay: they are the layout of a written file.
 */
export const escapeInvisible = (text: string, write: (character: string) => string): string =>
  isPlain(text)
    ? text
    : text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, write);

/** Most texts are plain, and an engine takes longer to compile the Unicode classes than to match. */
const isPlain = (text: string): boolean => /^[\n -~]*$/.test(text);
