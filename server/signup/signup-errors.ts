/** Why the newsletter does not have an address. The message names no person. */
export class NewsletterError extends Error {
  override readonly name = "NewsletterError";
  /**
   * "late" when no answer came in time: listmonk may still do what was asked. "rejected" when it
   * will never take the address.
   */
  readonly kind: "late" | "rejected" | undefined;

  constructor(message: string, kind?: "late" | "rejected") {
    super(message);
    this.kind = kind;
  }
}

/** Why the database cannot be used. The code is for the operator's log. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The same error without its message, which may hold the address when it comes from a database or
 * from another server. The step, the kind of error and its code are kept.
 */
export function redactError(step: string, error: unknown): Error {
  const kind = error instanceof Error ? error.name : typeof error;
  const code = getDatabaseErrorCode(error);
  return new Error(`${step} failed: ${kind}${code === undefined ? "" : ` ${code}`}`);
}

export const redactedMessage = (error: unknown): string =>
  (error instanceof NewsletterError ? error : redactError("The sync with listmonk", error)).message;

/** The code of a store's error, such as SQLITE_FULL; libraries hide it in a cause. */
export function getDatabaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!("code" in error && typeof error.code === "string"))
    return getDatabaseErrorCode(error.cause);
  return error.code;
}
