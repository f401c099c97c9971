import type { ReadText } from "../view.ts";

/**
 * Reads an MCP server from a command line, from an `mcp add` command, or from a config in JSON, also
 * within a README. Undefined for any other text.
 */
export function readServer(text: string): ReadText | undefined {
  const input = fromJson(text) ?? fromCommandLine(text);
  if (!input) return undefined;
  const kind = "url" in input ? "remote server" : "command line";
  return { input, summary: `Read the ${kind}${"name" in input ? ` “${input.name}”` : ""}.` };
}

type Input = Readonly<Record<string, unknown>>;

/** The first server of a client's config, or a bare entry. */
function fromJson(text: string): Input | undefined {
  const value =
    parsed(text) ?? parsed(`{${trimmed(text)}}`) ?? parsed(/\{[\s\S]*\}/.exec(text)?.[0] ?? "");
  if (!isObject(value)) return undefined;
  const servers = value.mcpServers ?? value.servers ?? value.context_servers ?? value;
  if (!isObject(servers)) return undefined;
  if (isEntry(servers)) return inputOf("server", servers);
  const [name, entry] = Object.entries(servers)[0] ?? [];
  return name !== undefined && isEntry(entry) ? inputOf(name, entry) : undefined;
}

const trimmed = (text: string): string => text.trim().replace(/,$/, "");

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not JSON: the text may be a command line.
    return undefined;
  }
}

const isObject = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEntry = (value: unknown): value is Input =>
  isObject(value) && ["command", "url", "serverUrl"].some((key) => typeof value[key] === "string");

function inputOf(name: string, entry: Input): Input {
  const { command, args, env, headers } = entry;
  const url = entry.url ?? entry.serverUrl;
  return typeof url === "string"
    ? { name, url, ...(isObject(headers) && { headers }) }
    : { name, command, ...(Array.isArray(args) && { args }), ...(isObject(env) && { env }) };
}

/** The programs that start MCP servers; any other first word may be prose. */
const STARTERS =
  /^(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|claude|code|codex|cursor)$/;

function fromCommandLine(text: string): Input | undefined {
  const line = text
    .trim()
    .replace(/^\$\s+/, "")
    .replace(/\\\r?\n\s*/g, " ");
  if (/[\r\n]/.test(line)) return undefined;
  const words = shellWords(line);
  const env = Object.fromEntries(takeAssignments(words));
  const [command, ...args] = words;
  if (command === undefined || args.length === 0 || !STARTERS.test(command)) return undefined;
  if (args[0] === "mcp" && args[1] === "add") return fromAddCommand(args.slice(2), env);
  return local(nameOf(args), [command, ...args], env);
}

/** `claude mcp add [options] NAME [--] COMMAND…`, or with a URL. */
function fromAddCommand(words: readonly string[], env: Record<string, string>): Input | undefined {
  const rest = [...words];
  const headers: [string, string][] = [];
  const positional: string[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (/^(?:-e|--env)$/.test(word)) Object.assign(env, pairOf(rest.shift() ?? "", "="));
    else if (/^(?:-H|--header)$/.test(word)) {
      headers.push(...Object.entries(pairOf(rest.shift() ?? "", ":")));
    } else if (/^(?:-t|--transport|-s|--scope)$/.test(word)) rest.shift();
    else if (word !== "--" && word !== "--url") positional.push(word);
    // What follows the program belongs to it.
    const isProgram = positional.length === 2 && !isUrl(positional[1]);
    if (word === "--" || isProgram)
      positional.push(...rest.splice(0).filter((other) => other !== "--"));
  }
  const [name, ...command] = positional;
  if (name === undefined || command.length === 0) return undefined;
  return isUrl(command[0])
    ? { name, url: command[0], ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) }
    : local(name, command, env);
}

const isUrl = (word = ""): boolean => /^https?:\/\//.test(word);

const local = (name: string, [command, ...args]: readonly string[], env: object): Input => ({
  name,
  command,
  ...(args.length > 0 && { args }),
  ...(Object.keys(env).length > 0 && { env }),
});

/** `files` for `@modelcontextprotocol/server-files@1.2.3`. */
function nameOf(args: readonly string[]): string {
  const [target = "server"] = args.filter((word) => !word.startsWith("-") && word !== "run");
  const last =
    target
      .replace(/(?<=.)@[^@/]*$/, "")
      .split("/")
      .at(-1) ?? "";
  return (
    last.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-/g, "").replace(/[^\w-]/g, "-") ||
    "server"
  );
}

function takeAssignments(words: string[]): [string, string][] {
  const pairs: [string, string][] = [];
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
    pairs.push(...Object.entries(pairOf(words.shift() ?? "", "=")));
  }
  return pairs;
}

function pairOf(text: string, separator: string): Record<string, string> {
  const at = text.indexOf(separator);
  return at < 0 ? {} : { [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** The words of a POSIX command line, quotes and backslashes taken away. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped),
    ),
  );
