/** A whole command line in its parts, as a README prints it. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Takes a pasted command line apart, as a POSIX shell would that replaces nothing.
 *
 * @returns undefined for a single word, and for a quote that does not end.
 *
 * @example
 * splitCommandLine("npx -y 'my server'"); // { command: "npx", args: ["-y", "my server"] }
 */
export function splitCommandLine(text: string): CommandLine | undefined {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|([\s\S])/g;
  let word: string | undefined;
  for (const [match, single, double, escaped, plain, other] of text.trim().matchAll(part)) {
    if (other !== undefined) return undefined;
    if (/^\s/.test(match)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain);
    }
  }
  if (word !== undefined) words.push(word);
  const [command, ...args] = words;
  return command === undefined || args.length === 0 ? undefined : { command, args };
}

/** `npx -y server`, but not `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);
