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
