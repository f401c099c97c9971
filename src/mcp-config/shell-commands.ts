import { posixQuote } from "../text.ts";
import { hasInvisible, unicodeEscape } from "./write-json-toml.ts";

/** A word of a command line: a string, or a prefix and a shell variable. */
export type CommandWord = string | { readonly prefix: string; readonly variable: string };

/**
 * Writes a command for POSIX shells, such as bash and zsh. Returns undefined for line breaks and
 * hidden characters: in a terminal, a line break runs the command and hidden characters deceive.
 */
export const toBashCommand = (words: readonly CommandWord[]): string | undefined =>
  words.some((word) => typeof word === "string" && (word.includes("\n") || hasInvisible(word)))
    ? undefined
    : words.map(shellWord).join(" ");

/** `:?` stops the command with a message if the variable is not set. */
function shellWord(word: CommandWord): string {
  if (typeof word === "string") return posixQuote(word);
  const { prefix, variable } = word;
  // Header names may contain characters that a shell interprets within double quotes.
  const isPlain = /^[\w ./:=@,+-]*$/.test(prefix);
  return isPlain ? `"${prefix}\${${variable}:?}"` : `${posixQuote(prefix)}"\${${variable}:?}"`;
}

export const listShellVariables = (words: readonly CommandWord[]): string[] =>
  words.flatMap((word) => (typeof word === "string" ? [] : [word.variable]));

/**
 * Writes a command for PowerShell on Windows, or undefined if programs or PowerShell versions would
 * receive different words. Quotes all but simple words: npm's scripts lose a bare `--`, and a bare
 * `1.0` becomes a number.
 */
export function toPowerShellCommand(words: readonly CommandWord[]): string | undefined {
  let line = "";
  for (const word of words) {
    const quoted = powershellWord(word);
    if (quoted === undefined) return undefined;
    line += `${line && " "}${quoted}`;
    if (line.length > MAX_COMMAND_LENGTH) return undefined;
  }
  const checks = [...new Set(listShellVariables(words))].map(
    (name) =>
      `if ($env:${name} -notmatch '${SAFE_WORD.source}') { throw '${name} is not set, or has one of "%&|<>^()' }; `,
  );
  return checks.join("") + line;
}

/**
 * Words that every PowerShell version and cmd.exe pass on. Windows PowerShell drops empty words and
 * inner quotes; cmd.exe interprets the other characters. The command itself uses it too.
 */
const SAFE_WORD = /^[^\n"%&|<>^()]+(?<!\\)$/;

/** @returns undefined if the word may be changed. The command itself checks unknown values. */
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
 * Writes a PowerShell command that passes one JSON argument to a `.cmd` program. Returns undefined
 * if it would be too long.
 *
 * PowerShell drops inner quotes unless they are written `\"` (microsoft/vscode#279280). Characters
 * that PowerShell, cmd.exe or the program's parser could interpret become `\uXXXX`.
 */
export function toPowerShellJsonCommand(command: string, json: string): string | undefined {
  // Escaping never shortens the JSON.
  if (json.length > MAX_COMMAND_LENGTH) return undefined;
  const argument = json
    .replace(/\\["\\]|[^ -~]|[%&<>^|!'`]/g, (match) => unicodeEscape(match.slice(-1)))
    .replaceAll('"', '\\"');
  const line = `${command} '${argument}'`;
  return line.length > MAX_COMMAND_LENGTH ? undefined : line;
}

/** The longest command for cmd.exe, which runs `code.cmd`: its limit is 8,191 characters. */
const MAX_COMMAND_LENGTH = 8000;

/**
 * Encodes JSON for a link. VS Code decodes it once or twice and may encode `?` and `#` in between,
 * so the JSON must not contain them or `%`.
 */
export const encodeJsonForLink = (value: unknown): string =>
  encodeLink(JSON.stringify(value).replace(/(?:[^ -~]|[%?#])+/g, unicodeEscape));

/** Writes a Cursor link: the entry without its name, in base64 of ASCII for any decoder. */
export function toCursorLink(address: string, name: string, entry: unknown): string {
  const config = btoa(JSON.stringify(entry).replace(/[^ -~]+/g, unicodeEscape));
  return `${address}?name=${name}&config=${encodeLink(config)}`;
}

/** Some programs end a link at `'`, which `encodeURIComponent` keeps. */
const encodeLink = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
