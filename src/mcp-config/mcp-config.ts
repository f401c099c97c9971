import {
  type ClientConfig,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Findings } from "../issues.ts";
import { runTool, type Tool } from "../tool.ts";
import type { ClientRow } from "./client.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { codex } from "./clients/codex.ts";
import { cursor } from "./clients/cursor.ts";
import { vscode } from "./clients/vscode.ts";
import { writeJson, writeJsonMembers, writeToml } from "./formats.ts";
import { bashLine, variablesIn } from "./one-liners.ts";
import { secretArguments, secretNames, secretParameters } from "./secrets.ts";
import { refuseUnusable, type Server, toServer } from "./server.ts";
import { renderMcpConfig } from "./text.ts";
import { warnOfClient, warnOfServer } from "./warnings.ts";

/** The clients in the order of the result. */
const clientTable: readonly ClientRow[] = [claudeDesktop, claudeCode, cursor, vscode, codex];

/** The client's commands and link that add the server, those that are known to work. */
function installOf(row: ClientRow, server: Server): ClientConfig["install"] {
  const words = row.bash?.(server);
  const powershell = row.powershell?.(server);
  return {
    ...(words && { bash: bashLine(words) }),
    ...(powershell && { powershell }),
    ...(row.link && !keptFromLinks(server) && { link: row.link(server) }),
  };
}

/**
 * What a link would carry of the server although it does not belong in histories and chats,
 * where links are kept; undefined when there is nothing of the kind.
 */
function keptFromLinks(server: Server): string | undefined {
  if (server.transport === "stdio") {
    if (Object.keys(server.env).length > 0) return "the values of env";
    return secretArguments(server.args).length > 0 ? "what looks like a secret in args" : undefined;
  }
  if (Object.keys(server.headers).length > 0) return "the values of headers";
  return secretParameters(server.url).length > 0 ? "what looks like a secret in url" : undefined;
}

/** What to know before the config is used: how to paste it, the client's own notes, the secrets. */
function notesOf(row: ClientRow, server: Server): string[] {
  return [
    row.format === "json"
      ? `In a file with other servers add "${server.name}" to "${row.rootKey}", and replace an old one of that name.`
      : `Append the tables to a file with other settings, and replace old ones: a second [${row.rootKey}.${server.name}] is an error.`,
    ...row.notes(server),
    ...secretNotes(row, server),
  ];
}

function secretNotes(row: ClientRow, server: Server): string[] {
  const notes: string[] = [];
  const variables = variablesIn(row.bash?.(server) ?? []).join(", ");
  if (variables !== "") {
    notes.push(
      `The bash line holds no value of ${variables}, but reads it from the shell: set it there first.`,
    );
  }
  const secrets = secretNames(server).join(", ");
  const project = row.locations.find(({ scope }) => scope === "project");
  if (project && secrets !== "") {
    notes.push(
      `Keep ${project.path} out of version control while the value of ${secrets} is in it.`,
    );
  }
  const carried = keptFromLinks(server);
  if (row.link && carried) {
    notes.push(`There is no link, because it would carry ${carried} into histories and chats.`);
  }
  return notes;
}

/** The client's whole file with this one server, and the part to add to a file with others. */
function writeConfig(
  { format, rootKey, entry }: ClientRow,
  server: Server,
): Pick<ClientConfig, "snippet" | "entry"> {
  const servers = { [server.name]: entry(server) };
  if (format === "toml") {
    const tables = writeToml({ [rootKey]: servers });
    return { snippet: tables, entry: tables };
  }
  return { snippet: `${writeJson({ [rootKey]: servers })}\n`, entry: writeJsonMembers(servers) };
}

/**
 * The server's config for every client.
 *
 * @throws {InvalidInputError} for a server that no client could be given.
 */
function generate(input: ValidMcpConfigInput): McpConfigResult {
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

export const mcpConfigTool: Tool<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  run: (input) => generate(input),
  render: renderMcpConfig,
};

/**
 * Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex.
 *
 * @throws {InvalidInputError} when the input breaks its schema, describes no server or two,
 * or holds what no client could pass on.
 *
 * @example
 * const { clients } = mcpConfig({ name: "files", command: "npx", args: ["-y", "files-server"] });
 * clients[0]?.snippet; // '{\n  "mcpServers": {\n    "files": {\n …'
 */
export function mcpConfig(input: McpConfigInput): McpConfigResult {
  return runTool(mcpConfigTool, input);
}
