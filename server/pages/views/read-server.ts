import { InvalidInputError } from "../../../src/issues.ts";
import { serverOfCommandLine } from "../../../src/mcp-config/command-line.ts";
import type { ReadText } from "../view.ts";

/**
 * Reads an MCP server from a command line, from an `mcp add` command, or from the config of any
 * client, also within a README. Undefined for any other text.
 *
 * @param isCommand accepts a command line with a program of any name; elsewhere it may be prose.
 */
export async function readServer(text: string, isCommand = false): Promise<ReadText | undefined> {
  const line = serverOfCommandLine(text, isCommand);
  if (!line) return fromConfig(text);
  const { input, isNamed } = line;
  return isNamed
    ? { input, summary: `Read the server “${input.name}”.` }
    : { input, guessed: ["name"], summary: "Took the command line apart." };
}

/** The first server of a config, which is read by parsers that few readers of the page need. */
async function fromConfig(text: string): Promise<ReadText | undefined> {
  const { namesIn, readConfigBlocks } = await import("../../../src/mcp-config/read/read-config.ts");
  const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(", ");
  for (const part of configsIn(text)) {
    try {
      const [first, ...others] = readConfigBlocks(part);
      const [input] = first?.config.servers ?? [];
      if (!first || !input) continue;
      const { config, line } = first;
      const rest = namesIn(config).slice(1);
      const places = others.map((other) => `${quoted(namesIn(other.config))} (line ${other.line})`);
      const summary = [
        `Read the server “${input.name}”${others.length > 0 ? ` of the block at line ${line}` : ""}.`,
        ...(others.length > 0 ? [`Paste another block by itself for ${places.join(", ")}.`] : []),
        ...(rest.length > 0 ? [`Left out: ${quoted(rest)}.`] : []),
        ...config.warnings
          .filter(({ path }) => path.includes(input.name))
          .map(({ path, message }) => `${path} ${message}.`),
      ].join(" ");
      return { input, summary };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return undefined;
}

/** The text itself, which may be a README, and its part in braces. */
const configsIn = (text: string): readonly string[] => [
  text.trim().replace(/,$/, ""),
  ...(/\{[\s\S]*\}/.exec(text) ?? []),
];
