import { ERROR_STATUS, type ErrorCode } from "../../schemas/index.ts";

/** The interface has no such code: an extension, given only where the operator has set a limit. */
const EXTENSION_STATUS = { rate_limited: 429 } as const;

type HttpErrorCode = ErrorCode | keyof typeof EXTENSION_STATUS;

const STATUS: Readonly<Record<HttpErrorCode, number>> = { ...ERROR_STATUS, ...EXTENSION_STATUS };

/** Why a request is not served. Thrown anywhere below a route, answered in one place. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what the caller may know; it stands after "Request rejected". */
  constructor(code: HttpErrorCode, detail = "", headers: Readonly<Record<string, string>> = {}) {
    super(detail === "" ? REJECTED : `${REJECTED}: ${cut(detail)}`);
    this.code = code;
    this.headers = headers;
  }

  /** The same without a word of why, for a route that tells strangers nothing. */
  withoutDetail(): HttpError {
    return new HttpError(this.code, "", this.headers);
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** Deliberately non-specific: the text that the interface documents. */
const REJECTED = "Request rejected";

/** A path may hold a key of the caller's, and the answer need not repeat all of it. */
const MAX_DETAIL = 500;

const cut = (text: string): string =>
  text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL)}…`.toWellFormed();
