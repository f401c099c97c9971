import { isJSONRPCNotification, isJSONRPCRequest } from "@modelcontextprotocol/server";
import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { formatIssue, formatPath, issueAt, type Path } from "../../src/issues.ts";
import { findDuplicateKey } from "../../src/json-text.ts";
import { cutToBytes, hasMoreBytes, jsonBytes, visibleText } from "../../src/text.ts";
import { MAX_MESSAGE_BYTES } from "./max-message.ts";

/** A message for the SDK, the answer to one that must not reach it, or one that needs no answer. */
export type ReadMessage =
  | { readonly message: Message }
  | { readonly answer: object; readonly isMalformed: boolean }
  | { readonly isIgnored: true };

/** A request, or a notification, which has no id. */
interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: Id;
  readonly method: string;
  readonly params?: { readonly arguments?: unknown; readonly _meta?: unknown } | undefined;
}

type Id = string | number;

/**
 * Reads the text of one JSON-RPC message. The SDK gets parsed values, where a key that is given
 * twice is lost already.
 */
export function readMessage(text: string): ReadMessage {
  const message = parse(text);
  const id = isObject(message) && isId(message.id) ? message.id : null;
  if (hasMoreBytes(text, MAX_MESSAGE_BYTES)) return tooLong(id);
  if (message === undefined) return malformed(null, PARSE_ERROR, "the message must be JSON");
  if (!isObject(message)) {
    return malformed(null, INVALID_REQUEST, "the message must be an object, and no batch");
  }
  const duplicate = findDuplicateKey(text);
  if (duplicate && !(message.method === "tools/call" && isInArguments(duplicate))) {
    return malformed(id, INVALID_REQUEST, `${formatPath(duplicate)}: is given twice`);
  }
  if (isAnswer(message)) return { isIgnored: true };
  const short = withoutDetails(message);
  if (!(isJSONRPCRequest(short) || isJSONRPCNotification(short))) {
    // The SDK drops it over standard input, and its sender would wait for ever.
    return malformed(id, INVALID_REQUEST, NO_MESSAGE);
  }
  const problem = problemOfArguments(short, duplicate);
  if (problem === undefined || id === null) return { message: short };
  return { answer: problemAnswer(id, short, problem), isMalformed: false };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param id of the message, if it was read. */
export const tooLong = (id: Id | null): ReadMessage =>
  malformed(id, INVALID_REQUEST, `the message may have at most ${MAX_MESSAGE_BYTES} bytes`);

/** The result of a call with bad arguments, which the model reads and corrects. */
export const problemResult = (problem: string) => ({
  content: [{ type: "text" as const, text: errorText(problem) }],
  isError: true,
});

export const errorText = (text: string): string => cutToBytes(visibleText(text), MAX_ERROR_BYTES);

const MAX_ERROR_BYTES = 2_048;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const NO_MESSAGE =
  'the message must have "jsonrpc": "2.0", a method, params and their _meta as objects, as id a text or a whole number below 2^53, and nothing else';

/** Answers are ignored: the server asks nothing, and answering errors with errors would never end. */
const isAnswer = (message: object): boolean =>
  !("method" in message) && ("result" in message || "error" in message);

/**
 * A message without the fields that no tool needs, such as the capabilities of its client: the SDK
 * would validate them, and list each problem.
 */
function withoutDetails(message: Fields): unknown {
  const { params } = message;
  if (!isObject(params)) return message;
  const { arguments: input, _meta: meta } = params;
  return {
    ...message,
    params: {
      ...known(params),
      ...("arguments" in params && { arguments: input }),
      ...("_meta" in params && { _meta: isObject(meta) ? known(meta) : meta }),
    },
  };
}

/** The known fields. Of one that is an object, only the scalars are left. */
const known = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => KNOWN.test(key))
      .map(([key, value]) => [key, isObject(value) ? onlyScalars(value) : value]),
  );

/** The known parameters, and the fields of _meta that replace `initialize` since 2026-07-28. */
const KNOWN =
  /^(?:protocolVersion|clientInfo|capabilities|name|cursor|notifications|requestId|progressToken|io\.modelcontextprotocol\/\w+)$/;

const onlyScalars = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== "object"));

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isId = (id: unknown): id is Id => typeof id === "number" || typeof id === "string";

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

function problemAnswer(id: Id, { params }: Message, problem: string): object {
  const result = problemResult(problem);
  // Since 2026-07-28 each request names its protocol version, and each result its type.
  const isModern = isObject(params?._meta) && Object.hasOwn(params._meta, VERSION_KEY);
  return { jsonrpc: "2.0", id, result: isModern ? { ...result, resultType: "complete" } : result };
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

const malformed = (id: Id | null, code: number, message: string): ReadMessage => ({
  answer: { jsonrpc: "2.0", id, error: { code, message: errorText(message) } },
  isMalformed: true,
});
