import type {
  ClientConfig,
  McpConfigResult,
  ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { InvalidInputError, issueAt } from "../issues.ts";
import { jsonBytes, thousands } from "../text.ts";
import type { Limits } from "../tool.ts";

/**
 * The configs of the clients, written one after the other until the result is larger than allowed.
 *
 * @throws {InvalidInputError} that names the field which makes most of the result.
 */
export function withinLimits(
  input: ValidMcpConfigInput,
  { resultBytes = Infinity }: Partial<Limits>,
  rest: Omit<McpConfigResult, "clients">,
  configs: readonly (() => ClientConfig)[],
): ClientConfig[] {
  const clients: ClientConfig[] = [];
  const isSmall =
    resultBytes === Infinity || JSON.stringify(input).length * GREATEST_GROWTH < resultBytes;
  let bytes = isSmall ? 0 : jsonBytes({ ...rest, clients: [] });
  for (const write of configs) {
    const config = write();
    if (!isSmall) {
      bytes += jsonBytes(config) + (clients.length > 0 ? 1 : 0);
      if (bytes > resultBytes) throw tooLarge(input, resultBytes);
    }
    clients.push(config);
  }
  return clients;
}

/**
 * The bytes that one character of the input's JSON can become. Most is made of a header of one
 * letter, of hidden characters and of tags, between 100 and 130.
 */
const GREATEST_GROWTH = 200;

function tooLarge(input: ValidMcpConfigInput, max: number): InvalidInputError {
  const [field = ""] = Object.entries(input)
    .sort(([, one], [, other]) => jsonBytes(other) - jsonBytes(one))
    .map(([name]) => name);
  const message = `makes a result of more than ${thousands(max)} bytes; shorten it, hidden characters first`;
  return new InvalidInputError([issueAt([field], message)]);
}
