import * as v from "valibot";
import type { WarningCode } from "../../schemas/codes.ts";
import {
  ALL_CLIENTS,
  CLIENTS,
  type Client,
  type ClientConfig,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Diagnostics, InvalidInputError, issueAt } from "../issues.ts";
import { jsonBytes, thousands } from "../text.ts";
import { type RunOptions, type Tool, validInput } from "../tool.ts";
import { validate } from "../validate.ts";
import type { ClientDefinition, ServerFacts } from "./client.ts";
import { clientDefinitions } from "./clients/client-definitions.ts";
import { writeJsonFile, writeJsonMember, writeToml } from "./formats.ts";
import { bashLine, variablesIn } from "./one-liners.ts";
import {
  findReferences,
  type ReferringText,
  rewriteReferences,
  schemeAndReference,
} from "./references.ts";
import { findSecrets, type Secrets } from "./secrets.ts";
import { furtherIssues, type Server, textsOf, toServer } from "./server.ts";
import { renderMcpConfig } from "./text.ts";
import { warnAboutClient, warnAboutServer } from "./warnings.ts";

/**
 * Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex.
 *
 * @param options `clients`: other clients than these five, in the order of the result.
 * @throws {InvalidInputError} when the input breaks its schema, describes no server or two,
 * or holds what no client could pass on, and for an unknown client.
 *
 * @example
 * const { clients } = mcpConfig({ name: "files", command: "npx", args: ["-y", "files-server"] });
 * clients[0]?.snippet; // '{\n  "mcpServers": {\n    "files": {\n …'
 */
export function mcpConfig(
  input: McpConfigInput,
  options: { readonly clients?: readonly Client[] } = {},
): McpConfigResult {
  const clients = validate(chosenClientsSchema, options.clients, ["clients"]);
  const valid = validInput(mcpConfigContract.input, input, furtherIssues);
  return mcpConfigTool.run(valid, clients ? { clients } : {});
}

const chosenClientsSchema = v.optional(v.array(v.picklist(ALL_CLIENTS)));

export const mcpConfigTool = {
  contract: mcpConfigContract,
  run: (input: ValidMcpConfigInput, options: McpConfigOptions = {}) => generate(input, options),
  render: renderMcpConfig,
  furtherIssues,
  /** Loads the parsers only for a call that reads a config. */
  async readProduct(text: string, block?: number) {
    const { readMcpConfig } = await import("./read/read-config.ts");
    const { servers, warnings } = readMcpConfig(text, { block });
    return { inputs: servers, warnings };
  },
} satisfies Tool<typeof mcpConfigContract>;

/** `clients` may name others than the default five. */
interface McpConfigOptions extends RunOptions<typeof mcpConfigContract> {
  /** The clients of the result, in its order; the five of the contract unless given. */
  readonly clients?: readonly Client[];
}

/** @throws {InvalidInputError} for a server that no client can be configured with, and for a result that is too large. */
function generate(input: ValidMcpConfigInput, options: McpConfigOptions): McpConfigResult {
  const diagnostics = Diagnostics.start<WarningCode<"mcp_config_generator">>();
  const server = toServer(input, diagnostics);
  const texts = textsOf(server);
  const facts: ServerFacts = {
    server,
    texts,
    references: findReferences(server, texts),
    secrets: findSecrets(server),
  };
  const chosen = chosenClients(options).map((client) => clientDefinitions[client]);
  warnAboutServer(facts, diagnostics);
  for (const [index, client] of chosen.entries()) {
    warnAboutClient(client, facts, diagnostics.at("clients", index));
  }
  const { name, transport } = server;
  const clients: ClientConfig[] = [];
  const result: McpConfigResult = { name, transport, clients, warnings: [...diagnostics.warnings] };
  const { resultBytes = Infinity } = options;
  const isMeasured = mayExceed(resultBytes, input);
  let bytes = isMeasured ? jsonBytes(result) : 0;
  const writeMember = memberWriter();
  for (const client of chosen) {
    const config = configFor(client, facts, writeMember);
    if (isMeasured) {
      bytes += jsonBytes(config) + (clients.length > 0 ? 1 : 0);
      if (bytes > resultBytes) throw tooLarge(input, resultBytes);
    }
    clients.push(config);
  }
  return result;
}

/**
 * One character of the input's JSON becomes fewer than 200 bytes. Most is made of a header of one
 * letter, of hidden characters and of tags, between 100 and 130.
 */
const mayExceed = (bytes: number, input: ValidMcpConfigInput): boolean =>
  bytes !== Infinity && JSON.stringify(input).length * 200 >= bytes;

