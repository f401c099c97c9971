import type { McpConfigInput } from "../../schemas/mcp-config.ts";
import type { ClientDefinition } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { reject } from "./config-findings.ts";
import { unionPattern } from "./json-values.ts";
import type { StringMap } from "./mcp-server.ts";
import { deriveServerName, isUrl, parsePackageWord, STARTING_PROGRAMS } from "./server-name.ts";
import {
  looksLikeCommandLine,
  splitCommandLine,
  splitCommandLines,
  splitShellWords,
} from "./shell-words.ts";
import { toCanonicalEnv } from "./variable-references.ts";

/**
 * Separates shell commands that add a server from other lines. Removes comments, prompts and sudo.
 *
 * @example
 * splitAddCommands("cd notes\nclaude mcp add a -- npx y"); // { adding: ["claude mcp add …"], others: ["cd notes"] }
 */
export function splitAddCommands(text: string): {
  readonly adding: readonly string[];
  readonly others: readonly string[];
} {
  const lines = splitCommandLines(text);
  return {
    adding: lines
      .filter((line) => ADD_COMMAND.test(line))
      .map((line) => line.replace(CLIENT_LAUNCHER, "")),
    others: lines.filter((line) => !ADD_COMMAND.test(line)),
  };
}

/** What starts a client: `sudo`, `npx -y` before its package, and `gh` before `copilot`. */
const CLIENT_LAUNCHER =
  /^(?:sudo\s+)?(?:(?:npx|bunx|uvx|gh|(?:pnpm|yarn)\s+dlx)\s+(?:--?y(?:es)?\s+)?(?=\S+\s+mcp\s+add))?/;

const ADD_COMMAND = unionPattern(
  "",
  new RegExp(`${CLIENT_LAUNCHER.source}\\S+\\s+(?:mcp\\s+add(?:-json)?|--add-mcp)\\s`),
  /^(?:npx|bunx|(?:pnpm|yarn)\s+dlx)\s+(?:(?:-y|--yes)\s+)?(?:add|install)-mcp(?:@\S+)?\s/,
);

export interface CommandLineServer {
  readonly input: McpConfigInput;
  /** Set to `sse` if the command adds an SSE server. */
  readonly transport?: "sse";
  /** Client-specific options that an input cannot hold, with their values. */
  readonly left_out?: Readonly<Record<string, string>>;
  /** False if the name is derived from the program. */
  readonly isNamed: boolean;
}

/**
 * Parses a command line or an `mcp add` command. Returns undefined for any other string.
 *
 * @param isCommand accepts any program name; otherwise the string may be prose.
 * @throws {InvalidInputError} if a shell would do more than start one program.
 *
 * @example
 * parseServerCommand("npx -y @me/server-files /home");
 * // { input: { name: "files", command: "npx", args: ["-y", "@me/server-files", "/home"] }, isNamed: false }
 */
