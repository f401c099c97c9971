import type { McpConfigInput, Transport } from "../../../schemas/mcp-config.ts";
import { InvalidInputError, pathWithin } from "../../../src/issues.ts";
import { unionPattern } from "../../../src/mcp-config/json-values.ts";
import type { ConfigBlock } from "../../../src/mcp-config/parse/parse-config.ts";
import { parseServerCommand } from "../../../src/mcp-config/parse-command-line.ts";
import { deriveServerName, parsePackageWord } from "../../../src/mcp-config/server-name.ts";

/** A server that a text has. */
export interface PastedServer {
  readonly input: McpConfigInput;
  /** The transport to choose in the form, where it is not the usual one. */
  readonly transport?: "sse";
  /** The text has no name for it: one that the user typed stays. */
  readonly isNameGuessed?: boolean;
  /** What was read and what was left out, in sentences. */
  readonly summary: string;
  /** Tells it from the others of its text. */
  readonly title?: string;
}

export type PastedText =
  | { readonly servers: readonly [PastedServer, ...PastedServer[]] }
  /** Why the text gives no server, in a sentence. */
  | { readonly reason: string };

/**
 * Reads MCP servers from a command line, an `mcp add` command, a URL, a package, a server.json, or the
 * config of any client, also within a README.
 *
 * @param field where the text was pasted: only `command` takes a program of any name. Undefined for a
 * file and for the box, where the text may be prose.
 */
export const parsePasted = async (text: string, field?: string): Promise<PastedText> =>
  readCommandLine(text, field) ??
  (await parsePastedManifest(text)) ??
  (await parsePastedConfig(text));

/** @returns undefined for a text of another kind. */
export function readCommandLine(text: string, field?: string): PastedText | undefined {
  const isCommand = field === "command";
  if (!isCommand && PROSE.test(text.replace(NO_WORDS, ""))) return undefined;
  try {
    const isAlone = isCommand || field === undefined;
    const target = isAlone ? parsePackageWord(text.trim()) : undefined;
    if (target) {
      const input = { name: deriveServerName(target) ?? "server", ...target };
      return { servers: [{ input, isNameGuessed: true, summary: formatFoundServer(input.name) }] };
    }
    const line = parseServerCommand(text, isCommand || (isAlone && PROGRAM.test(text)));
    if (!line) return undefined;
    const { input, isNamed, transport, left_out = {} } = line;
    const summary = formatFoundServer(input.name, transport, Object.keys(left_out));
    return {
      servers: [{ input, isNameGuessed: !isNamed, ...(transport && { transport }), summary }],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: `This command line ${error.message}.` };
  }
}

/** Words of a sentence. A command line has them only in a comment or in quotes. */
const PROSE = /(?:^|\s)(?:and|are|is|please|that|the|this|with|you|your)(?![\w-])/i;
const NO_WORDS = /^[ \t]*#.*$|(["'`]).*?\1/gm;

/** A program of any name, with a prompt and variables before it. */
const WITH_PROGRAM = /^\s*(?:[$%>]\s+)?(?:\w+=\S*\s+)*(?:[A-Z]:)?[^\sA-Z]\S*\s+/;

/** An option, a path, a script or a usual subcommand. */
const ARGUMENT = unionPattern(
  "",
  /--?[A-Za-z]/,
  /[.~]{0,2}[\\/]/,
  /\S+\.(?:[cm]?[jt]s|py|jar|rb|php|sh)\b/,
  /(?:exec|mcp|run|serve|start|stdio)\b/,
);

const PROGRAM = new RegExp(`${WITH_PROGRAM.source}(?:${ARGUMENT.source})`);

/** The ways to run the server of a server.json, with the variables that its user sets. */
async function parsePastedManifest(text: string): Promise<PastedText | undefined> {
  const { readIfServerJson } = await import(
    "../../../src/mcp-config/server-json/parse-server-json.ts"
  );
  const readWay = (kind?: string): PastedServer[] => {
    const read = readIfServerJson(text, { via: kind });
    const [server] = read?.servers ?? [];
    if (!read || !server) return [];
    const { input, transport } = server;
    const [way] = read.ways;
    const variables = read.variables.map(({ name, description }) =>
      description ? `${name} (${description})` : name,
    );
    const summary = [
      formatFoundServer(input.name, transport),
      ...(variables.length > 0 ? [`It needs ${variables.join(", ")}.`] : []),
      ...read.warnings
        .filter(({ code }) => code !== "package-chosen")
        .map(({ path, message }) => `${path} ${message}.`),
    ].join(" ");
    const title = `${way?.via}: ${way?.identifier}`;
    return [{ input, ...sseOnly(transport), summary, title }];
  };
  try {
    const [first] = readWay();
    if (!first) return undefined;
    const kinds = new Set(readIfServerJson(text)?.ways.map((way) => way.via));
    const [usual = first, ...others] = [...kinds].flatMap(readWay);
    return { servers: [usual, ...others] };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: `This server.json ${error.message}.` };
  }
}

/** The servers of a config. Its parsers are loaded here, because few users need them. */
async function parsePastedConfig(text: string): Promise<PastedText> {
  const { readConfigBlocks } = await import("../../../src/mcp-config/parse/parse-config.ts");
  let reason = NOTHING_FOUND;
  // The text itself, which may be a README, or its part in braces.
  const inBraces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const part of [text.trim().replace(/,$/, ""), inBraces]) {
    try {
      const [first, ...others] = toPastedServers(readConfigBlocks(part));
      if (first) return { servers: [first, ...others] };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      if (reason === NOTHING_FOUND && /^\s*[{["]/.test(text)) reason = `This ${error.message}.`;
    }
  }
  return { reason };
}

const NOTHING_FOUND =
  "We found no MCP server in this. Paste a client’s config or a README with one, a command such as npx -y @acme/notes-mcp, a server.json, a URL or a package.";

function toPastedServers(blocks: readonly ConfigBlock[]): readonly PastedServer[] {
  const count = blocks.reduce((sum, { servers }) => sum + servers.length, 0);
  return blocks.flatMap(({ line, servers, left_out, warnings }) =>
    servers.map(({ input, transport, cwd, path: at }) => {
      const { name, url, command = "", args = [] } = input;
      const place = blocks.length > 1 ? ` (line ${line})` : "";
      const others = left_out.map(({ name }) => `“${name}”`);
      const leftOut = [...(cwd === undefined ? [] : ["its cwd"]), ...others];
      const summary = [
        count === 1
          ? formatFoundServer(name, transport, leftOut)
          : `Found ${count} servers. This is ${name}${place}.${formatSkippedParts(transport, leftOut)}`,
        ...warnings
          .filter(({ path }) => pathWithin(path, at) !== undefined)
          .map(({ path, message }) => `${path} ${message}.`),
      ].join(" ");
      const words = url ?? [command, ...args].join(" ");
      const title = `${name}${place}: ${words.replace(/^(.{60}).+/s, "$1…")}`;
      return { input, ...sseOnly(transport), summary, title };
    }),
  );
}

const formatFoundServer = (
  name: string,
  transport?: Transport,
  leftOut: readonly string[] = [],
): string => `Found one server: ${name}.${formatSkippedParts(transport, leftOut)}`;

const formatSkippedParts = (transport: Transport | undefined, leftOut: readonly string[]): string =>
  `${transport === "sse" ? " It speaks SSE, the older transport." : ""}${leftOut.length > 0 ? ` Left out: ${leftOut.join(", ")}.` : ""}`;

const sseOnly = (transport?: Transport): Pick<PastedServer, "transport"> =>
  transport === "sse" ? { transport } : {};
