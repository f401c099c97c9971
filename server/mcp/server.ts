import { ProtocolError, ProtocolErrorCode, Server, type Tool } from "@modelcontextprotocol/server";
import { API_VERSION, type Contract, MAX_RESULT_BYTES, tools } from "../../schemas/index.ts";
import { toToolResult } from "../../src/call-tool.ts";
import { type ToolResult, validate } from "../../src/issues.ts";
import { bareSchema, type JsonSchema, jsonSchema } from "../../src/json-schema.ts";
import { byteLength, hasMoreBytes, jsonBytes, thousands } from "../../src/text.ts";
import type { RunOptions } from "../../src/tool.ts";
import { once } from "../once.ts";
import { errorText, problemResult } from "./message.ts";

/** The parts of its host that the MCP server needs. */
export interface McpHost {
  run(name: string, input: unknown, options: RunOptions): ToolResult;
  /** Called for an internal error of a tool; the client gets no details. */
  onError(error: unknown): void;
}

/**
 * A server of the Model Context Protocol with the tools, for one request or one connection. The
 * low-level server of the SDK leaves the schemas as they are, and the validation to the tools.
 */
export function createMcpServer(host: McpHost): Server {
  const server = new Server(
    { name: "handtools", title: "Handtools", version: API_VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        "tools/list": { ttlMs: HOUR_MS, cacheScope: "public" },
        "server/discover": { ttlMs: HOUR_MS, cacheScope: "public" },
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolList() }));
  server.setRequestHandler("tools/call", ({ params }) =>
    callTool(params.name, params.arguments, host),
  );
  return server;
}

const INSTRUCTIONS =
  "Pure functions without side effects: Gmail filters as an importable file, the price of Zapier plans, MCP server configs for AI clients. A result with isError names each problem by its path; correct the arguments and call again. Show the user the warnings of a result.";

const HOUR_MS = 3_600_000;

const toolList = once(() => tools.map(toMcpTool));

const toMcpTool = ({ name, title, description, input, clients, output }: Contract): Tool => ({
  name,
  title,
  description,
  inputSchema: objectSchema(jsonSchema(input), clients && { clients: bareSchema(clients) }),
  outputSchema: objectSchema(jsonSchema(output)),
  // Clients run a tool without asking only when it says that it changes nothing.
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});

/** A copy, because the SDK's type of a schema has an index signature. */
const objectSchema = (schema: JsonSchema, more?: JsonSchema["properties"]): Tool["inputSchema"] =>
  JSON.parse(JSON.stringify({ ...schema, properties: { ...schema.properties, ...more } }));

/**
 * Calls a tool. Some clients show the model only the text and some only the structured content, so
 * each of them is the whole result.
 */
function callTool(name: string, input: unknown, { run, onError }: McpHost) {
  const outcome = runWithClients(name, input ?? {}, run);
  if (outcome.ok) {
    const text = JSON.stringify(outcome.value);
    const problem = problemOfSize(text);
    if (problem) return problemResult(problem);
    return { content: [{ type: "text" as const, text }], structuredContent: { ...outcome.value } };
  }
  const { code, message, cause } = outcome.error;
  if (code === "not_found") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(message));
  }
  if (code === "internal_error") {
    onError(cause);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
  return problemResult(message);
}

/** The clients of a result are chosen by an argument of their own. */
function runWithClients(name: string, input: unknown, run: McpHost["run"]): ToolResult {
  const options = { resultBytes: LONGEST_RESULT_BYTES };
  const { clients: schema }: Partial<Contract> = tools.find((tool) => tool.name === name) ?? {};
  const { clients, ...fields }: { readonly clients?: unknown } = Object(input);
  if (!schema || clients === undefined) return run(name, input, options);
  const chosen = toToolResult(() => ({ clients: validate(schema, clients, ["clients"]) }));
  return chosen.ok ? run(name, fields, { ...options, ...chosen.value }) : chosen;
}

/** The error for a result that is too long for an answer of MCP, which contains it twice. */
function problemOfSize(result: string): string | undefined {
  // In the quotes of a text, JSON is at most twice as long.
  if (!hasMoreBytes(result, (MAX_RESULT_BYTES - FRAME_BYTES) / 3)) return undefined;
  const bytes = byteLength(result) + jsonBytes(result) + FRAME_BYTES;
  if (bytes <= MAX_RESULT_BYTES) return undefined;
  return `the answer may have at most ${thousands(MAX_RESULT_BYTES)} bytes, and would have ${thousands(bytes)}; shorten the arguments`;
}

/** Room for the rest of an answer: the id and the _meta of the server. */
const FRAME_BYTES = 2_048;

/** The longest result that fits into an answer twice. The tool makes no longer one. */
const LONGEST_RESULT_BYTES = (MAX_RESULT_BYTES - FRAME_BYTES) / 2;
