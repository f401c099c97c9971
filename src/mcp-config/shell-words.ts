import type { ShellProblem } from "./config-findings.ts";
import { unionPattern } from "./json-values.ts";
import type { CommandLine } from "./mcp-server.ts";

/**
 * Splits a pasted command line like a POSIX shell. Variables such as `$NAME` become references,
 * `${NAME}`. `<placeholder>` stays unchanged.
 *
 * @returns undefined for a single word or an unclosed quote, or if a shell would do more than start
 * one program.
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

/**
 * Splits into words, until a shell would do more than start one program. If there is a problem, `words`
 * holds only the words before it.
 */
export function splitShellWords(text: string): {
  readonly words: readonly string[];
  readonly problem?: ShellProblem;
} {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {}, 0: match } of joinContinuedLines(text).matchAll(SHELL_PART)) {
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
      // In `C:\Users`, keep the backslash that a POSIX shell would drop.
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

/** The parts of a command, in order of precedence. Any other quote is not closed. */
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

/** Joins lines that end in a backslash, in PowerShell a backtick, in cmd a caret. */
const joinContinuedLines = (text: string): string =>
  text.trim().replace(/(?:\\|(?<=\s)[`^])\r?\n/g, "");

/** Splits into commands, without comments and prompts. Quotes may span lines. */
export function splitCommandLines(text: string): readonly string[] {
  const lines = [""];
  for (const { 0: part, groups } of joinContinuedLines(text.replace(/^[ \t]*#.*$/gm, "")).matchAll(
    SHELL_PART,
  )) {
    if (groups?.space?.includes("\n")) lines.push("");
    else lines.push(`${lines.pop()}${part}`);
  }
  return lines.map((line) => line.replace(SHELL_PROMPT, "").trim()).filter((line) => line !== "");
}

/** Prompts of POSIX shells, PowerShell and cmd, and the check that begins our PowerShell command. */
const SHELL_PROMPT =
  /^\s*(?:[$%]|PS(?: [^>\n]*)?>|[A-Za-z]:\\[^>\n]*>(?=\s*\S)|(?:if \(\$env:[^}]*\};\s*)+)\s*/;

/** Rewrites `$NAME`, `${NAME%/}` and `$env:NAME` outside single quotes as `${NAME}`. `\\$` is `$`. */
const toReferences = (text: string): string =>
  text
    .replace(/(\$\{[A-Za-z_]\w*)%\/\}/g, "$1}")
    .replace(/\\(["\\$`])|\$(?:env:)?([A-Za-z_]\w*)/g, (_, escaped?: string, name?: string) =>
      name === undefined ? String(escaped) : `\${${name}}`,
    );

/** True for `npx -y server`, but not for `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);
