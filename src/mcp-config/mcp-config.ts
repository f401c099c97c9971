import * as v from "valibot";
import { closedObject } from "../../schemas/common.ts";
import {
  CLIENTS,
  type ClientConfig,
  clientsSchema,
  extendedMcpConfigInput,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  mcpConfigInput,
  TRANSPORTS,
  type ValidMcpConfigInput,
} from "../../schemas/mcp-config.ts";
import { Findings } from "../findings.ts";
import { validate } from "../issues.ts";
import { jsonBytes } from "../text.ts";
import { type CallOptions, optionsSchema, type RunOptions, type Tool } from "../tool.ts";
import { useBridgeIfNeeded } from "./bridge.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { type McpFindings, mcpFindings } from "./config-findings.ts";
import { warnAboutConfigs } from "./config-warnings.ts";
import { parseServer, type ServerVariable } from "./mcp-server.ts";
import { collectServerFacts, writeClientConfig, writeServer } from "./write-client-config.ts";

/**
 * Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex.
 *
 * @param input one server: `command`, `args` and `env` if it is local, or `url` and `headers` if remote.
 * @param options `clients`: other clients, in the order of the result. `variables`: values of the
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
  const { limits, ...given } = validate(OptionsSchema, options, ["options"]);
  const schema = limits === "extended" ? extendedMcpConfigInput : mcpConfigInput;
  return writeConfigs(validate(schema, input), given);
}

const serverInputSchema: v.GenericSchema<ServerVariable> = closedObject({
  name: v.string(),
  description: v.optional(v.string()),
  secret: v.boolean(),
  choices: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  value: v.optional(v.string()),
});

/** The options that the config and the README share. */
export const optionEntries = {
  clients: v.optional(clientsSchema),
  variables: v.optional(v.array(serverInputSchema)),
  transport: v.optional(v.picklist(TRANSPORTS)),
};

const OptionsSchema = optionsSchema({ ...optionEntries, cwd: v.optional(v.string()) });

export const mcpConfigTool = {
  contract: mcpConfigContract,
  options: OptionsSchema,
  run: writeConfigs,
} satisfies Tool<typeof mcpConfigContract>;

function writeConfigs(input: ValidMcpConfigInput, options?: RunOptions): McpConfigResult {
  const { parts: _, ...result } = writeConfigsInParts(input, options);
  return result;
}

/** The result of `createMcpConfig`, plus each client's notes by subject and prompts. */
export interface McpConfigInParts extends McpConfigResult {
  readonly parts: readonly ConfigParts[];
}

export type ConfigParts = ReturnType<typeof writeClientConfig>["parts"];

/** @throws {InvalidInputError} if no client can use the server, or the result is too large. */
export function writeConfigsInParts(
  input: ValidMcpConfigInput,
  options: RunOptions = {},
): McpConfigInParts {
  const { chosen, analysis, findings } = analyse(input, options);
  const { name, transport } = analysis.server;
  const { resultBytes = Infinity } = options;
  const isLimited = resultBytes !== Infinity;
  const clients: ClientConfig[] = [];
  const parts: ConfigParts[] = [];
  const result = { name, transport, clients, warnings: [...findings.warnings] };
  let left = isLimited ? resultBytes - jsonBytes(result) : Infinity;
  for (const client of chosen) {
    const { config, parts: own } = writeClientConfig(client, analysis);
    if (isLimited) left -= jsonBytes(config) + Number(clients.length > 0);
    if (left < 0) findings.at(longestField(input)).fail("result-too-large", { bytes: resultBytes });
    clients.push(config);
    parts.push(own);
  }
  return { ...result, parts };
}

/**
 * Returns the server's entry for each client's file, and the warnings.
 *
 * @throws {InvalidInputError} if no client can use the server.
 */
export function writeServers(input: ValidMcpConfigInput, options: RunOptions) {
  const { chosen, analysis, findings } = analyse(input, options);
  const servers = chosen.map((client) => writeServer(client, analysis));
  return { servers, warnings: [...findings.warnings] };
}

function analyse(input: ValidMcpConfigInput, options: RunOptions) {
  const server = parseServer(input, options.transport, options.cwd);
  const findings: McpFindings = new Findings(mcpFindings);
  const analysis = collectServerFacts(server, options.variables);
  const ids = options.clients?.length ? new Set(options.clients) : CLIENTS;
  const chosen = Array.from(ids, (client) => useBridgeIfNeeded(clientDefinitions[client], server));
  warnAboutConfigs(chosen, analysis, findings);
  return { chosen, analysis, findings };
}

function longestField(input: ValidMcpConfigInput): string {
  const [field = ""] = Object.entries(input)
    .sort(([, one], [, other]) => jsonBytes(other) - jsonBytes(one))
    .map(([name]) => name);
  return field;
}
