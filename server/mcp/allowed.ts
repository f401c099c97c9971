import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";

/**
 * A message with only what the protocol and our tools know of its method. The SDK validates all
 * that it gets, lists each problem, and repeats parts of it.
 *
 * @param message with parameters that are an object, or none.
 */
export function allowedMessage(message: Message): Message {
  const { method, params, ...rest } = message;
  const known = Object.hasOwn(PARAMS, method) ? PARAMS[method] : {};
  return {
    ...rest,
    method: boundedText(method),
    ...(params && { params: keep(params, { ...known, _meta: META }) as typeof params }),
  };
}

/** A request, or a notification, which has no id. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method: string;
  readonly params?: { readonly arguments?: unknown; readonly _meta?: unknown };
}

/** The part of a value that is kept: all, a bounded part, or the fields of an object. */
type Allowed = "whole" | "bounded" | AllowedFields;
type AllowedFields = { readonly [field: string]: Allowed };

const CLIENT: AllowedFields = { name: "bounded", version: "bounded" };

/** Since 2026-07-28 it says in each message what `initialize` said before. */
const META: AllowedFields = {
  progressToken: "bounded",
  "io.modelcontextprotocol/protocolVersion": "bounded",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": "bounded",
  "io.modelcontextprotocol/logLevel": "bounded",
};

/** The parameters by method, beside `_meta`. */
const PARAMS: Readonly<Record<string, AllowedFields>> = {
  initialize: { protocolVersion: "bounded", clientInfo: CLIENT, capabilities: "bounded" },
  "tools/list": { cursor: "bounded" },
  // The arguments have a limit of their own.
  "tools/call": { name: "bounded", arguments: "whole" },
  "subscriptions/listen": { notifications: "bounded" },
  "notifications/cancelled": { requestId: "bounded" },
};

function keep(value: unknown, allowed: Allowed): unknown {
  if (allowed === "whole") return value;
  if (allowed === "bounded" || !isObject(value)) return bounded(value);
  const fields = Object.entries(allowed).filter(([field]) => Object.hasOwn(value, field));
  return Object.fromEntries(fields.map(([field, inner]) => [field, keep(value[field], inner)]));
}

/** The start of a text; a list or an object without what is in it, so that the SDK sees its type. */
function bounded(value: unknown): unknown {
  if (typeof value === "string") return boundedText(value);
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

const boundedText = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed();

/** Arguments of full size as they are, or with every quote escaped, and the frame around them. */
export const MAX_MESSAGE_BYTES = 2 * MAX_TOOL_INPUT_BYTES;

/** Characters of a text in a message, such as a client's name or an id. */
export const MAX_TEXT = 256;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
