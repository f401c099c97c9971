import { BetaSignupSchema, ERROR_STATUS, type ErrorCode, tools } from "../../schemas/index.ts";
import { formatIssues, InvalidInputError } from "../../src/issues.ts";
import { cutToBytes, visibleLine } from "../../src/text.ts";
import { once } from "../once.ts";

/** Why a request is not served. Thrown anywhere below a route, and answered in one place. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** The wrong field, for the log, as far as our schemas name it. */
  readonly field: string | undefined;

  /**
   * @param detail the reason, for the caller; it follows "Request rejected".
   * @param path the wrong field.
   */
  constructor(
    code: HttpErrorCode,
    detail = "",
    headers: Readonly<Record<string, string>> = {},
    path = "",
  ) {
    super(detail === "" ? REJECTED : `${REJECTED}: ${cutToBytes(visibleLine(detail), MAX_DETAIL)}`);
    this.code = code;
    this.headers = headers;
    this.field = knownField(path);
  }

  /** The same error without its reason, for a route that tells strangers nothing. */
  withoutDetail(): HttpError {
    return new HttpError(this.code, "", this.headers);
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** What was thrown below a route, as its answer has it: an input is rejected with its problems. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof InvalidInputError)) return new HttpError("internal_error");
  const detail = formatIssues(error.issues, "; ", MAX_DETAIL);
  return new HttpError("invalid_request", detail, {}, error.issues[0]?.path);
}

type HttpErrorCode = ErrorCode | keyof typeof EXTENSION_STATUS;

/** Only a server with a rate limit answers 429, which the documented interface does not have. */
const EXTENSION_STATUS = { rate_limited: 429 } as const;

const STATUS: Readonly<Record<HttpErrorCode, number>> = { ...ERROR_STATUS, ...EXTENSION_STATUS };

/** The code for an answer that no HttpError made, such as a page. */
export const codeOfStatus = (status: number): string =>
  Object.entries(STATUS).find(([, known]) => known === status)?.[0] ??
  (status < 500 ? "invalid_request" : "internal_error");

/** The documented text, which deliberately gives no reason. */
const REJECTED = "Request rejected";

/** Bytes of a detail: a path may hold a long key from the caller. */
const MAX_DETAIL = 500;

/**
 * The part of a path that our schemas name: `filters[0].from[1]` as it is, `env` of `env["a b"]`. The
 * log shows no more: a key that the caller has chosen may be an address or a secret.
 *
 * @returns undefined when the path begins with another key.
 */
function knownField(path: string): string | undefined {
  let field = "";
  for (const [part, name] of path.matchAll(PARTS)) {
    if (name !== undefined && !known().has(name)) break;
    if (path.startsWith('["', field.length)) break;
    field += part;
  }
  return field === "" ? undefined : field;
}

const PARTS = /\.?([A-Za-z_$][\w$]*)|\[\d+\]/gy;

const known = once(() => collectFieldNames([BetaSignupSchema, ...tools.map(({ input }) => input)]));

/** The names of all properties within a schema. */
function collectFieldNames(schema: unknown, names = new Set<string>(), seen = new Set<unknown>()) {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return names;
  seen.add(schema);
  for (const [key, part] of Object.entries(schema)) {
    if (key === "entries") for (const name of Object.keys(part)) names.add(name);
    collectFieldNames(part, names, seen);
  }
  return names;
}
