import type {
  ClientConfig,
  McpConfigResult,
  ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Findings } from "../issues.ts";
import { warnOfClient } from "./client-warnings.ts";
import type { ClientRow } from "./clients/client.ts";
import { clientTable } from "./clients/table.ts";
import { installOf } from "./install.ts";
import { notesOf } from "./notes.ts";
import { refuseUnusable } from "./refusals.ts";
import { type Server, toServer } from "./server.ts";
import { warnOfServer } from "./server-warnings.ts";
import { writeConfig } from "./write-config.ts";

/**
 * The server's config for every client.
 *
 * @throws {InvalidInputError} for a server that no client could be given.
 */
export function generate(input: ValidMcpConfigInput): McpConfigResult {
  const server = toServer(input);
  const findings = new Findings();
  refuseUnusable(input, server, findings);
  findings.throwIfRefused();

  warnOfServer(server, findings);
  clientTable.forEach((row, index) => {
    warnOfClient(row, server, findings, ["clients", index]);
  });
  return {
    name: server.name,
    transport: server.transport,
    clients: clientTable.map((row) => configFor(row, server)),
    warnings: findings.warnings,
  };
}

const configFor = (row: ClientRow, server: Server): ClientConfig => ({
  client: row.client,
  title: row.title,
  format: row.format,
  locations: [...row.locations],
  ...writeConfig(row, server),
  install: installOf(row, server),
  notes: notesOf(row, server),
});
