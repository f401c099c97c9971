import { UNSEEN } from "../../schemas/invisible.ts";
/** A server as a client's file spells it; the order of the keys is that of the file. */
export interface ServerEntry {
  readonly [key: string]: string | readonly string[] | ServerEntry;
}

/** A server as a member of the object of servers: indented JSON with nothing hidden. */
export const formatJsonMember = (name: string, entry: ServerEntry): string =>
  showInvisible(`"${name}": ${JSON.stringify(entry, null, 2)}`);

/**
 * A whole file around a member, with the prompts of VS Code next to the servers. Line feeds are layout: in
 * strings JSON escapes them.
 */
export function formatJsonFile(
  rootKey: string,
  member: string,
  prompts: readonly unknown[] = [],
): string {
  const inObject = (text: string) => `{\n  ${text.replaceAll("\n", "\n  ")}\n}`;
  const file = inObject(`"${rootKey}": ${inObject(member)}`);
  if (prompts.length === 0) return `${file}\n`;
  return `${file.slice(0, -2)},\n${showInvisible(JSON.stringify({ inputs: prompts }, null, 2)).slice(2)}\n`;
}

/** A value for a message: in quotes, on one line, with nothing hidden. */
export const quoteForMessage = (text: string): string => showInvisible(JSON.stringify(text));

/** JSON with its invisible characters as `\uXXXX`. */
export const showInvisible = (json: string): string => escapeInvisible(json, unicodeEscape);

/**
 * A server as a table of TOML 1.0, with a table below it for each map, in which invisible characters
 * are written as `\uXXXX`; it ends with a newline. The package that reads TOML could write it too, but is
 * eight times larger than this, and most programs only write.
 */
export const formatToml = (rootKey: string, name: string, entry: ServerEntry): string =>
  escapeToml(tomlTable(`${tomlKey(rootKey)}.${tomlKey(name)}`, entry));

function tomlTable(header: string, entry: ServerEntry): string {
  let table = `[${header}]\n`;
  let inner = "";
  for (const [key, value] of Object.entries(entry)) {
    if (typeof value === "string") table += `${tomlKey(key)} = ${tomlString(value)}\n`;
    else if (isList(value)) {
      table += `${tomlKey(key)} = [ ${value.map(tomlString).join(", ")} ]\n`;
    } else inner += `\n${tomlTable(`${header}.${tomlKey(key)}`, value)}`;
  }
  return table + inner;
}

export const isList = (value: ServerEntry | readonly string[]): value is readonly string[] =>
  Array.isArray(value);

/** TOML with its invisible characters as `\uXXXX`. */
export const escapeToml = (toml: string): string => escapeInvisible(toml, escapeCodePoints);

const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** All escapes of JSON are escapes of TOML too. */
const tomlString = (text: string): string => JSON.stringify(text);

function escapeCodePoints(text: string): string {
  let escaped = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    escaped += code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${hex4(code)}`;
  }
  return escaped;
}

/** Each UTF-16 unit as `\uXXXX`, which JSON reads back as the same text. */
export function unicodeEscape(text: string): string {
  let escaped = "";
  for (let index = 0; index < text.length; index += 1) {
    escaped += `\\u${hex4(text.charCodeAt(index))}`;
  }
  return escaped;
}

const hex4 = (code: number): string => code.toString(16).padStart(4, "0");

/**
 * Escapes the characters that a reviewer cannot see: controls, zero-width and bidirectional marks,
 * tags, separators. Line feeds stay: they are the layout of a written file.
 *
 * @param write escapes a run of such characters.
 */
const escapeInvisible = (text: string, write: (run: string) => string): string =>
  isPrintableAscii(text) ? text : text.replace(UNSEEN, write);

/** Finds characters that cannot be seen, except line feeds. */
export const hasInvisible = (text: string): boolean =>
  !isPrintableAscii(text) && text.search(UNSEEN) >= 0;

/** A fast path: engines take longer to compile the Unicode classes than to match. */
const isPrintableAscii = (text: string): boolean => /^[\n -~]*$/.test(text);
