import type { McpConfigInput } from "../../../schemas/mcp-config.ts";
import { usableName } from "../../../schemas/mcp-config.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { looksLikeCommandLine, splitCommandLine } from "../../../src/mcp-config/command-line.ts";
import type { ReadText } from "../view.ts";

/**
 * Reads an MCP server from a command line, from an `mcp add` command, or from the config of any
 * client, also within a README. Undefined for any other text.
 *
 * @param isCommand whether it was written where a command belongs; elsewhere it may be prose.
 */
export const readServer = async (text: string, isCommand = false): Promise<ReadText | undefined> =>
  fromCommandLine(text, isCommand) ?? (await fromConfig(text));

/** The first server of a config, which is read by parsers that few readers of the page need. */
async function fromConfig(text: string): Promise<ReadText | undefined> {
  const { readMcpConfig } = await import("../../../src/mcp-config/read/read-config.ts");
  for (const part of configsIn(text)) {
    try {
      const { servers, left_out, warnings } = readMcpConfig(part);
      const [input] = servers;
      if (!input) continue;
      const others = [...servers.slice(1), ...left_out].map(({ name }) => `“${name}”`);
      const rest = others.length > 0 ? ` Left out: ${others.join(", ")}.` : "";
      const remarks = warnings
        .filter(({ path }) => path.includes(input.name))
        .map(({ path, message }) => ` ${path} ${message}.`);
      return { input, summary: `Read the server “${input.name}”.${rest}${remarks.join("")}` };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return undefined;
}

/** The text itself, which may be a README, and what stands in braces. */
const configsIn = (text: string): readonly string[] => [
  text.trim().replace(/,$/, ""),
  ...(/\{[\s\S]*\}/.exec(text) ?? []),
];

/** The programs that start MCP servers; any other first word may be prose. */
const STARTERS =
  /^(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|claude|code|codex|copilot|cursor|gemini)$/;

function fromCommandLine(text: string, isCommand: boolean): ReadText | undefined {
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
  const isStarter = STARTERS.test(command) && args.length > 0;
  if (!isStarter && !(isCommand && looksLikeCommandLine(line))) return undefined;
  if (args[0] === "mcp" && args[1] === "add") return fromAddCommand(args.slice(2), env);
  // What VS Code is given is a config in quotes.
  if (args[0] === "--add-mcp") return undefined;
  const name = isStarter
    ? nameOf(command, args)
    : usableName(command.replace(/^.*[/\\]|\.\w+$/g, ""));
  const input = local(name ?? "server", rest, env);
  return { input, guessed: ["name"], summary: "Took the command line apart." };
}

/** `claude mcp add [options] NAME [--] COMMAND…`, or with a URL. */
function fromAddCommand(words: readonly string[], env: Record<string, string>) {
  const rest = [...words];
  const headers: Record<string, string> = {};
  const positional: string[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (/^(?:-e|--env)$/.test(word)) Object.assign(env, pairOf(rest.shift() ?? "", "="));
    else if (/^(?:-H|--header)$/.test(word)) {
      Object.assign(headers, pairOf(rest.shift() ?? "", ":"));
    } else if (/^(?:-t|--transport|-s|--scope)$/.test(word)) rest.shift();
    else if (word !== "--" && word !== "--url") positional.push(word);
    // What follows the program belongs to it.
    const isProgram = positional.length === 2 && !isUrl(positional[1]);
    if (word === "--" || isProgram)
      positional.push(...rest.splice(0).filter((other) => other !== "--"));
  }
  const [name, ...command] = positional;
  const [url] = command;
  if (name === undefined || url === undefined) return undefined;
  const summary = `Read the server “${name}”.`;
  if (!isUrl(url)) return { input: local(name, command, env), summary };
  return { input: { name, url, ...(Object.keys(headers).length > 0 && { headers }) }, summary };
}

const isUrl = (word = ""): boolean => /^https?:\/\//.test(word);

const local = (
  name: string,
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
): McpConfigInput => ({
  name,
  command,
  ...(args.length > 0 && { args }),
  ...(Object.keys(env).length > 0 && { env }),
});

/** `files` for `@modelcontextprotocol/server-files@1.2.3`; undefined without such an argument. */
function nameOf(program: string, args: readonly string[]): string | undefined {
  const isValue = (index: number) =>
    /^(?:docker|podman)$/.test(program) && CONTAINER_OPTION.test(args[index - 1] ?? "");
  const [target = ""] = args.filter(
    (word, index) => !word.startsWith("-") && word !== "run" && !isValue(index),
  );
  const last =
    target
      .replace(/(?<=.)@[^@/]*$/, "")
      .split("/")
      .at(-1) ?? "";
  return usableName(last.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-/g, ""));
}

/** An option of a container that has its value behind it. */
const CONTAINER_OPTION = /^(?:-[ev]|--(?:env|env-file|volume|mount|name|network|entrypoint))$/;

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
