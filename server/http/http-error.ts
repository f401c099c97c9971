import { ERROR_STATUS } from "../../schemas/http.ts";
import { formatIssue, InvalidInputError } from "../../src/issues.ts";
import { escapeLine, truncateToBytes } from "../../src/text.ts";

/**
 * Why a request is not served. Thrown anywhere below a route, and answered in `common-hooks.ts`. A tool that
 * runs in the page for an agent has the same errors.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail the reason, for the caller; it follows "Request rejected". */
  constructor(code: HttpErrorCode, detail = "", headers: Readonly<Record<string, string>> = {}) {
    super(
      detail === "" ? REJECTED : `${REJECTED}: ${truncateToBytes(escapeLine(detail), MAX_DETAIL)}`,
    );
    this.code = code;
    this.headers = headers;
  }

  /** The error for whatever was thrown below a route. */
  static of(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    if (!(error instanceof InvalidInputError)) return new HttpError("internal_error");
    return new HttpError("invalid_request", error.issues.map(formatIssue).join("; "));
  }

  /** The body of the answer. */
  get body(): { readonly error: { readonly code: HttpErrorCode; readonly message: string } } {
    return { error: { code: this.code, message: this.message } };
  }

  get status(): number {
    return STATUS[this.code];
  }
}

export const inputTooLarge = (limit: number): HttpError =>
  new HttpError("payload_too_large", `the input may have at most ${limit} bytes`);

type HttpErrorCode = keyof typeof STATUS;

/** Only a server with a rate limit answers 429, which the documented interface does not have. */
const STATUS = { ...ERROR_STATUS, rate_limited: 429 } as const;

/** The documented text, which deliberately gives no reason. */
const REJECTED = "Request rejected";

/** The most bytes of a detail: a path in it may hold a long key from the caller. */
const MAX_DETAIL = 500;