/** Names the field that makes most of the result. */
function tooLarge(input: ValidMcpConfigInput, max: number): InvalidInputError {
  const [field = ""] = Object.entries(input)
    .sort(([, one], [, other]) => jsonBytes(other) - jsonBytes(one))
    .map(([name]) => name);
  const message = `makes a result of more than ${thousands(max)} bytes; shorten it, hidden characters first`;
  return new InvalidInputError([issueAt([field], message)]);
}

function chosenClients({ clients, text }: McpConfigOptions): readonly Client[] {
  if (clients) return [...new Set(clients)];
  const shown = [...new Set(text?.client)];
  const isFurther = (client: Client) => !CLIENTS.some((other) => other === client);
  return shown.some(isFurther) ? shown : CLIENTS;
}

type MemberWriter = (client: ClientDefinition, server: Server) => string;

/** Writes a server as a member of the object of servers; several clients have the same one. */
function memberWriter(): MemberWriter {
  const written: { entry: ClientDefinition["entry"]; server: Server; member: string }[] = [];
  return ({ entry }, server) => {
    const same = written.find((one) => one.entry === entry && one.server === server);
    if (same) return same.member;
    const member = writeJsonMember(server.name, entry(server));
    written.push({ entry, server, member });
    return member;
  };
}

function configFor(
  client: ClientDefinition,
  facts: ServerFacts,
  writeMember: MemberWriter,
): ClientConfig {
  const { secrets, references } = facts;
  const held = references.filter((text) => client.references?.resolvesIn(text));
  const write = client.references?.write;
  const server = write ? rewriteReferences(facts.server, held, write) : facts.server;
  const commands = client.commands?.(server, secrets);
  const bash = commands && bashLine(commands.bash);
  const kept = client.link && secretInLink(facts);
  const link = kept === undefined && client.link?.(server);
  return {
    client: client.id,
    title: client.title,
    format: client.format,
    locations: [...client.locations],
    ...writeConfig(client, server, writeMember),
    install: {
      ...(bash !== undefined && { bash }),
      ...(commands?.powershell && { powershell: commands.powershell }),
      ...(link && { link }),
    },
    notes: [
      ...pasteNotes(client, server),
      ...client.notes(facts),
      ...referenceNotes(client, held),
      ...secretNotes(client, secrets, bash === undefined ? [] : variablesIn(commands?.bash ?? [])),
      ...(commands && bash === undefined
        ? ["There is no bash line, because shells drop the line break at the end of an argument."]
        : []),
      ...(kept === undefined
        ? []
        : [`There is no link, because it would carry ${kept} into histories and chats.`]),
    ],
  };
}

/** The client's whole file with this one server, and the part to add to a file with others. */
function writeConfig(
  client: ClientDefinition,
  server: Server,
  writeMember: MemberWriter,
): Pick<ClientConfig, "snippet" | "entry"> {
  const { format, rootKey, entry, extras } = client;
  if (format === "toml") {
    const tables = writeToml({ [rootKey]: { [server.name]: entry(server) } });
    return { snippet: tables, entry: tables };
  }
  const member = writeMember(client, server);
  return { snippet: writeJsonFile(rootKey, member, extras?.(server)), entry: member };
}

/** What keeps this server out of a link, in words; undefined for a server without a secret. */
function secretInLink({ server, secrets }: ServerFacts): string | undefined {
  const isLiteral = (value: string) => schemeAndReference(value) === undefined;
  if (server.transport === "stdio") {
    if (Object.values(server.env).some(isLiteral)) return "the values of env";
    return secrets.args.length > 0 ? "what looks like a secret in args" : undefined;
  }
  if (Object.values(server.headers).some(isLiteral)) return "the values of headers";
  return secrets.parameters.length > 0 || secrets.inPath
    ? "what looks like a secret in url"
    : undefined;
}

const pasteNotes = ({ format, rootKey }: ClientDefinition, { name }: Server): string[] => [
  format === "json"
    ? `If the file has other servers, add "${name}" to its "${rootKey}", in place of an old one of that name.`
    : `If the file has other settings, append these tables and remove the old ones: a second [${rootKey}.${name}] is an error.`,
];

const referenceNotes = (
  { title, references }: ClientDefinition,
  held: readonly ReferringText[],
): string[] =>
  held.length === 0 || references?.areBridged
    ? []
    : [
        `${title} reads ${[...new Set(held.flatMap(({ names }) => names))].join(", ")} from the environment that it is started in: set it there first.`,
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
