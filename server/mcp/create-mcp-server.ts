import { ProtocolError, ProtocolErrorCode, Server, type Tool } from "@modelcontextprotocol/server";
import packageJson from "../../package.json" with { type: "json" };
import { type Contract, MAX_RESULT_BYTES, tools } from "../../schemas/index.ts";
import { requireTool, toToolResult } from "../../src/call-tool.ts";
import { formatWarnings } from "../../src/findings.ts";
import { validate } from "../../src/issues.ts";
import { type JsonSchema, toEmbeddedJsonSchema } from "../../src/json-schema.ts";
import type { Service } from "../service.ts";
import { formatRpcError, toErrorResult } from "./json-rpc-message.ts";

export interface McpServerOptions extends Pick<Service, "run"> {
  /** Called for an internal error; the client gets no details. */
  onError(error: unknown): void;
}

/**
 * Creates an MCP server for one request or one connection. The SDK's low-level server leaves schemas
 * unchanged, and validation to the tools.
 */
export function createMcpServer(options: McpServerOptions): Server {
  const cached = { ttlMs: 3_600_000, cacheScope: "public" } as const;
  const server = new Server(
    { name: "handtools", title: "Handtools", version: packageJson.version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { "tools/list": cached, "server/discover": cached },
    },
  );
  server.setRequestHandler("tools/list", () => {
    toolList ??= tools.map(toMcpTool);
    return { tools: toolList };
  });
  server.setRequestHandler("tools/call", ({ params }) =>
    callMcpTool(params.name, params.arguments, options),
  );
  return server;
}

const INSTRUCTIONS =
  "Pure functions without side effects: Gmail filters as an importable file, the price of Zapier plans, MCP server configs for AI clients. A result with isError names each problem by its path; correct the arguments and call again. Show the user the warnings of a result.";

let toolList: Tool[] | undefined;

const toMcpTool = ({ name, title, description, input, clients, output }: Contract): Tool => ({
  name,
  title,
  description,
  inputSchema: objectSchema(
    toEmbeddedJsonSchema(input),
    clients && { clients: toEmbeddedJsonSchema(clients) },
  ),
  outputSchema: objectSchema(toEmbeddedJsonSchema(output)),
  // Clients run read-only tools without asking the user.
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/** Copies the schema, because the SDK's type has an index signature. */
const objectSchema = (schema: JsonSchema, more?: JsonSchema["properties"]): Tool["inputSchema"] =>
  JSON.parse(JSON.stringify({ ...schema, properties: { ...schema.properties, ...more } }));

/**
 * Calls a tool. Some clients show the model only `content` and some only `structuredContent`, so both
 * have the whole result.
 */
function callMcpTool(name: string, input: unknown, { run, onError }: McpServerOptions) {
  const { clients, ...fields }: { readonly clients?: unknown } = Object(input ?? {});
  // `clients` is an option of the tool, not part of its input.
  const outcome = toToolResult(() => {
    const tool = requireTool(name);
    const schema = "clients" in tool.contract ? tool.contract.clients : undefined;
    return formatWarnings(
      schema && clients !== undefined
        ? run(tool, fields, { resultBytes, clients: validate(schema, clients, ["clients"]) })
        : run(tool, input ?? {}, { resultBytes }),
    );
  });
  if (outcome.ok) {
    const text = JSON.stringify(outcome.value);
    return { content: [{ type: "text" as const, text }], structuredContent: { ...outcome.value } };
  }
  const { code, message, cause } = outcome.error;
  if (code === "not_found") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, formatRpcError(message));
  }
  if (code === "internal_error") {
    onError(cause);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
  return toErrorResult(message);
}

/** The response has the result as JSON and as a string, where escapes may double its length. */
const resultBytes = Math.floor(MAX_RESULT_BYTES / 3);
