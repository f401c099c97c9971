import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { formatIssue, formatPath, issueAt, type Path } from "../../src/issues.ts";
import { findDuplicateKey } from "../../src/json-text.ts";
import { jsonBytes } from "../../src/text.ts";
import { allowedMessage, isObject, MAX_MESSAGE_BYTES, MAX_TEXT, type Message } from "./allowed.ts";
import { boundedAnswer, errorAnswer, type Id, problemResult } from "./answer.ts";

/** A message for the SDK, the answer to one that must not reach it, or one that needs no answer. */
export type ReadMessage =
  | { readonly message: Message }
  | { readonly answer: object; readonly isMalformed: boolean }
  | { readonly isIgnored: true };

/**
 * Reads the text of one JSON-RPC message. The SDK gets parsed values, in which a key that is given
 * twice is lost already.
 */
export function readMessage(text: string, transport: "http" | "stdio"): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return malformed(null, PARSE_ERROR, "the message must be JSON");
  }
  if (Array.isArray(message)) return malformed(null, INVALID_REQUEST, "batches are not supported");
  if (!isObject(message)) return malformed(null, INVALID_REQUEST, "the message must be an object");
  const id = isId(message.id) ? message.id : null;
  const duplicate = findDuplicateKey(text);
  if (duplicate && !(message.method === "tools/call" && isInArguments(duplicate))) {
    return malformed(id, INVALID_REQUEST, `${formatPath(duplicate)}: is given twice`);
  }
  if (isAnswer(message)) return { isIgnored: true };
  const allowed = isProtocol(message) ? allowedMessage(message) : undefined;
  if (!allowed || !(isJSONRPCRequest(allowed) || isJSONRPCNotification(allowed))) {
    // The SDK drops it over standard input, and its sender would wait for ever.
    return malformed(id, INVALID_REQUEST, NO_MESSAGE);
  }
  const unsupported = transport === "stdio" ? unsupportedVersion(id, allowed) : undefined;
  if (unsupported) return { answer: unsupported, isMalformed: true };
  const problem = problemOfArguments(allowed, duplicate);
  if (problem === undefined || id === null) return { message: allowed };
  return { answer: resultFor(id, allowed, problem), isMalformed: false };
}

/** The answer to a message that is longer than it may be, of which nothing is read. */
export const tooLongAnswer = () =>
  errorAnswer(null, INVALID_REQUEST, `the message may have at most ${MAX_MESSAGE_BYTES} bytes`);

/**
 * The error of a request whose version is not supported. Over standard input the SDK looks at the
 * version of the first message alone; over HTTP it first compares each with the header.
 */
function unsupportedVersion(id: Id | null, { params }: Message): object | undefined {
  const version = isObject(params?._meta) ? params._meta[VERSION_KEY] : undefined;
  if (id === null || typeof version !== "string" || SUPPORTED.has(version)) return undefined;
  const answer = errorAnswer(id, UNSUPPORTED_VERSION, `Unsupported protocol version: ${version}`);
  const data = { supported: [MODERN_VERSION], requested: version };
  return boundedAnswer({ ...answer, error: { ...answer.error, data } });
}

/** The revision since which each request names its version. */
const MODERN_VERSION = "2026-07-28";
const SUPPORTED: ReadonlySet<string> = new Set([...SUPPORTED_PROTOCOL_VERSIONS, MODERN_VERSION]);

const UNSUPPORTED_VERSION = -32_022;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const NO_MESSAGE = `the message must have "jsonrpc": "2.0", a method, params and their _meta as objects, as id a text of at most ${MAX_TEXT} characters or a whole number below 2^53, and nothing else`;

/** Answers are ignored: the server asks nothing, and answering errors with errors would never end. */
const isAnswer = (message: object): boolean =>
  !("method" in message) && ("result" in message || "error" in message);

/** True for the fields of a request or a notification. The SDK checks their values. */
function isProtocol(
  message: Readonly<Record<string, unknown>>,
): message is typeof message & Message {
  const { method, params, id } = message;
  return (
    Object.keys(message).every((key) => MEMBERS.has(key)) &&
    typeof method === "string" &&
    (params === undefined || isObject(params)) &&
    (id === undefined || isId(id))
  );
}

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

const isId = (id: unknown): id is Id =>
  typeof id === "number" || (typeof id === "string" && id.length <= MAX_TEXT);

const isInArguments = ([first, second]: Path): boolean =>
  first === "params" && second === "arguments";

function problemOfArguments({ params }: Message, duplicate?: Path): string | undefined {
  if (duplicate) return formatIssue(issueAt(duplicate.slice(2), "is given twice"));
  const input = params?.arguments;
  if (input !== undefined && !isObject(input)) {
    const kind = input === null ? "null" : Array.isArray(input) ? "a list" : `a ${typeof input}`;
    return `the arguments must be an object, not ${kind}`;
  }
  try {
    const bytes = input === undefined ? 0 : jsonBytes(input);
    if (bytes <= MAX_TOOL_INPUT_BYTES) return undefined;
    return `the arguments may have at most ${MAX_TOOL_INPUT_BYTES} bytes, and have ${bytes}`;
  } catch (error) {
    // JSON.stringify is recursive, which JSON.parse is not.
    if (error instanceof RangeError) return "the arguments are nested too deeply";
    throw error;
  }
}

function resultFor(id: Id, { params }: Message, problem: string): object {
  const result = problemResult(problem);
  // Since 2026-07-28 each request names its protocol version, and each result its type.
  const isModern = isObject(params?._meta) && Object.hasOwn(params._meta, VERSION_KEY);
  return { jsonrpc: "2.0", id, result: isModern ? { ...result, resultType: "complete" } : result };
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

const malformed = (id: Id | null, code: number, message: string): ReadMessage => ({
  answer: errorAnswer(id, code, message),
  isMalformed: true,
});
