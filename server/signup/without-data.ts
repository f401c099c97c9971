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
