import { stringify } from "smol-toml";
import type { Client } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { sameValue } from "../../../src/mcp-config/json-values.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import { clientServers, parseConfig } from "../../../src/mcp-config/parse/find-servers.ts";
import { diffLines } from "../../output.ts";

/**
 * What changes in a client's file: the lines before with `- `, and those after with `+ `. Layout and
 * comments are left out, and secrets are `***`.
 */
export const maskedDiff = (before: string, after: string, client: Client): readonly string[] =>
  diffLines(maskedLines(before, client), maskedLines(after, client)).lines;

/** A byte order mark says nothing of what the file holds. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

function maskedLines(text: string, client: Client): readonly string[] {
  const values = Object(maskSecrets(parseConfig(withoutMark(text), client)));
  if (Object.keys(values).length === 0) return [];
  const { format } = clientDefinitions[client];
  const written = format === "toml" ? stringify(values) : JSON.stringify(values, null, 2);
  return written.trimEnd().split("\n");
}

/** True for a client's file that is likely to hold a secret; with a name, for that server alone. */
export function hasSecret(text: string, client: Client, name?: string): boolean {
  const file = parseConfig(withoutMark(text), client);
  const part =
    name === undefined
      ? file
      : clientServers(file, client).filter((server) => server.name === name);
  return !sameValue(maskSecrets(part), part);
}
