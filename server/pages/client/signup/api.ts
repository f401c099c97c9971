export type SignupOutcome = Accepted | SignupError;

export interface Accepted {
  readonly ok: true;
  /** The newsletter has the address too. */
  readonly isSynced: boolean;
}

export interface SignupError {
  readonly ok: false;
  /** A code of the API, or one of this script: no_challenge, no_answer, unreachable, unexpected. */
  readonly code: string;
  /** Seconds to wait, if the server says so. */
  readonly retryAfter?: string | undefined;
}

/** Posts a signup. Never throws: network errors are an outcome too. */
export async function postSignup(signup: object): Promise<SignupOutcome> {
  try {
    const response = await fetch("/api/beta-signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return read(response, await response.text());
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { ok: false, code: isLate ? "no_answer" : "unreachable" };
  }
}

/** Longer than all deadlines of the server together. */
const ANSWER_TIMEOUT_MS = 30_000;

/** A proxy may answer in place of the server, with any status and text. */
function read({ headers }: Response, text: string): SignupOutcome {
  const answer = parse(text);
  if (answer?.ok === true) return { ok: true, isSynced: answer.listmonk === true };
  return {
    ok: false,
    code: answer?.error?.code ?? "unexpected",
    retryAfter: headers.get("retry-after") ?? undefined,
  };
}

interface Body {
  readonly ok?: unknown;
  readonly listmonk?: unknown;
  readonly error?: { readonly code?: string };
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
