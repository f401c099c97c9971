import { HIDDEN_IN_EDITORS } from "../../schemas/invisible.ts";
/** A server in a client's format. Keys keep the file's order. */
export interface ServerEntry {
  readonly [key: string]: string | readonly string[] | ServerEntry;
}

/** Formats a server as an indented JSON member, with invisible characters escaped. */
export const formatJsonMember = (name: string, entry: ServerEntry): string =>
  showInvisible(`"${name}": ${JSON.stringify(entry, null, 2)}`);

/**
 * Formats a file around a member, with VS Code's prompts next to the servers. Line feeds are only
 * layout, because JSON escapes them in strings.
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

/** Quotes a value on one line, with invisible characters escaped. */
export const toVisibleJsonString = (text: string): string => showInvisible(JSON.stringify(text));

/** Escapes the invisible characters of JSON as `\uXXXX`. */
export const showInvisible = (json: string): string => escapeInvisible(json, unicodeEscape);

/**
 * Writes a TOML 1.0 table, with a subtable for each map. Invisible characters become `\uXXXX`. The
 * TOML package could do this, but it is eight times larger and most programs only write.
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

/** Escapes the invisible characters of TOML as `\uXXXX`. */
export const escapeToml = (toml: string): string => escapeInvisible(toml, escapeCodePoints);

const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** Every JSON escape is also valid TOML. */
const tomlString = (text: string): string => JSON.stringify(text);

function escapeCodePoints(text: string): string {
  let escaped = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    escaped += code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${hex4(code)}`;
  }
  return escaped;
}

/** Writes each UTF-16 unit as `\uXXXX`. JSON reads it back as the same string. */
export function unicodeEscape(text: string): string {
  let escaped = "";
  for (let index = 0; index < text.length; index += 1) {
    escaped += `\\u${hex4(text.charCodeAt(index))}`;
  }
  return escaped;
}

const hex4 = (code: number): string => code.toString(16).padStart(4, "0");

/**
 * Escapes characters that a reviewer cannot see: controls, zero-width and bidirectional marks,
 * tags, separators. Line feeds stay, because they are the file's layout.
 *
 * @param write escapes a run of such characters.
 */
const escapeInvisible = (text: string, write: (run: string) => string): string =>
  isPrintableAscii(text) ? text : text.replace(HIDDEN_IN_EDITORS, write);

/** Whether the string has invisible characters other than line feeds. */
export const hasInvisible = (text: string): boolean =>
  !isPrintableAscii(text) && text.search(HIDDEN_IN_EDITORS) >= 0;

/** A fast path: compiling the Unicode classes takes longer than matching. */
const isPrintableAscii = (text: string): boolean => /^[\n -~]*$/.test(text);
