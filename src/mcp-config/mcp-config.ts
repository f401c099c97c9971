import {
  type ClientConfig,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import type { WarningCode } from "../../schemas/tools.ts";
import { Diagnostics } from "../issues.ts";
import { runTool, type Tool } from "../tool.ts";
import type { ClientDefinition } from "./client.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { codex } from "./clients/codex.ts";
import { cursor } from "./clients/cursor.ts";
import { vscode } from "./clients/vscode.ts";
import { writeJson, writeJsonMembers, writeToml } from "./formats.ts";
import { bashLine, variablesIn } from "./one-liners.ts";
import { secretArguments, secretNames, secretParameters } from "./secrets.ts";
import { type Server, toServer } from "./server.ts";
import { renderMcpConfig } from "./text.ts";
import { warnAboutClient, warnAboutServer } from "./warnings.ts";

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

export const mcpConfigTool: Tool<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  run: (input) => generate(input),
  render: renderMcpConfig,
};

/** The clients in the order of the result. */
const clientDefinitions: readonly ClientDefinition[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  codex,
];

/** @throws {InvalidInputError} for a server that no client could be given. */
function generate(input: ValidMcpConfigInput): McpConfigResult {
  const diagnostics = Diagnostics.start<WarningCode<"mcp_config_generator">>();
  const server = toServer(input, diagnostics);
  warnAboutServer(server, diagnostics);
  for (const [index, client] of clientDefinitions.entries()) {
    warnAboutClient(client, server, diagnostics.at("clients", index));
  }
  return {
    name: server.name,
    transport: server.transport,
    clients: clientDefinitions.map((client) => configFor(client, server)),
    warnings: [...diagnostics.warnings],
  };
}

const configFor = (client: ClientDefinition, server: Server): ClientConfig => ({
  client: client.id,
  title: client.title,
  format: client.format,
  locations: [...client.locations],
  ...writeConfig(client, server),
  install: installOf(client, server),
  notes: notesOf(client, server),
});

/** The client's whole file with this one server, and the part to add to a file with others. */
function writeConfig(
  { format, rootKey, entry }: ClientDefinition,
  server: Server,
): Pick<ClientConfig, "snippet" | "entry"> {
  const servers = { [server.name]: entry(server) };
  if (format === "toml") {
    const tables = writeToml({ [rootKey]: servers });
    return { snippet: tables, entry: tables };
  }
  return { snippet: `${writeJson({ [rootKey]: servers })}\n`, entry: writeJsonMembers(servers) };
}

/** The commands and the link that add the server to the client, where they are known to work. */
function installOf(client: ClientDefinition, server: Server): ClientConfig["install"] {
  const words = client.bash?.(server);
  const powershell = client.powershell?.(server);
  return {
    ...(words && { bash: bashLine(words) }),
    ...(powershell && { powershell }),
    ...(client.link && !keptFromLinks(server) && { link: client.link(server) }),
  };
}

/**
 * The part of the server that links must not carry into histories and chats, in words; undefined
 * when there is none.
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
function notesOf(client: ClientDefinition, server: Server): string[] {
  return [
    client.format === "json"
      ? `In a file with other servers add "${server.name}" to "${client.rootKey}", and replace an old one of that name.`
      : `Append the tables to a file with other settings, and replace old ones: a second [${client.rootKey}.${server.name}] is an error.`,
    ...client.notes(server),
    ...secretNotes(client, server),
  ];
}

function secretNotes(client: ClientDefinition, server: Server): string[] {
  const notes: string[] = [];
  const variables = variablesIn(client.bash?.(server) ?? []).join(", ");
  if (variables !== "") {
    notes.push(
      `The bash line holds no value of ${variables}, but reads it from the shell: set it there first.`,
    );
  }
  const secrets = secretNames(server).join(", ");
  const project = client.locations.find(({ scope }) => scope === "project");
  if (project && secrets !== "") {
    notes.push(
      `Keep ${project.path} out of version control while the value of ${secrets} is in it.`,
    );
  }
  const carried = keptFromLinks(server);
  if (client.link && carried) {
    notes.push(`There is no link, because it would carry ${carried} into histories and chats.`);
  }
  return notes;
}
