import type { McpConfigInput } from "../../schemas/mcp-config.ts";
import { parseContainerRun } from "./container.ts";
import { reject, type ShellProblem } from "./read-findings.ts";
import { findDistinctiveName } from "./server-name.ts";

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

function splitShellWords(text: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  // The end of the word so far decides if a backslash stays; the whole word may be long.
  let end = "";
  let isPath = false;
  for (const { groups = {}, 0: match } of joinedLines(text).matchAll(SHELL_PART)) {
    const { space, single, double, escaped, plain, operator } = groups;
    const run = /(?<!\\)(?:\\\\)*(\$\(|`)/.exec(double ?? "")?.[1];
    if (operator !== undefined)
      return { words, problem: { text: operator, where: "outside quotes" } };
    if (run !== undefined) return { words, problem: { text: run, where: "in double quotes" } };
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      end = "";
      isPath = false;
    } else if (match.startsWith("#") && word === undefined) continue;
    else if ((single ?? escaped ?? double ?? plain) === undefined) {
      return { words, problem: { text: match, where: "open" } };
    } else {
      const isKept: boolean = /[\w.%@-]/.test(escaped ?? "") && (isPath || WINDOWS_PATH.test(end));
      const part = isKept ? match : (single ?? escaped ?? toReferences(double ?? plain ?? ""));
      word = (word ?? "") + part;
      end = `${end}${part}`.slice(-MAX_END);
      isPath ||= isKept;
    }
  }
  return { words: word === undefined ? words : [...words, word] };
}

/** The beginning of a path of Windows: nobody writes `C:\U` for a POSIX shell, which drops the backslash. */
const WINDOWS_PATH = /(?:^|=)(?:[A-Za-z]:|\.{1,2}|%\w+%|\$\{\w+\})(?:\\|$)/;

/** Longer than the folder or the variable with which a path begins. */
const MAX_END = 300;

const SHELL_PART =
  /(?<space>\s+)|(?<!\S|\\\s)#[^\n]*|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|(?<plain><[A-Za-z](?:[\w .-]*[\w.-])?>|(?:[^\s'"\\|&;<>()`$]|\$(?!\())+)|(?<operator>[|&;<>()`]+|\$\()|[\s\S]/g;

/** A line that ends in a backslash, in PowerShell a backtick, in cmd a caret, goes on in the next line. */
const joinedLines = (text: string): string => text.trim().replace(/(?:\\|(?<=\s)[`^])\r?\n/g, "");

/**
 * The lines that add a server, without comments, prompts and sudo. Lines that install or show something,
 * such as `npm i -g y`, are left out; a text with any other line is returned as one line.
 */
export function extractAddCommands(text: string): readonly string[] {
  const whole = joinedLines(text.replace(/^[ \t]*#.*$/gm, ""));
  const lines = commandLines(whole);
  const adding = lines.filter((line) => ADDS.test(line));
  const isRead =
    adding.length > 0 && lines.every((line) => ADDS.test(line) || NEIGHBOUR.test(line));
  return isRead ? adding.map((line) => line.replace(/^sudo\s+/, "")) : [whole.replace(PROMPT, "")];
}

/** The lines of a text without prompts. A line break in quotes does not end a line. */
function commandLines(text: string): readonly string[] {
  const lines = [""];
  for (const { 0: part, groups } of text.matchAll(SHELL_PART)) {
    if (groups?.space?.includes("\n")) lines.push("");
    else lines.push(`${lines.pop()}${part}`);
  }
  return lines.map((line) => line.replace(PROMPT, "").trim()).filter((line) => line !== "");
}

/** The prompts of a POSIX shell, PowerShell and cmd. */
const PROMPT = /^\s*(?:[$%]|PS(?: [^>\n]*)?>|[A-Za-z]:\\[^>\n]*>(?=\s*\S))\s*/;

const ADDS = /^(?:sudo\s+)?\S+\s+(?:mcp\s+add(?:-json)?|--add-mcp)\s/;

/** A line that may be next to those that add a server: it sets nothing that a server needs, as a folder or a variable. */
const NEIGHBOUR =
  /^(?:sudo\s+)?(?:(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|brew|apt|apt-get|winget)\s+(?:i|install|add|global\s+add|tool\s+install)|git\s+clone|docker\s+pull|\S+\s+mcp\s+(?:list|get|login|remove))(?:\s[^&|;]*)?$|^(?:\S+\s+--version|claude|codex|gemini|qwen|opencode|copilot)$/;

/** Writes variables outside single quotes, `$NAME` or PowerShell's `$env:NAME`, as `${NAME}`; `\\$` is `$`. */
const toReferences = (text: string): string =>
  text.replace(/\\(["\\$`])|\$(?:env:)?([A-Za-z_]\w*)/g, (_, escaped?: string, name?: string) =>
    name === undefined ? String(escaped) : `\${${name}}`,
  );

/** True for `npx -y server`, but not for `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);

export interface CommandLineServer {
  readonly input: McpConfigInput;
  /** `sse` for a line that adds an SSE server. */
  readonly transport?: "sse";
  /** Options of the client's own that an input cannot hold, with their values. */
  readonly left_out?: Readonly<Record<string, string>>;
  /** False for a name that is derived from the program. */
  readonly isNamed: boolean;
}

/**
 * The server of a command line, or of an `mcp add` command; undefined for any other text.
 *
 * @param isCommand accepts a program of any name; without it a text may be prose.
 * @throws {InvalidInputError} where a shell would do more than start one program.
 *
 * @example
 * parseServerCommand("npx -y @me/server-files /home");
 * // { input: { name: "files", command: "npx", args: ["-y", "@me/server-files", "/home"] }, isNamed: false }
 */
export function parseServerCommand(text: string, isCommand = false): CommandLineServer | undefined {
  // A text in brackets is a config, which may be long.
  if (/^\s*[{[]/.test(text)) return undefined;
  const [line = "", ...others] = extractAddCommands(text);
  if (others.length > 0 || /[\r\n]/.test(line)) return undefined;
  const { words, problem } = splitShellWords(line);
  const rest = [...words];
  const env = takeAssignments(rest);
  const [command = "", ...args] = rest;
  const isAddCommand = args[0] === "mcp" && args[1] === "add";
  const isStarter = STARTERS.test(command) && args.length > 0;
  if (!isAddCommand && !isStarter && !(isCommand && looksLikeCommandLine(line))) return undefined;
  if (extractJsonConfig(line) !== undefined) return undefined;
  if (problem !== undefined) reject("shell-syntax", problem);
  if (isAddCommand) {
    const words = args.slice(2);
    return fromAddCommand(command, command === "opencode" ? words.map(fromOpencode) : words, env);
  }
  if (args.length === 0) return undefined;
  const name = deriveServerName({ command, args }) ?? "server";
  return { input: localInput(name, rest, env), isNamed: false };
}

/** The part of an input by which a server is reached or started. */
export type ServerTarget = Pick<McpConfigInput, "url" | "command" | "args">;

/**
 * The server that one word stands for: a URL, `@scope/name` or `npm:name` of npm, `uvx:name` of PyPI;
 * undefined for any other word.
 *
 * @example
 * parsePackageWord("@acme/notes-mcp"); // { command: "npx", args: ["-y", "@acme/notes-mcp"] }
 */
export function parsePackageWord(word: string): ServerTarget | undefined {
  if (/^https?:\/\/\S+$/.test(word)) return { url: word };
  const { scoped, npm = scoped, pypi } = PACKAGE.exec(word)?.groups ?? {};
  if (npm !== undefined) return { command: "npx", args: ["-y", npm] };
  return pypi === undefined ? undefined : { command: "uvx", args: [pypi] };
}

/** A package, and its version. */
const PACKAGE =
  /^(?:(?<scoped>@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?)|npm:(?<npm>(?:@[\w.-]+\/)?\w[\w.-]*(?:@[\w.^~-]+)?)|uvx:(?<pypi>\w[\w.-]*(?:\[[\w,-]+\])?(?:(?:@|==)[\w.-]+)?))$/;

/** A name from a server's package, image, program or URL; undefined if none of them is distinctive. */
export function deriveServerName({
  url,
  command = "",
  args = [],
}: ServerTarget): string | undefined {
  if (url !== undefined) return findDistinctiveName(url);
  const isStarter = STARTERS.test(command) && args.length > 0;
  return isStarter ? nameFromArguments(command, args) : findDistinctiveName(command);
}

/** Programs that start MCP servers. Any other first word may be prose. */
const STARTERS =
  /^(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|claude|codex)$/;

/** The config in `code --add-mcp JSON` and `claude mcp add-json NAME JSON`; undefined for any other text. */
export function extractJsonConfig(text: string): string | undefined {
  if (!/\s(?:--add-mcp|add-json)\s/.test(text)) return undefined;
  const [line = "", ...more] = extractAddCommands(text);
  if (more.length > 0) return undefined;
  const [, kind] = /^\S+\s+(--add-mcp|mcp\s+add-json)\s/.exec(line) ?? [];
  const words = (kind && splitCommandLine(line)?.args) || [];
  const [json, ...others] = words.filter((word) => word.startsWith("{"));
  if (json === undefined || others.length > 0) return undefined;
  if (kind === "--add-mcp") return json;
  const isOption = (word = "") => /^(?:-s|--scope)$/.test(word);
  const [, , name = ""] = words.filter(
    (word, index) => !word.startsWith("-") && !isOption(words[index - 1]),
  );
  return `{${JSON.stringify(name)}: ${json}}`;
}

/** `claude mcp add [options] NAME [--] COMMAND…`, or with a URL. */
function fromAddCommand(
  client: string,
  words: readonly string[],
  env: Pairs,
): CommandLineServer | undefined {
  const rest = [...words];
  const headers: Pairs = [];
  const positional: string[] = [];
  const left_out: Record<string, string> = {};
  let isSse = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, option, inline] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    // opencode's option chooses its file.
    if (option === "--global") continue;
    if (option === "--trust") left_out[option] = inline ?? "true";
    else if (option !== undefined) {
      const value = inline ?? rest.shift() ?? "";
      const more = inline === undefined ? rest : [];
      if (/^(?:-e|--env)$/.test(option)) env.push(...takePairs(option, value, more, ENV));
      else if (/^(?:-H|--header)$/.test(option)) {
        headers.push(...takePairs(option, value, more, HEADER));
      } else if (option === "--url") positional.push(value);
      else if (option === "--bearer-token-env-var") {
        headers.push(["Authorization", `Bearer \${${value}}`]);
      } else if (/^(?:-t|--transport)$/.test(option)) isSse = /^sse$/i.test(value);
      else if (OWN_OPTION.test(option)) left_out[option] = value;
      else if (!/^(?:-s|--scope)$/.test(option)) {
        reject("option-unknown", { option });
      }
      if (value === "") reject("option-without", { option, wanted: "a value" });
    } else if (word !== "--") positional.push(word);
    // The words after the program belong to it.
    if (word === "--") positional.push(...rest.splice(0));
    else if (positional.length === 2 && !positional.some(isUrl)) {
      const words = rest.splice(0);
      if (words[0] === "--") positional.push(...words.slice(1));
      else if (client === "codex") positional.push(...words);
      else positional.push(...takeProgramWords(positional[1], words, env));
    }
  }
  // Codex accepts the name after the URL too.
  const url = positional.slice(0, 2).find(isUrl);
  const [name, ...command] = positional.filter((word) => word !== url);
  if (name === undefined) return undefined;
  if (url !== undefined) {
    if (command.length > 0) reject("words-beside-url");
    const input = {
      name,
      url,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    };
    return { input, isNamed: true, left_out, ...(isSse && { transport: "sse" }) };
  }
  return command.length > 0
    ? { input: localInput(name, command, env), isNamed: true, left_out }
    : undefined;
}

/** Options with a value that no input has: Claude Code's OAuth, and settings of Gemini CLI, Qwen Code and Copilot CLI. */
const OWN_OPTION =
  /^--(?:client-id|callback-port|timeout|tools|description|(?:include|exclude)-tools)$/;

const fromOpencode = (word: string): string => word.replace(/\{env:([A-Za-z_]\w*)\}/g, "${$1}");

const isUrl = (word: string): boolean => /^https?:\/\//.test(word);

const localInput = (
  name: string,
  [command = "", ...args]: readonly string[],
  env: Pairs,
): McpConfigInput => ({
  name,
  command,
  ...(args.length > 0 && { args }),
  ...(env.length > 0 && { env: Object.fromEntries(env) }),
});

/** The name of the package, image or program in the arguments, or of a URL after it. */
function nameFromArguments(program: string, args: readonly string[]): string | undefined {
  const { image = 0 } = parseContainerRun({ command: program, args }) ?? {};
  const [target = "", ...others] = args.slice(image).filter((word) => !/^(?:-.*|run)$/s.test(word));
  // A bridge such as mcp-remote says nothing of the server that it leads to.
  return findDistinctiveName(target) ?? findDistinctiveName(others.find(isUrl) ?? "");
}

function takeAssignments(words: string[]): Pairs {
  const pairs: Pairs = [];
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) pairs.push(...parsePair(words.shift() ?? "", "="));
  return pairs;
}

/**
 * The words after the program. Clients but Codex take their own options there too, up to `--`, and drop
 * that word. When the program starts a container, the options are docker's.
 */
function takeProgramWords(program = "", words: readonly string[], env: Pairs): readonly string[] {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const isContainer = /^(?:docker|podman)$/.test(program);
  const kept: string[] = [];
  for (let index = 0; index < before.length; index += 1) {
    const [option = "", value = ""] = before.slice(index, index + 2);
    const isEnv = /^(?:-e|--env)$/.test(option) && ENV.next.test(value);
    const isScope = /^(?:-s|--scope)$/.test(option) && /^(?:user|project|local)$/.test(value);
    if (isContainer || !(isEnv || isScope)) kept.push(option);
    else {
      if (isEnv) env.push(...parsePair(value, "="));
      index += 1;
    }
  }
  return end < 0 ? kept : [...kept, ...words.slice(end + 1)];
}

/**
 * The pairs of an option. Claude Code reads all words up to the next option as more pairs, but in the
 * order of its documentation the server's name, which is not a pair, follows.
 *
 * @param rest the words after the first pair; the function removes the pairs.
 */
function takePairs(
  option: string,
  first: string,
  rest: string[],
  { next, separator, wanted }: PairSyntax,
): Pairs {
  const end = rest.findIndex((word) => !next.test(word));
  const pairs = [first, ...rest.splice(0, end < 0 ? rest.length : end)];
  if (pairs.some((pair) => pair.search(separator) <= 0)) {
    reject("option-without", { option, wanted });
  }
  return pairs.flatMap((pair) => parsePair(pair, separator));
}

interface PairSyntax {
  readonly next: RegExp;
  readonly separator: RegExp;
  readonly wanted: string;
}

const ENV: PairSyntax = { next: /^[A-Za-z_]\w*=/, separator: /=/, wanted: "NAME=value" };
const HEADER: PairSyntax = { next: /^[\w-]+:(?!\/\/)/, separator: /[:=]/, wanted: "Name: value" };

function parsePair(text: string, separator: string | RegExp): Pairs {
  const at = text.search(separator);
  return at < 0 ? [] : [[text.slice(0, at).trim(), text.slice(at + 1).trim()]];
}

/** Names and values; a later value of a name wins. */
type Pairs = [string, string][];
