import * as v from "valibot";
import { closedObject } from "../../schemas/common.ts";
import {
  CLIENTS,
  clientsSchema,
  extendedMcpConfigInput,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  mcpConfigInput,
  TRANSPORTS,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Findings, formatWarnings, type RawResult } from "../findings.ts";
import { validate } from "../issues.ts";
import { jsonBytes } from "../text.ts";
import { type CallOptions, optionsSchema, type RunOptions, type Tool } from "../tool.ts";
import { withBridgeIfNeeded } from "./bridge.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { type McpFindings, mcpFindings } from "./config-findings.ts";
import { warnAboutConfigs } from "./config-warnings.ts";
import { parseServer, type ServerVariable } from "./mcp-server.ts";
import { collectServerFacts, writeClientConfig } from "./write-client-config.ts";

/**
 * Writes the config of one MCP server, by default for Claude Desktop, Claude Code, Cursor, VS Code and
 * Codex.
 *
 * @param input one server: `command`, `args` and `env` if it is local, or `url` and `headers` if remote.
 * @param options `clients`: which clients, in the order of the result. `variables`: values of the
 * references, from `parseServerJson`; VS Code prompts for them, and clients without references get the
 * placeholder `<NAME>`. `transport`: `"sse"` for the older transport; clients without SSE start the
 * bridge mcp-remote, with a warning. `limits: "extended"` allows every header name, and variables in a
 * URL, such as `${BASE_URL}/mcp`, as clients' files do.
 * @returns each client's file, a snippet to paste, and commands and links that add the server.
 * @throws {InvalidInputError} if the input breaks its schema, does not describe exactly one server, or
 * has a value that no client can pass on, and for an unknown client.
 *
 * @example
 * const { clients } = createMcpConfig({ name: "files", command: "npx", args: ["-y", "files-server"] });
 * clients[0]?.snippet; // '{\n  "mcpServers": {\n    "files": {\n …'
 */
export function createMcpConfig(
  input: McpConfigInput,
  options: Omit<CallOptions, "priceBook" | "today"> = {},
): McpConfigResult {
  const { limits, ...given } = validate(ConfigOptionsSchema, options, ["options"]);
  const schema = limits === "extended" ? extendedMcpConfigInput : mcpConfigInput;
  return formatWarnings(writeConfigs(validate(schema, input), given));
}

const serverVariableSchema: v.GenericSchema<ServerVariable> = closedObject({
  name: v.string(),
  description: v.optional(v.string()),
  secret: v.boolean(),
  choices: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  value: v.optional(v.string()),
});

/** The options that the config and the README share. */
export const optionEntries = {
  clients: v.optional(clientsSchema),
  variables: v.optional(v.array(serverVariableSchema)),
  transport: v.optional(v.picklist(TRANSPORTS)),
};

const ConfigOptionsSchema = optionsSchema({ ...optionEntries, cwd: v.optional(v.string()) });

export const mcpConfigTool = {
  contract: mcpConfigContract,
  options: ConfigOptionsSchema,
  run: writeConfigs,
} satisfies Tool<typeof mcpConfigContract>;

function writeConfigs(
  input: ValidMcpConfigInput,
  options?: RunOptions,
): RawResult<McpConfigResult> {
  const { parts: _, ...result } = writeConfigsInParts(input, options);
  return result;
}

/** The result of `createMcpConfig`, and the parts that each client's config is made of. */
export interface McpConfigInParts extends RawResult<McpConfigResult> {
  readonly parts: readonly ReturnType<typeof writeClientConfig>["parts"][];
}

/** The options of the page. */
interface PartsOptions extends RunOptions {
  /** Whether shell commands contain secrets. Default: they read secrets from shell variables. */
  readonly commandsHoldSecrets?: boolean;
}

/** @throws {InvalidInputError} if no client can use the server, or the result is too large. */
export function writeConfigsInParts(
  input: ValidMcpConfigInput,
  { commandsHoldSecrets, ...options }: PartsOptions = {},
): McpConfigInParts {
  const server = parseServer(input, options.transport, options.cwd);
  const findings: McpFindings = new Findings(mcpFindings);
  const facts = collectServerFacts(server, options.variables);
  const ids = options.clients?.length ? new Set(options.clients) : CLIENTS;
  const chosen = Array.from(ids, (client) => withBridgeIfNeeded(clientDefinitions[client], server));
  warnAboutConfigs(chosen, facts, findings);
  const secrets = { ...facts.secrets, inCommands: commandsHoldSecrets === true };
  const clientConfigs = chosen.map((client) => writeClientConfig(client, { ...facts, secrets }));
  const clients = clientConfigs.map(({ config }) => config);
  const { name, transport } = server;
  const result = { name, transport, clients, warnings: [...findings.warnings] };
  const { resultBytes = Infinity } = options;
  // A byte of the input can become up to 100 bytes of a client's config, mostly by escaping.
  const mayExceed = chosen.length * (5_000 + 100 * jsonBytes(input)) > resultBytes;
  if (mayExceed && jsonBytes(result) > resultBytes) {
    findings.at(findLargestField(input)).fail("result-too-large", { bytes: resultBytes });
  }
  return { ...result, parts: clientConfigs.map(({ parts }) => parts) };
}

function findLargestField(input: ValidMcpConfigInput): string {
  const [field = ""] = Object.entries(input)
    .sort(([, one], [, other]) => jsonBytes(other) - jsonBytes(one))
    .map(([name]) => name);
  return field;
}
