import { posixQuote } from "../text.ts";
import { hasInvisible, unicodeEscape } from "./formats.ts";

/** A word of a command line: literal text, or a prefix and the value of a shell variable. */
export type Word = string | { readonly prefix: string; readonly variable: string };

/** One line for bash and zsh that passes the words on exactly, whatever characters they have. */
export const bashLine = (words: readonly Word[]): string =>
  words.map((word) => (typeof word === "string" ? quote(word) : reference(word))).join(" ");

/** `:?` stops the line with a message while the variable is not set. */
const reference = ({ prefix, variable }: Exclude<Word, string>): string =>
  `"${prefix}\${${variable}:?}"`;

function quote(text: string): string {
  // Pasted into a terminal, a control character is a key press, and a hidden one deceives.
  if (!text.includes("\n") && !hasInvisible(text)) return posixQuote(text);
  return `$'${text.replace(NOT_IN_DOLLAR_QUOTES, hexBytes)}'`;
}

/** Hidden characters and line feeds, what ends `$'…'`, and `!`, which bash may expand first. */
const NOT_IN_DOLLAR_QUOTES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\'!]+/gu;

/** UTF-8 bytes, because bash decodes `\uXXXX` by the locale. */
function hexBytes(text: string): string {
  let escaped = "";
  for (const byte of new TextEncoder().encode(text)) {
    escaped += `\\x${(0x100 + byte).toString(16).slice(1)}`;
  }
  return escaped;
}

/** The names of the shell variables that the line reads. */
export const variablesIn = (words: readonly Word[]): string[] =>
  words.flatMap((word) => (typeof word === "string" ? [] : [word.variable]));

/**
 * A line for PowerShell on Windows that gives a `.cmd` program one JSON argument; undefined when
 * the line would be too long.
 *
 * PowerShell drops the inner quotes of an argument unless they are written `\"`
 * (microsoft/vscode#279280). Every character that PowerShell, cmd.exe or the program's own
 * splitting could interpret is written as JSON's `\uXXXX`.
 */
export function powershellJsonLine(command: string, json: string): string | undefined {
  const argument = json
    .replace(/\\["\\]|[^ -~]|[%&<>^|!'`]/g, (match) => unicodeEscape(match.slice(-1)))
    .replaceAll('"', '\\"');
  const line = `${command} '${argument}'`;
  return line.length > LONGEST_LINE ? undefined : line;
}

/** The longest line that cmd.exe takes, which runs `code.cmd`. */
const LONGEST_LINE = 8000;

/** VS Code decodes a link's text once or twice, so no `%` may be left in the JSON. */
export function vscodeLink(server: unknown): string {
  const config = JSON.stringify(server).replace(/[^ -~]|%/g, unicodeEscape);
  return `vscode:mcp/install?${encode(config)}`;
}

/** Cursor's link holds the bare entry in base64. The JSON is ASCII, which every decoder reads alike. */
export function cursorLink(name: string, entry: unknown): string {
  const config = btoa(JSON.stringify(entry).replace(/[^ -~]/g, unicodeEscape));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encode(config)}`;
}

/** `encodeURIComponent` leaves `'` alone, at which some programs end a link. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