export function parseServerCommand(text: string, isCommand = false): CommandLineServer | undefined {
  // JSON is a config, and it may be long.
  if (/^\s*[{[]/.test(text)) return undefined;
  const [first = "", ...others] = splitCommandLines(text);
  const line = first.replace(CLIENT_LAUNCHER, "");
  if (others.length > 0 || extractJsonConfig(line) !== undefined) return undefined;
  const { words, problem } = splitShellWords(line);
  const rest = [...words];
  const env: Pairs = [];
  while (PAIRS.env.next.test(rest[0] ?? ""))
    env.push(...takePairs("", rest.shift() ?? "", [], PAIRS.env));
  const [command = "", ...args] = rest;
  const isAddCommand = args[0] === "mcp" && args[1] === "add";
  const installer = args.findIndex((word) => /^(?:add|install)-mcp(?:@.*)?$/.test(word));
  const isStarter = STARTING_PROGRAMS.test(command) && args.length > 0;
  if (!isAddCommand && !isStarter && !(isCommand && looksLikeCommandLine(line))) return undefined;
  if (problem !== undefined) reject("shell-syntax", problem);
  if (ADD_COMMAND.test(line) && installer >= 0)
    return parseInstaller(args.slice(installer + 1), env);
  if (isAddCommand) {
    if (/\bsmithery\b/.test(command) && !args.some(isUrl)) reject("smithery");
    const read = (unknown: Unread) => parseAddCommand(command, args.slice(2), env, unknown);
    return read("flag") ?? read("setting");
  }
  if (args.length === 0) return undefined;
  const name = deriveServerName({ command, args }) ?? "server";
  return { input: localInput(name, rest, Object.fromEntries(env)), isNamed: false };
}

/** Returns the JSON of `code --add-mcp JSON` and `claude mcp add-json NAME JSON`. */
export function extractJsonConfig(line: string): string | undefined {
  const [, kind] = /^\S+\s+(--add-mcp|mcp\s+add-json)\s/.exec(line) ?? [];
  const words = (kind && splitCommandLine(line)?.args) || [];
  const [word, ...others] = words.filter((word) => word.startsWith("{"));
  if (word === undefined || others.length > 0) return undefined;
  // PowerShell passes on a quote only after a backslash.
  const json = word.startsWith('{\\"') ? word.replaceAll('\\"', '"') : word;
  if (kind === "--add-mcp") return json;
  const isOption = (word = "") => /^(?:-s|--scope)$/.test(word);
  const [, , name = ""] = words.filter(
    (word, index) => !word.startsWith("-") && !isOption(words[index - 1]),
  );
  return `{${JSON.stringify(name)}: ${json}}`;
}

/** The options of `mcp add` in all clients. An input cannot hold `setting` and `flag`. */
const OPTIONS: Readonly<Record<string, OptionKind>> = {
  ...{ "-e": "env", "--env": "env", "-H": "header", "--header": "header" },
  ...{ "--url": "url", "--name": "word", "--command": "word", "--args": "word" },
  ...{ "-t": "transport", "--transport": "transport", "--type": "transport" },
  ...{ "-s": "place", "--scope": "place", "--bearer-token-env-var": "token", "--trust": "flag" },
  ...{ "--client-id": "setting", "--callback-port": "setting", "--timeout": "setting" },
  ...{ "--tools": "setting", "--include-tools": "setting", "--exclude-tools": "setting" },
  "--description": "setting",
};

type OptionKind = keyof typeof PAIRS | "token" | "word" | "transport" | "url" | "place" | Unread;

/** A client-specific option, with and without a value. */
type Unread = "setting" | "flag";

/** An option, and its value after `=`. */
const OPTION = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s;

/** Whether a server with this transport has a URL. */
const isRemote = (transport: string): boolean =>
  /^(?:(?:streamable[-_]?)?http|sse)$/i.test(transport);

const CONTAINER_PROGRAM = /^(?:docker|podman)$/;

/** An option's variable, header or other value. */
type Given = readonly [kind: OptionKind, name: string, value: string];

/**
 * Parses `claude mcp add [options] NAME [--] COMMAND…`, or with a URL. Except in Codex, client
 * options may follow the program, until `--`, which is dropped. If the program starts a container,
 * options after it are docker's.
 *
 * @param unknown how to treat unknown options.
 * @returns undefined if this treatment does not fit the words.
 */
function parseAddCommand(
  command: string,
  words: readonly string[],
  env: Pairs,
  unknown: Unread,
): CommandLineServer | undefined {
  const { programTakesRest, optionsAnywhere } = findClient(command)?.addCommand ?? {};
  const takesRest = (program: string) =>
    programTakesRest || (CONTAINER_PROGRAM.test(program) && !optionsAnywhere);
  const rest = words.map(toCanonicalEnv);
  const positional: string[] = [];
  const given: Given[] = env.map(([name, value]) => ["env", name, value]);
  const hasCommand = words.includes("--command");
  let hasUnknown = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const isHttp = isRemote(lastOf(given, "transport") ?? "");
    const hasCommandOrUrl = hasCommand || isHttp || positional.some(isUrl);
    const program = hasCommandOrUrl ? undefined : positional[1];
    const [, option = "", inline] = OPTION.exec(word) ?? [];
    const next = inline ?? rest[0] ?? "-";
    if (program !== undefined && takesRest(program)) {
      positional.push(word, ...rest.splice(0));
    } else if (word === "--") {
      // `--unheard v NAME -- COMMAND`: only clients that need no `--` have a program before it.
      if (program !== undefined && hasUnknown && unknown === "flag") return undefined;
      positional.push(...rest.splice(0));
    } else if (
      option === "" ||
      (program !== undefined && !isClientOption(option, next, positional, optionsAnywhere))
    ) {
      positional.push(word);
    } else if (option !== "--global") {
      hasUnknown ||= !OPTIONS[option];
      const isLast = inline === undefined && next.startsWith("-");
      const kind = OPTIONS[option] ?? (isLast ? "flag" : unknown);
      const value = inline ?? (kind === "flag" ? "true" : (rest.shift() ?? ""));
      if (kind === "env" || kind === "header") {
        const pairs = takePairs(option, value, inline === undefined ? rest : [], PAIRS[kind]);
        given.push(...pairs.map(([name, text]): Given => [kind, name, text]));
      } else if (value === "") reject("option-without", { option, wanted: "a value" });
      else if (kind === "word") positional.push(value);
      else if (kind === "token") given.push(["header", "Authorization", `Bearer \${${value}}`]);
      else given.push([kind, option, value]);
    }
  }
  return toServer(positional, given, unknown);
}

const lastOf = (given: readonly Given[], wanted: OptionKind): string | undefined =>
  given.findLast(([kind]) => kind === wanted)?.[2];

/** For a repeated name, the last value wins. */
const valuesOf = (given: readonly Given[], ...kinds: readonly OptionKind[]) =>
  Object.fromEntries(
    given.flatMap(([kind, name, value]) => (kinds.includes(kind) ? [[name, value]] : [])),
  );

/** Finds the client whose program this is: `gemini`, `/bin/gemini` or `@google/gemini-cli`. */
function findClient(command: string): ClientDefinition | undefined {
  const words = /[^/\\]*$/.exec(command)?.[0].split(/[^a-z]+/) ?? [];
  const clients = Object.values(clientDefinitions);
  return words.map((word) => clients.find(({ program }) => program === word)).find(Boolean);
}

function toServer(
  positional: readonly string[],
  given: readonly Given[],
  unknown: Unread,
): CommandLineServer | undefined {
  const transport = lastOf(given, "transport") ?? "";
  // Codex also accepts the name after the URL.
  const url =
    lastOf(given, "url") ??
    positional.slice(0, 2).find(isUrl) ??
    (isRemote(transport) ? positional[1] : undefined);
  const [name, ...command] = positional.filter((word) => word !== url);
  if (name === undefined) return undefined;
  const left_out = valuesOf(given, "setting", "flag");
  if (url === undefined) {
    // droid accepts the whole command line as one word.
    const [line = ""] = command;
    const split = command.length === 1 && looksLikeCommandLine(line) && splitCommandLine(line);
    const program = split ? [split.command, ...split.args] : command;
    return program.length > 0
      ? { input: localInput(name, program, valuesOf(given, "env")), isNamed: true, left_out }
      : undefined;
  }
  if (command.length > 0) return unknown === "flag" ? undefined : reject("words-beside-url");
  const headers = valuesOf(given, "header");
  const input = { name, url, ...(Object.keys(headers).length > 0 && { headers }) };
  return { input, isNamed: true, left_out, ...(/^sse$/i.test(transport) && { transport: "sse" }) };
}

/** Parses `npx add-mcp TARGET` or `install-mcp`. The target is a URL, package or command line. */
function parseInstaller(words: readonly string[], env: Pairs): CommandLineServer | undefined {
  const rest = [...words];
  const options: string[] = [];
  const more: string[] = [];
  let target: string | undefined;
  let given: string | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, option = "", inline] = OPTION.exec(word) ?? [];
    if (option === "") target ??= word;
    else if (!/^(?:-g|-y|--(?:global|yes|all|local|gitignore|auto-approve))$/.test(option)) {
      const value = inline ?? rest.shift() ?? "";
      if (option === "-n" || option === "--name") given = value;
      else if (option === "--args") more.push(value);
      // These choose clients and the login method.
      else if (/^(?:-a|--agent|--client|--oauth|--project)$/.test(option)) continue;
      else options.push(option === "-h" ? "--header" : option, value);
    }
  }
  if (target === undefined) return undefined;
  const npm = { command: "npx", args: ["-y", target] };
  const {
    url,
    command = "",
    args = [],
  } = parsePackageWord(target) ?? { url: undefined, ...(splitCommandLine(target) ?? npm) };
  const name = given ?? deriveServerName({ url, command, args: [...args] }) ?? "server";
  const server =
    url !== undefined || options.some(isRemote)
      ? [url ?? target]
      : ["--", command, ...args, ...more];
  return parseAddCommand("add-mcp", [...options, name, ...server], env, "setting");
}

