import {
  type ClientConfig,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import type { WarningCode } from "../../schemas/tools.ts";
import { Diagnostics } from "../issues.ts";
import { type Limits, runTool, type Tool } from "../tool.ts";
import type { ClientDefinition } from "./client.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { codex } from "./clients/codex.ts";
import { cursor } from "./clients/cursor.ts";
import { vscode } from "./clients/vscode.ts";
import { type Entry, writeJsonFile, writeJsonMember, writeToml } from "./formats.ts";
import { bashLine, variablesIn } from "./one-liners.ts";
import { withinLimits } from "./result-size.ts";
import { findSecrets, type Secrets } from "./secrets.ts";
import { type Server, textsOf, toServer } from "./server.ts";
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

export const mcpConfigTool = {
  contract: mcpConfigContract,
  run: (input: ValidMcpConfigInput, _settings: object, limits?: Limits) => generate(input, limits),
  render: renderMcpConfig,
} satisfies Tool<typeof mcpConfigContract>;

/** The clients in the order of the result. */
const clientDefinitions: readonly ClientDefinition[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  codex,
];

/** @throws {InvalidInputError} for a server that no client could be given. */
function generate(input: ValidMcpConfigInput, limits?: Limits): McpConfigResult {
  const diagnostics = Diagnostics.start<WarningCode<"mcp_config_generator">>();
  const server = toServer(input, diagnostics);
  const secrets = findSecrets(server);
  const texts = textsOf(server);
  warnAboutServer(server, secrets, diagnostics);
  for (const [index, client] of clientDefinitions.entries()) {
    warnAboutClient(client, server, texts, diagnostics.at("clients", index));
  }
  const { name, transport } = server;
  const warnings = [...diagnostics.warnings];
  const writeMember = memberWriter(name);
  const configs = clientDefinitions.map(
    (client) => () => configFor(client, server, secrets, writeMember),
  );
  const clients = withinLimits(input, limits, { name, transport, warnings }, configs);
  return { name, transport, clients, warnings };
}

/** Writes entries as members of the object of servers; several clients have the same entry. */
function memberWriter(name: string): (entry: Entry) => string {
  const members = new Map<string, string>();
  return (entry) => {
    const key = JSON.stringify(entry);
    const member = members.get(key) ?? writeJsonMember(name, entry);
    members.set(key, member);
    return member;
  };
}

function configFor(
  client: ClientDefinition,
  server: Server,
  secrets: Secrets,
  writeMember: (entry: Entry) => string,
): ClientConfig {
  const commands = client.commands?.(server, secrets);
  const kept = client.link && keptFromLinks(server, secrets);
  const link = kept === undefined && client.link?.(server);
  return {
    client: client.id,
    title: client.title,
    format: client.format,
    locations: [...client.locations],
    ...writeConfig(client, server, writeMember),
    install: {
      ...(commands && { bash: bashLine(commands.bash) }),
      ...(commands?.powershell && { powershell: commands.powershell }),
      ...(link && { link }),
    },
    notes: [
      ...pasteNotes(client, server),
      ...client.notes(server, secrets),
      ...secretNotes(client, secrets, variablesIn(commands?.bash ?? [])),
      ...(kept === undefined
        ? []
        : [`There is no link, because it would carry ${kept} into histories and chats.`]),
    ],
  };
}

/** The client's whole file with this one server, and the part to add to a file with others. */
function writeConfig(
  { format, rootKey, entry }: ClientDefinition,
  server: Server,
  writeMember: (entry: Entry) => string,
): Pick<ClientConfig, "snippet" | "entry"> {
  if (format === "toml") {
    const tables = writeToml({ [rootKey]: { [server.name]: entry(server) } });
    return { snippet: tables, entry: tables };
  }
  const member = writeMember(entry(server));
  return { snippet: writeJsonFile(rootKey, member), entry: member };
}

/**
 * The part of the server that links must not carry into histories and chats, in words; undefined
 * when there is none.
 */
function keptFromLinks(server: Server, secrets: Secrets): string | undefined {
  if (server.transport === "stdio") {
    if (Object.keys(server.env).length > 0) return "the values of env";
    return secrets.args.length > 0 ? "what looks like a secret in args" : undefined;
  }
  if (Object.keys(server.headers).length > 0) return "the values of headers";
  return secrets.parameters.length > 0 ? "what looks like a secret in url" : undefined;
}

const pasteNotes = ({ format, rootKey }: ClientDefinition, { name }: Server): string[] => [
  format === "json"
    ? `In a file with other servers add "${name}" to "${rootKey}", and replace an old one of that name.`
    : `Append the tables to a file with other settings, and replace old ones: a second [${rootKey}.${name}] is an error.`,
];

/** @param variables the shell variables that the bash line reads. */
function secretNotes(
  client: ClientDefinition,
  secrets: Secrets,
  variables: readonly string[],
): string[] {
  const notes: string[] = [];
  if (variables.length > 0) {
    notes.push(
      `The bash line holds no value of ${variables.join(", ")}, but reads it from the shell: set it there first.`,
    );
  }
  const project = client.locations.find(({ scope }) => scope === "project");
  if (project && secrets.names.size > 0) {
    notes.push(
      `Keep ${project.path} out of version control while the value of ${[...secrets.names].join(", ")} is in it.`,
    );
  }
  return notes;
}
