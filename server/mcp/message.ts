import { isJSONRPCNotification, isJSONRPCRequest } from "@modelcontextprotocol/server";
import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { formatIssue, formatPath, issueAt, type Path } from "../../src/issues.ts";
import { findDuplicateKey } from "../../src/json-text.ts";
import { jsonBytes } from "../../src/text.ts";
import { problemResult } from "./server.ts";

/** A message for the SDK, or the answer to a message that must not reach it. */
export type ReadMessage =
  | { readonly message: object }
  | { readonly answer: object; readonly isMalformed: boolean };

/**
 * Reads the text of one JSON-RPC message. The SDK gets parsed values, in which a key that stands
 * twice is lost already.
 */
export function readMessage(text: string): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return malformed(null, PARSE_ERROR, "the message must be JSON");
  }
  if (Array.isArray(message)) return malformed(null, INVALID_REQUEST, "batches are not supported");
  if (typeof message !== "object" || message === null) {
    return malformed(null, INVALID_REQUEST, "the message must be an object");
  }
  const { id } = message as Message;
  const duplicate = findDuplicateKey(text);
  if (duplicate && !isInArguments(duplicate)) {
    const problem = `${formatPath(duplicate)}: is given twice`;
    return malformed(isId(id) ? id : null, INVALID_REQUEST, problem);
  }
  if (!isProtocol(message as Message)) {
    // The SDK drops it over standard input, and its sender would wait for ever.
    return malformed(isId(id) ? id : null, INVALID_REQUEST, NO_MESSAGE);
  }
  const problem = problemOfArguments(message as Message, duplicate);
  if (problem === undefined || !isId(id)) return { message };
  return { answer: resultFor(message as Message, problem), isMalformed: false };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const NO_MESSAGE =
  'the message must have "jsonrpc": "2.0", a method, params and their _meta as objects, as id a text or a whole number below 2^53, and nothing else';

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly arguments?: unknown; readonly _meta?: object };
}

/**
 * Whether the SDK takes it for a request or a notification, or it is an answer: two sides that
 * answer each other's errors would never end.
 */
function isProtocol(message: Message): boolean {
  const isAnswer = message.method === undefined && ("result" in message || "error" in message);
  return isAnswer || isJSONRPCRequest(message) || isJSONRPCNotification(message);
}

type Id = string | number;

const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

const isInArguments = ([first, second]: Path): boolean =>
  first === "params" && second === "arguments";

function problemOfArguments({ params }: Message, duplicate?: Path): string | undefined {
  if (duplicate) return formatIssue(issueAt(duplicate.slice(2), "is given twice"));
  const input = params?.arguments;
  try {
    const bytes = input === undefined ? 0 : jsonBytes(input);
    if (bytes <= MAX_TOOL_INPUT_BYTES) return undefined;
    return `the arguments may have ${MAX_TOOL_INPUT_BYTES} bytes, and have ${bytes}`;
  } catch (error) {
    // JSON.stringify is recursive, which JSON.parse is not.
    if (error instanceof RangeError) return "the arguments are nested too deeply";
    throw error;
  }
}

function resultFor({ id, params }: Message, problem: string): object {
  const result = problemResult([problem]);
  // Since 2026-07-28 each request names its protocol version, and each result its type.
  const isModern = Object.hasOwn(params?._meta ?? {}, VERSION);
  return { jsonrpc: "2.0", id, result: isModern ? { ...result, resultType: "complete" } : result };
}

const VERSION = "io.modelcontextprotocol/protocolVersion";

const malformed = (id: Id | null, code: number, message: string): ReadMessage => ({
  answer: { jsonrpc: "2.0", id, error: { code, message } },
  isMalformed: true,
});
