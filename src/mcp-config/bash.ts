import { posixQuote } from "../text.ts";
import { escapeInvisible } from "./invisible.ts";

/** A word of a command line: literal text, or a prefix with a shell variable's value behind it. */
export type Word = string | { readonly prefix: string; readonly variable: string };

/** One line for bash and zsh that passes the words on exactly, whatever characters they have. */
export const bashLine = (words: readonly Word[]): string =>
  words.map((word) => (typeof word === "string" ? quote(word) : reference(word))).join(" ");

/** The names of the shell variables that a line of these words reads. */
export const variablesIn = (words: readonly Word[]): string[] =>
  words.flatMap((word) => (typeof word === "string" ? [] : [word.variable]));

/** `:?` stops the line with a message while the variable is not set. */
const reference = ({ prefix, variable }: Exclude<Word, string>): string =>
  `"${prefix}\${${variable}:?}"`;

function quote(text: string): string {
  // Pasted into a terminal a control character is a key press, and a hidden one deceives.
  const showsAll = !text.includes("\n") && escapeInvisible(text, hexBytes) === text;
  if (showsAll) return posixQuote(text);
  // Escaped too: what ends `$'…'`, and `!`, which an interactive bash may look at first.
  return `$'${escapeInvisible(text.replace(/[\n\\'!]/g, hexBytes), hexBytes)}'`;
}

/** UTF-8 bytes, since what bash makes of `\uXXXX` depends on the locale. */
const hexBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text))
    .map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
    .join("");
