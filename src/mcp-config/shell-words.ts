import type { ShellProblem } from "./config-findings.ts";
import { unionPattern } from "./json-values.ts";

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Splits a pasted command line as a POSIX shell does. What the shell would replace, `$NAME`, becomes a
 * reference, `${NAME}`; `<a placeholder>` stays text.
 *
 * @returns undefined for a single word, for a quote that does not end, and where a shell would do more
 * than start one program.
 *
 * @example
 * splitCommandLine("npx -y 'my server'"); // { command: "npx", args: ["-y", "my server"] }
 */
export function splitCommandLine(text: string): CommandLine | undefined {
  const { words, problem } = splitShellWords(text);
  const [command, ...args] = words;
  return problem !== undefined || command === undefined || args.length === 0
    ? undefined
    : { command, args };
}

interface ShellWords {
  readonly words: readonly string[];
  /** The reason why the line is not only words; then `words` has those before it. */
  readonly problem?: ShellProblem;
}

/** The words of a line, up to what a shell would do more with than start one program. */
export function splitShellWords(text: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {}, 0: match } of joinedLines(text).matchAll(SHELL_PART)) {
    const { space, comment, single, double, escaped, placeholder, plain, operator } = groups;
    const run = /(?<!\\)(?:\\\\)*(\$\(|`)/.exec(double ?? "")?.[1];
    if (operator !== undefined) {
      return { words, problem: { text: operator, where: "outside quotes" } };
    }
    if (run !== undefined) return { words, problem: { text: run, where: "in double quotes" } };
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (comment === undefined) {
      // Nobody writes `C:\Users` for a POSIX shell, which would drop the backslash.
      const kept = /[\w.%@-]/.test(escaped ?? "") ? match : escaped;
      const literal = single ?? kept ?? placeholder;
      const replaced = double ?? plain;
      if (literal === undefined && replaced === undefined) {
        return { words, problem: { text: match, where: "open" } };
      }
      word = (word ?? "") + (literal ?? toReferences(replaced ?? ""));
    }
  }
  return { words: word === undefined ? words : [...words, word] };
}

/** The parts of a line, tried in this order; what is left is a quote that does not end. */
const SHELL_PART = unionPattern(
  "g",
  /(?<space>\s+)/,
  /(?<comment>(?<!\S|\\\s)#[^\n]*)/,
  /'(?<single>[^']*)'/,
  /"(?<double>(?:[^"\\]|\\[\s\S])*)"/,
  /\\(?<escaped>[\s\S])/,
  /(?<placeholder><[A-Za-z](?:[\w .-]*[\w.-])?>)/,
  /(?<plain>(?:[^\s'"\\|&;<>()`$]|\$(?!\())+)/,
  /(?<operator>[|&;<>()`]+|\$\()/,
  /[\s\S]/,
);

/** A line that ends in a backslash, in PowerShell a backtick, in cmd a caret, goes on in the next line. */
const joinedLines = (text: string): string => text.trim().replace(/(?:\\|(?<=\s)[`^])\r?\n/g, "");

/** The lines of a text without comments and prompts. A line break in quotes does not end a line. */
export function commandLines(text: string): readonly string[] {
  const lines = [""];
  for (const { 0: part, groups } of joinedLines(text.replace(/^[ \t]*#.*$/gm, "")).matchAll(
    SHELL_PART,
  )) {
    if (groups?.space?.includes("\n")) lines.push("");
    else lines.push(`${lines.pop()}${part}`);
  }
  return lines.map((line) => line.replace(PROMPT, "").trim()).filter((line) => line !== "");
}

/** The prompts of a POSIX shell, PowerShell and cmd, and the check with which our line for PowerShell begins. */
const PROMPT =
  /^\s*(?:[$%]|PS(?: [^>\n]*)?>|[A-Za-z]:\\[^>\n]*>(?=\s*\S)|(?:if \(\$env:[^}]*\};\s*)+)\s*/;

/** Writes `$NAME`, `${NAME%/}` and PowerShell's `$env:NAME`, outside single quotes, as `${NAME}`; `\\$` is `$`. */
const toReferences = (text: string): string =>
  text
    .replace(/(\$\{[A-Za-z_]\w*)%\/\}/g, "$1}")
    .replace(/\\(["\\$`])|\$(?:env:)?([A-Za-z_]\w*)/g, (_, escaped?: string, name?: string) =>
      name === undefined ? String(escaped) : `\${${name}}`,
    );

/** True for `npx -y server`, but not for `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);
