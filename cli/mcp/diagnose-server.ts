import { posix, win32 } from "node:path";
import type { Client } from "../../schemas/mcp-config.ts";
import { findEntryProblem } from "../../src/mcp-config/check-entry.ts";
import { replacesReferences } from "../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/all-clients.ts";
import { isPlainObject } from "../../src/mcp-config/json-values.ts";
import {
  listServerStrings,
  parseServer,
  type StdioServer,
} from "../../src/mcp-config/mcp-server.ts";
import { isWebSocket } from "../../src/mcp-config/parse/entry-fields.ts";
import type { FoundServer } from "../../src/mcp-config/parse/find-servers.ts";
import { parseFoundServers } from "../../src/mcp-config/parse/parse-found-servers.ts";
import { findReferences } from "../../src/mcp-config/variable-references.ts";
import type { Io } from "../io.ts";
import { programExists } from "./find-clients.ts";

/** Finds problems that stop a client from starting or reaching a server, without trying it. */
export async function findServerProblems(
  found: FoundServer,
  client: Client,
  io: Io,
): Promise<readonly string[]> {
  const definition = clientDefinitions[client];
  const problem = findEntryProblem(found.entry, client);
  if (problem !== undefined) return [problem];
  const entry = isPlainObject(found.entry) ? found.entry : {};
  if (definition.isOwnKind?.(entry) || isWebSocket(entry)) return [];
  // VS Code's prompts are not variables.
  const withoutPrompts: FoundServer = definition.prompts
    ? JSON.parse(JSON.stringify(found), (_, value) =>
        typeof value === "string" ? value.replace(/\$\{input:[^{}]+\}/g, "asked") : value,
      )
    : found;
  const { servers, left_out } = parseFoundServers([withoutPrompts], client);
  const [read] = servers;
  if (!read) return left_out.map(({ reason }) => reason);
  const server = parseServer(read.input, read.transport);
  const isMissing = server.transport === "stdio" && !(await commandExists(server, io));
  const variables = findReferences(server, listServerStrings(server))
    .filter((text) => replacesReferences(definition, text))
    .flatMap(({ names }) => names)
    .filter((variable) => io.environment[variable] === undefined);
  return [
    ...(isMissing ? [`the command ${server.command} does not exist`] : []),
    ...Array.from(new Set(variables), (variable) => `the variable ${variable} is not set here`),
  ];
}

/** Whether the command exists. True if we cannot know without starting it. */
async function commandExists({ command, env }: StdioServer, io: Io): Promise<boolean> {
  const { isAbsolute } = io.platform === "win32" ? win32 : posix;
  const hasOwnPath = Object.keys(env).some((name) => name.toUpperCase() === "PATH");
  if (/[$%{}~]/.test(command) || hasOwnPath) return true;
  if (/[\\/]/.test(command) && !isAbsolute(command)) return true;
  return programExists(command, io);
}
