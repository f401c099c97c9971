import type { McpConfigInput } from "../../schemas/mcp-config.ts";
import { tellingName } from "./server-name.ts";

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Splits a pasted command line as a POSIX shell does. What the shell would replace, `$NAME`, becomes a
 * reference, `${NAME}`.
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
      word = (word ?? "") + (single ?? escaped ?? withReferences(double ?? plain ?? ""));
    }
  }
  if (word !== undefined) words.push(word);
  const [command, ...args] = words;
  return command === undefined || args.length === 0 ? undefined : { command, args };
}

/** A text that is not in single quotes: `$NAME`, in PowerShell `$env:NAME`, is `${NAME}`, and `\\$` is `$`. */
const withReferences = (text: string): string =>
  text.replace(/\\(["\\$`])|\$(?:env:)?([A-Za-z_]\w*)/g, (_, escaped?: string, name?: string) =>
    name === undefined ? String(escaped) : `\${${name}}`,
  );

/** `npx -y server`, but not `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);

export interface CommandLineServer {
  readonly input: McpConfigInput;
  /** Set for a line that adds an SSE server. */
  readonly transport?: "sse";
  /** False when the name is made of the program's. */
  readonly isNamed: boolean;
}

/**
 * The server of a command line, or of an `mcp add` command; undefined for any other text.
 *
 * @param isCommand accepts a program of any name; without it a text may be prose.
 *
 * @example
 * serverOfCommandLine("npx -y @me/server-files /home");
 * // { input: { name: "files", command: "npx", args: ["-y", "@me/server-files", "/home"] }, isNamed: false }
 */
export function serverOfCommandLine(
  text: string,
  isCommand = false,
): CommandLineServer | undefined {
  const line = text
    .trim()
    .replace(/^\$\s+/, "")
    .replace(/\\\r?\n\s*/g, " ");
  // In braces it is a config of one line.
  const words = /[\r\n]|^\{/.test(line) ? undefined : splitCommandLine(line);
  if (!words) return undefined;
  const rest = [words.command, ...words.args];
  const env = Object.fromEntries(takeAssignments(rest));
  const [command = "", ...args] = rest;
  if (args[0] === "mcp" && args[1] === "add") {
    const words = args.slice(2);
    return fromAddCommand(command === "opencode" ? words.map(fromOpencode) : words, env);
  }
  const isStarter = STARTERS.test(command) && args.length > 0;
  if (!isStarter && !(isCommand && looksLikeCommandLine(line))) return undefined;
  if (configOfLine(line) !== undefined) return undefined;
  const name = isStarter ? nameOf(command, args) : tellingName(command);
  return { input: localInput(name ?? "server", rest, env), isNamed: false };
}

/** Programs that start MCP servers. Any other first word may be prose. */
const STARTERS =
  /^(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|claude|codex)$/;

/** The config in `code --add-mcp JSON` and `claude mcp add-json NAME JSON`; undefined for any other text. */
export function configOfLine(text: string): string | undefined {
  const [, kind] = /^(?:\$\s+)?\S+\s+(--add-mcp|mcp\s+add-json)\s/.exec(text) ?? [];
  const [name, json] = (kind && splitCommandLine(text)?.args.slice(-2)) || [];
  if (json === undefined) return undefined;
  return kind === "--add-mcp" ? json : `{${JSON.stringify(name)}: ${json}}`;
}

/** `claude mcp add [options] NAME [--] COMMAND…`, or with a URL. */
function fromAddCommand(
  words: readonly string[],
  env: Record<string, string>,
): CommandLineServer | undefined {
  const rest = [...words];
  const headers: Record<string, string> = {};
  const positional: string[] = [];
  let isSse = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, option, inline] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (option !== undefined) {
      const value = inline ?? rest.shift() ?? "";
      if (/^(?:-e|--env)$/.test(option)) Object.assign(env, pairOf(value, "="));
      else if (/^(?:-H|--header)$/.test(option)) Object.assign(headers, pairOf(value, /[:=]/));
      else if (option === "--url") positional.push(value);
      else if (option === "--bearer-token-env-var") headers.Authorization = `Bearer \${${value}}`;
      else if (/^(?:-t|--transport)$/.test(option)) isSse = value === "sse";
      else if (!/^(?:-s|--scope)$/.test(option)) return undefined;
    } else if (word !== "--") positional.push(word);
    // The words behind the program belong to it.
    if (word === "--") positional.push(...rest.splice(0));
    else if (positional.length === 2 && !positional.some(isUrl)) {
      if (rest[0] === "--") rest.shift();
      positional.push(...rest.splice(0));
    }
  }
  // Codex accepts the name after the URL too.
  const url = positional.slice(0, 2).find(isUrl);
  const [name, ...command] = positional.filter((word) => word !== url);
  if (name === undefined) return undefined;
  if (url !== undefined) {
    const input = { name, url, ...(Object.keys(headers).length > 0 && { headers }) };
    return { input, isNamed: true, ...(isSse && { transport: "sse" }) };
  }
  return command.length > 0 ? { input: localInput(name, command, env), isNamed: true } : undefined;
}

const fromOpencode = (word: string): string => word.replace(/\{env:([A-Za-z_]\w*)\}/g, "${$1}");

const isUrl = (word: string): boolean => /^https?:\/\//.test(word);

const localInput = (
  name: string,
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
): McpConfigInput => ({
  name,
  command,
  ...(args.length > 0 && { args }),
  ...(Object.keys(env).length > 0 && { env }),
});

/** The name of the package, image or program in the arguments, or of a URL behind it. */
function nameOf(program: string, args: readonly string[]): string | undefined {
  const isValue = (index: number) =>
    /^(?:docker|podman)$/.test(program) && CONTAINER_OPTION.test(args[index - 1] ?? "");
  const [target = "", ...others] = args.filter(
    (word, index) => !word.startsWith("-") && word !== "run" && !isValue(index),
  );
  // A bridge such as mcp-remote says nothing of the server that it leads to.
  return tellingName(target) ?? tellingName(others.find(isUrl) ?? "");
}

/** Options of docker whose value is the next word. */
const CONTAINER_OPTION = /^(?:-[ev]|--(?:env|env-file|volume|mount|name|network|entrypoint))$/;

function takeAssignments(words: string[]): [string, string][] {
  const pairs: [string, string][] = [];
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
    pairs.push(...Object.entries(pairOf(words.shift() ?? "", "=")));
  }
  return pairs;
}

function pairOf(text: string, separator: string | RegExp): Record<string, string> {
  const at = text.search(separator);
  return at < 0 ? {} : { [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}
