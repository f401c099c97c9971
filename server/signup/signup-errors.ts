/** A failed sync or deletion in listmonk. The message contains no personal data. */
export class NewsletterError extends Error {
  override readonly name = "NewsletterError";
  /**
   * "late" after a timeout: listmonk may still complete the request. "rejected" if listmonk will
   * never accept the address. "needs-name" if only a name is missing.
   */
  readonly kind: "late" | "rejected" | "needs-name" | undefined;

  constructor(message: string, kind?: NewsletterError["kind"]) {
    super(message);
    this.kind = kind;
  }
}

/** An unusable database. The code appears in the operator's log. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Replaces the message of an error, because messages of databases and other servers may contain the
 * address. It keeps the step, the kind of error and its code.
 */
export function redactError(step: string, error: unknown): Error {
  const kind = error instanceof Error ? error.name : typeof error;
  const code = getDatabaseErrorCode(error);
  return new Error(`${step} failed: ${kind}${code === undefined ? "" : ` ${code}`}`);
}

export const redactedMessage = (error: unknown): string =>
  (error instanceof NewsletterError ? error : redactError("The sync with listmonk", error)).message;

/** Finds a code such as SQLITE_FULL, which libraries wrap in a cause. */
export function getDatabaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!("code" in error && typeof error.code === "string"))
    return getDatabaseErrorCode(error.cause);
  return error.code;
}
