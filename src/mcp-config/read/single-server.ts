import { InvalidInputError, issueAt } from "../../issues.ts";
import { type ConfigBlock, type ReadMcpConfig, readConfigBlocks } from "./read-config.ts";

/**
 * The one server of a text that is a client's config; undefined for any other text.
 *
 * @throws {InvalidInputError} for a config with several servers, or none that a client accepts.
 */
export function readSingleServer(text: string): ReadMcpConfig | undefined {
  const blocks = blocksIn(text);
  if (!blocks) return undefined;
  const configs = blocks.map(({ config }) => config);
  const found = configs.filter(({ servers }) => servers.length > 0);
  const names = found.flatMap(({ servers }) => servers.map(({ name }) => name));
  if (names.length === 0) {
    const reasons = configs.flatMap(({ left_out }) =>
      left_out.map(({ name, reason }) => `${name}: ${reason}`),
    );
    throw rejection(`has no server that a client accepts: ${reasons.join("; ")}`);
  }
  if (names.length > 1) {
    throw rejection(
      `has ${names.length} servers, ${names.join(", ")}, and a command takes one: print their inputs with handtools mcp-config --read, and give one of them`,
    );
  }
  return found[0];
}

function blocksIn(text: string): readonly ConfigBlock[] | undefined {
  try {
    return readConfigBlocks(text);
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

const rejection = (message: string): InvalidInputError =>
  new InvalidInputError([issueAt([], message)]);
