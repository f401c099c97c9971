import { stringify } from "smol-toml";
import type { Client } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { sameValue } from "../../../src/mcp-config/json-values.ts";
import { maskSecrets } from "../../../src/mcp-config/mask-secrets.ts";
import { listClientServers, parseConfig } from "../../../src/mcp-config/parse/find-servers.ts";
import { diffLines } from "../../output.ts";

/**
 * Lists the changes in a client's file: old lines with `- `, new lines with `+ `. Ignores layout
 * and comments, and masks secrets.
 */
export const maskedDiff = (before: string, after: string, client: Client): readonly string[] =>
  diffLines(maskedLines(before, client), maskedLines(after, client)).lines;

/** Ignore the byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

function maskedLines(text: string, client: Client): readonly string[] {
  const values = Object(maskSecrets(parseConfig(withoutMark(text), client)));
  if (Object.keys(values).length === 0) return [];
  const { format } = clientDefinitions[client];
  const maskedText = format === "toml" ? stringify(values) : JSON.stringify(values, null, 2);
  return maskedText.trimEnd().split("\n");
}

/** Whether the file, or one named server in it, probably holds a secret. */
export function hasSecret(text: string, client: Client, name?: string): boolean {
  const file = parseConfig(withoutMark(text), client);
  const part =
    name === undefined
      ? file
      : listClientServers(file, client).filter((server) => server.name === name);
  return !sameValue(maskSecrets(part), part);
}
