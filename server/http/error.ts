import { ParseError } from "elysia";
import { ERROR_STATUS } from "../../schemas/http.ts";
import { formatIssue, InvalidInputError } from "../../src/issues.ts";
import { cutToBytes, visibleLine } from "../../src/text.ts";

/** Why a request is not served. Thrown anywhere below a route, and answered in `hooks.ts`. */
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

  /** The error for whatever was thrown below a route. */
  static of(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    // Elysia wraps what a parser throws.
    if (error instanceof ParseError) return HttpError.of(error.cause);
    if (!(error instanceof InvalidInputError)) return new HttpError("internal_error");
    return new HttpError("invalid_request", error.issues.map(formatIssue).join("; "));
  }

  get status(): number {
    return STATUS[this.code];
  }
}

type HttpErrorCode = keyof typeof STATUS;

/** Only a server with a rate limit answers 429, which the documented interface does not have. */
const STATUS = { ...ERROR_STATUS, rate_limited: 429 } as const;

/** The documented text, which deliberately gives no reason. */
const REJECTED = "Request rejected";

/** The most bytes of a detail: a path in it may hold a long key from the caller. */
const MAX_DETAIL = 500;
