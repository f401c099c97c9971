import { ERROR_STATUS, type ErrorCode } from "../../schemas/index.ts";
import { cutToBytes, visibleLine } from "../../src/text.ts";

/** Why a request is not served. Thrown anywhere below a route, and answered in one place. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what the caller may know; it follows "Request rejected". */
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

type HttpErrorCode = ErrorCode | keyof typeof EXTENSION_STATUS;

/** Only a server with a rate limit answers 429, which the documented interface does not have. */
const EXTENSION_STATUS = { rate_limited: 429 } as const;

const STATUS: Readonly<Record<HttpErrorCode, number>> = { ...ERROR_STATUS, ...EXTENSION_STATUS };

/** The documented text, which deliberately gives no reason. */
const REJECTED = "Request rejected";

/** Bytes of a detail: a path may hold a long key of the caller's, which need not be repeated. */
export const MAX_DETAIL = 500;
