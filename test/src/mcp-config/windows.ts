/*
 * The arguments that a program on Windows gets from a line of PowerShell, by the published rules of
 * PowerShell's parser, of Windows PowerShell 5.1's command lines, of cmd.exe and of CommandLineToArgvW.
 */

type Variables = ReadonlyMap<string, string>;

/** The words by each way that the program may be started; throws where a rule stops the line. */
export function startedOnWindows(line: string, variables: Variables): string[][] {
  const [, checks = "", command = ""] =
    /^((?:if \(.*?\) \{ throw '[^']*' \}; )*)(.*)$/s.exec(line) ?? [];
  for (const [, name = "", pattern = ""] of checks.matchAll(
    /if \(\$env:(\w+) -notmatch '([^']*)'\) \{/g,
  )) {
    if (!new RegExp(pattern).test(variables.get(name) ?? "")) throw new Error(`${name} is not set`);
  }
  const words = powershellWords(command, variables);
  const commandLine = joinedBy51(words);
  return [words, argumentsOf(commandLine), argumentsOf(throughCmd(commandLine))];
}

/** Quotes as PowerShell knows them, curly ones too. */
const SINGLE = /['\u2018-\u201b]/;
const DOUBLE = /["\u201c-\u201e]/;

/** The words of a command in PowerShell's argument mode. */
function powershellWords(command: string, variables: Variables): string[] {
  const words: string[] = [];
  let at = 0;
  const next = () => command[at++] ?? "";
  while (at < command.length) {
    const first = next();
    let word = "";
    if (SINGLE.test(first)) {
      for (let one = next(); ; one = next()) {
        if (one === "") throw new Error("a quote is open");
        if (SINGLE.test(one) && !SINGLE.test(command[at] ?? "")) break;
        word += SINGLE.test(one) ? next() : one;
      }
    } else if (DOUBLE.test(first)) {
      for (let one = next(); !DOUBLE.test(one); one = next()) {
        if (one === "") throw new Error("a quote is open");
        if (one === "`") word += next();
        else if (one !== "$") word += one;
        else {
          const [match, name = ""] = /^\{env:(\w+)\}/.exec(command.slice(at)) ?? [];
          if (match === undefined) throw new Error("an expression");
          at += match.length;
          word += variables.get(name) ?? "";
        }
      }
    } else {
      at -= 1;
      const [bare = ""] = /^\S+/.exec(command.slice(at)) ?? [];
      // Any other bare word may be a number, a parameter, a list or an operator.
      if (!/^[A-Za-z][\w-]*$/.test(bare)) throw new Error(`a bare ${bare}`);
      at += bare.length;
      word = bare;
    }
    words.push(word);
    if (at < command.length && next() !== " ") throw new Error("a word goes on behind its quote");
  }
  return words;
}

/** Windows PowerShell drops empty words, quotes those with white space, and escapes nothing. */
const joinedBy51 = (words: readonly string[]): string =>
  words
    .filter((word) => word !== "")
    .map((word) => (/\s/.test(word) ? `"${word}"` : word))
    .join(" ");

/** cmd.exe passes on what it does not interpret: nothing between quotes but variables. */
function throughCmd(commandLine: string): string {
  const outside = commandLine.replace(/"[^"]*"/g, "");
  if (/[&|<>^()]/.test(outside) || commandLine.includes("%")) throw new Error("cmd.exe interprets");
  return commandLine;
}

/** CommandLineToArgvW: a quote after n backslashes is n/2 of them and, if n is odd, the quote itself. */
function argumentsOf(commandLine: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [match, slashes, quote] of commandLine.matchAll(/(\\*)(")|\\+|[ \t]|[^\\" \t]+/g)) {
    if (/^[ \t]$/.test(match) && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (quote === undefined) word += match;
    else {
      word += "\\".repeat(Math.floor((slashes?.length ?? 0) / 2));
      if ((slashes?.length ?? 0) % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
    }
  }
  return word === undefined ? words : [...words, word];
}
