import type { Client, ClientConfig, McpConfigResult } from "../../schemas/index.ts";

/** The config of one client. */
export function configOf(result: McpConfigResult, client: Client): ClientConfig {
  const config = result.clients.find((candidate) => candidate.client === client);
  if (!config) throw new Error(`the result has no ${client}`);
  return config;
}
