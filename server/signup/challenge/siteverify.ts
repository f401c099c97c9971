import { readBounded } from "../../http/request.ts";
import { TurnstileFault } from "./turnstile-fault.ts";

/** Two of these at most, so that an answer is given within six seconds. */
const DEADLINE_MS = 3_000;

/** An answer of Turnstile's has a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface SiteverifyAnswer {
  /** Whether the HTTP status was one of success. */
  readonly ok: boolean;
  readonly body: unknown;
}

/**
 * Asks Turnstile about a token.
 *
 * @throws for no answer in time, a redirect, or an answer that is not JSON or far too long.
 */
export async function siteverify(
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<SiteverifyAnswer> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "error",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const tooLong = () => new TurnstileFault("answer-too-long");
  const bytes = await readBounded(response.body, MAX_ANSWER_BYTES, tooLong);
  return { ok: response.ok, body: parse(bytes.toString()) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, and what stands there is not for a log.
    throw new TurnstileFault("answer-not-json");
  }
}