/** Whether an option after the program certainly belongs to the client. */
function isClientOption(
  option: string,
  value: string,
  [, program = "", ...args]: readonly string[],
  optionsAnywhere: readonly string[] | undefined,
): boolean {
  const kind = OPTIONS[option];
  if (kind === "place") return /^(?:user|project|local)$/.test(value);
  if (CONTAINER_PROGRAM.test(program)) return kind === "setting" || kind === "flag";
  if (kind === "env") return PAIRS.env.next.test(value);
  if (optionsAnywhere) return optionsAnywhere.includes(option);
  // `claude mcp add NAME <your-url> --transport http`
  return kind === "transport" && args.length === 0 && isRemote(value);
}

const localInput = (
  name: string,
  [command = "", ...args]: readonly string[],
  env: StringMap,
): McpConfigInput => ({
  name,
  command,
  ...(args.length > 0 && { args }),
  ...(Object.keys(env).length > 0 && { env }),
});

/**
 * Takes the pairs of an option. Claude Code reads all words up to the next option as pairs, but in
 * its documented order the server's name, which is not a pair, follows.
 *
 * @param rest the words after the first pair. The function removes the pairs from it.
 */
function takePairs(
  option: string,
  first: string,
  rest: string[],
  { next, separator, wanted }: (typeof PAIRS)["env"],
): Pairs {
  const end = rest.findIndex((word) => !next.test(word));
  const pairs = [first, ...rest.splice(0, end < 0 ? rest.length : end)];
  return pairs.map((pair) => {
    const at = pair.search(separator);
    if (at <= 0) reject("option-without", { option, wanted });
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

const PAIRS = {
  env: { next: /^[A-Za-z_]\w*=/, separator: /=/, wanted: "NAME=value" },
  header: { next: /^[\w-]+:(?!\/\/)/, separator: /[:=]/, wanted: "Name: value" },
};

type Pairs = [string, string][];
