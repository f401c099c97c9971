import type { Transport } from "../../../schemas/mcp-config.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import {
  deriveServerName,
  parsePackageWord,
  parseServerCommand,
} from "../../../src/mcp-config/command-line.ts";
import type { ConfigBlock } from "../../../src/mcp-config/read/read-config.ts";
import type { ReadChoice, ReadText, UnreadText } from "../view.ts";

/**
 * Reads an MCP server from a command line, an `mcp add` command, a URL, a package, a server.json, or the
 * config of any client, also within a README.
 *
 * @param field where the text was pasted: only `command` takes a program of any name. Undefined for a
 * file and for the box, where the text may be prose.
 */
export const readServer = async (text: string, field?: string): Promise<ReadText | UnreadText> =>
  fromCommandLine(text, field) ?? (await fromManifest(text)) ?? (await fromConfig(text));

function fromCommandLine(text: string, field?: string): ReadText | UnreadText | undefined {
  const isCommand = field === "command";
  if (!isCommand && PROSE.test(text.replace(NO_WORDS, ""))) return undefined;
  try {
    const isAlone = isCommand || field === undefined;
    const target = isAlone ? parsePackageWord(text.trim()) : undefined;
    if (target) {
      const input = { name: deriveServerName(target) ?? "server", ...target };
      return { input, guessed: ["name"], summary: `Read the server “${input.name}”.` };
    }
    const line = parseServerCommand(text, isCommand || (isAlone && PROGRAM.test(text)));
    if (!line) return undefined;
    const { input, isNamed, transport, left_out = {} } = line;
    const options = Object.keys(left_out).join(", ");
    return isNamed
      ? {
          input,
          ...transportOption(transport),
          summary: `Read the server “${input.name}”.${transportNote(transport)}${options && ` Left out: ${options}.`}`,
        }
      : { input, guessed: ["name"], summary: "Split the command line." };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: `This command line ${error.message}.` };
  }
}

/** Words of a sentence. A command line has them only in a comment or in quotes. */
const PROSE = /(?:^|\s)(?:and|are|is|please|that|the|this|with|you|your)(?![\w-])/i;
const NO_WORDS = /^[ \t]*#.*$|(["'`]).*?\1/gm;

/** A program of any name before an option, a path, a script or a usual subcommand. */
const PROGRAM =
  /^\s*(?:[$%>]\s+)?(?:\w+=\S*\s+)*(?:[A-Z]:)?[^\sA-Z]\S*\s+(?:--?[A-Za-z]|[.~]{0,2}[\\/]|\S+\.(?:[cm]?[jt]s|py|jar|rb|php|sh)\b|(?:exec|mcp|run|serve|start|stdio)\b)/;

/** The ways to run the server of a server.json, with the variables that its user sets. */
async function fromManifest(text: string): Promise<ReadText | UnreadText | undefined> {
  const { readIfServerJson } = await import(
    "../../../src/mcp-config/server-json/read-server-json.ts"
  );
  const readWay = (kind?: string): ReadChoice[] => {
    const read = readIfServerJson(text, { package: kind });
    const [input] = read?.servers ?? [];
    const [transport] = read?.transports ?? [];
    if (!read || !input) return [];
    const [way] = read.choices;
    const variables = read.inputs.map(({ name, description }) =>
      description ? `${name} (${description})` : name,
    );
    const summary = [
      `Read the server “${input.name}” of a server.json.${transportNote(transport)}`,
      ...(variables.length > 0 ? [`Its user sets ${variables.join(", ")}.`] : []),
      ...read.warnings
        .filter(({ code }) => code !== "package-chosen")
        .map(({ path, message }) => `${path} ${message}.`),
    ].join(" ");
    const title = `${way?.package}: ${way?.identifier}`;
    return [{ input, ...transportOption(transport), summary, title }];
  };
  try {
    const [first] = readWay();
    if (!first) return undefined;
    const kinds = new Set(readIfServerJson(text)?.choices.map((way) => way.package));
    return kinds.size > 1 ? { ...first, choices: [...kinds].flatMap(readWay) } : first;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: `This server.json ${error.message}.` };
  }
}

/** The servers of a config. Its parsers are loaded here, because few users need them. */
async function fromConfig(text: string): Promise<ReadText | UnreadText> {
  const { readConfigBlocks } = await import("../../../src/mcp-config/read/read-config.ts");
  let reason = UNREAD;
  for (const part of findConfigs(text)) {
    try {
      const choices = listChoices(readConfigBlocks(part));
      const [first] = choices;
      if (first) return choices.length > 1 ? { ...first, choices } : first;
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      if (reason === UNREAD && /^\s*[{["]/.test(text)) reason = `This ${error.message}.`;
    }
  }
  return { reason };
}

const UNREAD =
  "This has no MCP server: paste a client’s config or a README with one, a command such as npx -y @acme/notes-mcp, a server.json, a URL or a package.";

function listChoices(blocks: readonly ConfigBlock[]): readonly ReadChoice[] {
  const count = blocks.reduce((sum, { config }) => sum + config.servers.length, 0);
  return blocks.flatMap(
    ({ line, config: { servers, transports, cwds, left_out, warnings }, paths }) =>
      servers.map((input, index) => {
        const at = paths[index] ?? "";
        const { name, url, command = "", args = [] } = input;
        const transport = transports[index];
        const target = url ?? [command, ...args].join(" ");
        const place = blocks.length > 1 ? ` (line ${line})` : "";
        const summary = [
          `Read the server “${name}”${place}${count > 1 ? `, one of ${count}` : ""}.${transportNote(transport)}`,
          ...(cwds[index] === undefined ? [] : ["Left out: its cwd."]),
          ...(left_out.length > 0
            ? [`Left out: ${left_out.map(({ name }) => `“${name}”`).join(", ")}.`]
            : []),
          ...warnings
            .filter(({ path }) => path.startsWith(at) && /^(?:$|[.[])/.test(path.slice(at.length)))
            .map(({ path, message }) => `${path} ${message}.`),
        ].join(" ");
        const title = `${name}${place}: ${shortenTitle(target)}`;
        return { input, ...transportOption(transport), summary, title };
      }),
  );
}

/** The transport to choose in the form, where it is not the usual one. */
const transportOption = (transport?: Transport): Pick<ReadText, "options"> =>
  transport === "sse" ? { options: { transport } } : {};

const transportNote = (transport?: Transport): string =>
  transport === "sse" ? " It speaks SSE, the older transport." : "";

const shortenTitle = (text: string): string =>
  text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text;

const MAX_TITLE = 60;

/** The text itself, which may be a README, and its part in braces. */
const findConfigs = (text: string): readonly string[] => {
  const inBraces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return [text.trim().replace(/,$/, ""), ...(inBraces.startsWith("{") ? [inBraces] : [])];
};
