import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from "@modelcontextprotocol/server";
import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { formatPath } from "../../src/issues.ts";
import { findDuplicateKey } from "../../src/parse-json.ts";
import { escapeText, hasMoreBytes, jsonBytes, truncateToBytes } from "../../src/text.ts";
import { MAX_MESSAGE_BYTES } from "../service.ts";

type JsonRpcMessage = JSONRPCRequest | JSONRPCNotification;

interface JsonRpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

/**
 * Parses one JSON-RPC message. The SDK would get parsed values, without duplicate keys, and over
 * standard input it drops invalid messages, whose sender would wait.
 *
 * @returns a message for the SDK, or the response to an invalid one, if it needs a response.
 */
export function parseJsonRpcMessage(
  text: string,
): { readonly message: JsonRpcMessage } | { readonly response?: JsonRpcResponse } {
  const message = parse(text);
  const id =
    isJsonRpcObject(message) && /number|string/.test(typeof message.id) ? message.id : null;
  const reject = (problem: string, code = INVALID_REQUEST) => ({
    response: { jsonrpc: "2.0", id, error: { code, message: formatRpcError(problem) } },
  });
  if (hasMoreBytes(text, MAX_MESSAGE_BYTES)) {
    return reject(`the message must have at most ${MAX_MESSAGE_BYTES} bytes`);
  }
  if (message === undefined) return reject("the message must be JSON", PARSE_ERROR);
  if (!isJsonRpcObject(message)) return reject("the message must be an object, and no batch");
  const duplicate = findDuplicateKey(text);
  const isInArguments = duplicate?.[0] === "params" && duplicate[1] === "arguments";
  if (duplicate && !(message.method === "tools/call" && isInArguments)) {
    return reject(`${formatPath(duplicate)}: is given twice`);
  }
  // The server sends no requests, so it ignores responses.
  if (!("method" in message) && ("result" in message || "error" in message)) return {};
  const short = withoutDetails(message);
  if (!(isJSONRPCRequest(short) || isJSONRPCNotification(short))) return reject(NO_MESSAGE);
  // Since 2026-07-28 each request names its protocol version, and each result its type.
  const isModern = Object.hasOwn(short.params?._meta ?? {}, VERSION_KEY);
  // The SDK would accept it, but the server announces no changes.
  if (isModern && isJSONRPCRequest(short) && short.method === "subscriptions/listen") {
    return reject("Method not found", METHOD_NOT_FOUND);
  }
  const problem = duplicate
    ? `${formatPath(duplicate.slice(2))}: is given twice`
    : problemOfArguments(short);
  if (problem === undefined || id === null) return { message: short };
  const result = toErrorResult(problem);
  const typed = isModern ? { ...result, resultType: "complete" } : result;
  return { response: { jsonrpc: "2.0", id, result: typed } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates the result for invalid arguments, which the model can correct. */
export const toErrorResult = (problem: string) => ({
  content: [{ type: "text" as const, text: formatRpcError(problem) }],
  isError: true,
});

export const formatRpcError = (text: string): string =>
  truncateToBytes(escapeText(text), MAX_ERROR_BYTES);

const MAX_ERROR_BYTES = 2_048;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;

const NO_MESSAGE =
  'the message must have "jsonrpc": "2.0", a method, objects for params and _meta, a string or a whole number below 2^53 for the id, and nothing else';

/** Removes nested details about the client: the SDK would validate them, and no tool needs them. */
const withoutDetails = (fields: JsonRpcFields): JsonRpcFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (!isJsonRpcObject(value)) return [key, value];
      if (key === "params" || key === "_meta") return [key, withoutDetails(value)];
      return [key, /(?:clientInfo|capabilities)$/i.test(key) ? onlyScalars(value) : value];
    }),
  );

const onlyScalars = (fields: JsonRpcFields): JsonRpcFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== "object"));

type JsonRpcFields = Readonly<Record<string, unknown>>;

const isJsonRpcObject = (value: unknown): value is JsonRpcFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function problemOfArguments({ params }: JsonRpcMessage): string | undefined {
  const { arguments: input = {} } = params ?? {};
  if (!isJsonRpcObject(input)) return "the arguments must be an object";
  try {
    const bytes = jsonBytes(input);
    if (bytes <= MAX_TOOL_INPUT_BYTES) return undefined;
    return `the arguments must have at most ${MAX_TOOL_INPUT_BYTES} bytes; they have ${bytes}`;
  } catch (error) {
    // JSON.stringify is recursive; JSON.parse is not.
    if (error instanceof RangeError) return "the arguments are nested too deeply";
    throw error;
  }
}
