import { ERROR_STATUS } from "../../schemas/http.ts";
import { formatProblem, InvalidInputError } from "../../src/issues.ts";
import { escapeLine, truncateToBytes } from "../../src/text.ts";

/**
 * Rejects a request. Thrown below a route, and turned into a response in `common-hooks.ts`. WebMCP
 * tools in the page throw it too.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail follows "Request rejected". */
  constructor(code: HttpErrorCode, detail = "", headers: Readonly<Record<string, string>> = {}) {
    super(
      detail === ""
        ? REJECTION_MESSAGE
        : `${REJECTION_MESSAGE}: ${truncateToBytes(escapeLine(detail), MAX_DETAIL_BYTES)}`,
    );
    this.code = code;
    this.headers = headers;
  }

  static of(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    if (!(error instanceof InvalidInputError)) return new HttpError("internal_error");
    return new HttpError("invalid_request", error.problems.map(formatProblem).join("; "));
  }

  get body(): { readonly error: { readonly code: HttpErrorCode; readonly message: string } } {
    return { error: { code: this.code, message: this.message } };
  }

  get status(): number {
    return STATUS_BY_CODE[this.code];
  }
}

export const inputTooLarge = (limit: number): HttpError =>
  new HttpError("payload_too_large", `the input may have at most ${limit} bytes`);

type HttpErrorCode = keyof typeof STATUS_BY_CODE;

/** 429 is not part of the specified interface; only servers with a rate limit return it. */
const STATUS_BY_CODE = { ...ERROR_STATUS, rate_limited: 429 } as const;

/** The specified message, which deliberately gives no reason. */
const REJECTION_MESSAGE = "Request rejected";

/** A path may contain a long key from the caller. */
const MAX_DETAIL_BYTES = 500;
