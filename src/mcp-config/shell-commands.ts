import { posixQuote } from "../text.ts";
import { hasInvisible, unicodeEscape } from "./write-json-toml.ts";

/** A word of a command line: literal text, or a prefix and the value of a shell variable. */
export type CommandWord = string | { readonly prefix: string; readonly variable: string };

/**
 * One line for bash, zsh and the other POSIX shells that passes the words on exactly; undefined for a
 * line break or a hidden character: pasted into a terminal, one is a key press and the other deceives.
 */
export const toBashCommand = (words: readonly CommandWord[]): string | undefined =>
  words.some((word) => typeof word === "string" && (word.includes("\n") || hasInvisible(word)))
    ? undefined
    : words.map(shellWord).join(" ");

/** `:?` stops the line with a message when the variable is not set. */
function shellWord(word: CommandWord): string {
  if (typeof word === "string") return posixQuote(word);
  const { prefix, variable } = word;
  // A header's name may have characters that a shell replaces within double quotes.
  const isPlain = /^[\w ./:=@,+-]*$/.test(prefix);
  return isPlain ? `"${prefix}\${${variable}:?}"` : `${posixQuote(prefix)}"\${${variable}:?}"`;
}

export const listShellVariables = (words: readonly CommandWord[]): string[] =>
  words.flatMap((word) => (typeof word === "string" ? [] : [word.variable]));

/**
 * One line for PowerShell on Windows that passes the words on exactly; undefined where the program or
 * the version of PowerShell decides what arrives. All words but plain ones are quoted: a script, as npm
 * installs a program, loses a bare `--`, and a bare `1.0` becomes a number.
 */
export function toPowerShellCommand(words: readonly CommandWord[]): string | undefined {
  let line = "";
  for (const word of words) {
    const written = powershellWord(word);
    if (written === undefined) return undefined;
    line += `${line && " "}${written}`;
    if (line.length > MAX_LINE_PIECE_BYTES) return undefined;
  }
  const checks = [...new Set(listShellVariables(words))].map(
    (name) =>
      `if ($env:${name} -notmatch '${SAFE_WORD.source}') { throw '${name} is not set, or has one of "%&|<>^()' }; `,
  );
  return checks.join("") + line;
}

/**
 * The words that all versions pass on, also through cmd.exe: Windows PowerShell drops an empty word and
 * the quotes within one, and cmd.exe interprets the other characters. PowerShell tests values by it too.
 */
const SAFE_WORD = /^[^\n"%&|<>^()]+(?<!\\)$/;

/** @returns undefined for a word that may not arrive; a value that is not known yet is checked by the line. */
function powershellWord(word: CommandWord): string | undefined {
  const isText = typeof word === "string";
  if (isText && /^[A-Za-z][A-Za-z-]*$/.test(word)) return word;
  const whole = isText ? word : `${word.prefix}x`;
  if (!SAFE_WORD.test(whole) || hasInvisible(whole)) return undefined;
  return isText
    ? `'${word.replace(/['\u2018-\u201b]/g, "$&$&")}'`
    : `"${word.prefix.replace(/[`$\u201c-\u201e]/g, "`$&")}\${env:${word.variable}}"`;
}

/**
 * A line for PowerShell on Windows that gives a `.cmd` program one JSON argument; undefined when
 * the line would be too long.
 *
 * PowerShell drops the inner quotes of an argument unless they are written `\"`
 * (microsoft/vscode#279280). Every character that PowerShell, cmd.exe or the program's own
 * splitting could interpret is written as JSON's `\uXXXX`.
 */
export function toPowerShellJsonCommand(command: string, json: string): string | undefined {
  // A replacement is never shorter.
  if (json.length > MAX_LINE_PIECE_BYTES) return undefined;
  const argument = json
    .replace(/\\["\\]|[^ -~]|[%&<>^|!'`]/g, (match) => unicodeEscape(match.slice(-1)))
    .replaceAll('"', '\\"');
  const line = `${command} '${argument}'`;
  return line.length > MAX_LINE_PIECE_BYTES ? undefined : line;
}

/** The longest line of cmd.exe, which runs `code.cmd`. */
const MAX_LINE_PIECE_BYTES = 8000;

/**
 * JSON as a part of a link. VS Code decodes it once or twice, and may encode `?` and `#` in between, so
 * none of them nor `%` may be left in the JSON.
 */
export const encodeJsonForLink = (value: unknown): string =>
  encodeLink(JSON.stringify(value).replace(/(?:[^ -~]|[%?#])+/g, unicodeEscape));

/** A link as Cursor defines it: the bare entry in base64 of ASCII, which every decoder reads alike. */
export function toCursorLink(address: string, name: string, entry: unknown): string {
  const config = btoa(JSON.stringify(entry).replace(/[^ -~]+/g, unicodeEscape));
  return `${address}?name=${name}&config=${encodeLink(config)}`;
}

/** Some programs end a link at `'`, which `encodeURIComponent` keeps. */
const encodeLink = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
