/**
 * The same failure without its words: those of a database or a neighbour may hold the address.
 * What is kept is the step, the kind of error and its code.
 */
export function withoutData(step: string, error: unknown): Error {
  const kind = error instanceof Error ? error.name : typeof error;
  const code = codeOf(error);
  return new Error(`${step} failed: ${kind}${code === undefined ? "" : ` ${code}`}`);
}

/** Such as SQLITE_FULL; libraries hide it in a cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!("code" in error && typeof error.code === "string")) return codeOf(error.cause);
  // PostgreSQL's own code, such as 53100 for a full disk, is where others have a number.
  const state = "errno" in error && typeof error.errno === "string" ? ` ${error.errno}` : "";
  return error.code + state;
}

/** The newsletter does not have an address, in words that name no person. */
export class SyncFailure extends Error {
  override readonly name = "SyncFailure";
}

/** What may be told to the operator of any failure. */
export const tellable = (error: unknown): string =>
  (error instanceof SyncFailure ? error : withoutData("The sync with listmonk", error)).message;

/** Turnstile could not say whether a token is good. Its code is for the operator's log. */
export class TurnstileFault extends Error {
  override readonly name = "TurnstileFault";
  readonly code: string;

  /** @param code one of Turnstile's own codes, or a word of ours; nothing else that was received. */
  constructor(code: string) {
    super(`Turnstile could not verify the token: ${code}`);
    this.code = code;
  }
}

/** The database cannot be used. Its code is for the operator's log. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
