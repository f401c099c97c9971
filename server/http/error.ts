import { ERROR_STATUS, type ErrorCode } from "../../schemas/index.ts";
import { formatIssue, InvalidInputError } from "../../src/issues.ts";
import { cutToBytes, visibleLine } from "../../src/text.ts";

/** Why a request is not served. Thrown anywhere below a route, and answered in one place. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail the reason, for the caller; it follows "Request rejected". */
  constructor(code: HttpErrorCode, detail = "", headers: Readonly<Record<string, string>> = {}) {
    super(detail === "" ? REJECTED : `${REJECTED}: ${cutToBytes(visibleLine(detail), MAX_DETAIL)}`);
    this.code = code;
    this.headers = headers;
  }

  /** The same error without its reason, for a route that tells strangers nothing. */
  withoutDetail(): HttpError {
    return new HttpError(this.code, "", this.headers);
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** The error to answer with, for anything that was thrown below a route. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof InvalidInputError)) return new HttpError("internal_error");
  return new HttpError("invalid_request", error.issues.map(formatIssue).join("; "));
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

/** The most bytes of a detail: a path in it may hold a long key from the caller. */
const MAX_DETAIL = 500;
