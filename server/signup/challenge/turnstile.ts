import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import type { SignupConfig } from "../config.ts";
import { CHALLENGE_ACTION, type Challenge, isFresh } from "./challenge.ts";

export interface TurnstileOptions
  extends Omit<Extract<SignupConfig["challenge"], { readonly kind: "turnstile" }>, "kind"> {
  /** The site's own origin, known only when the port is. */
  readonly origin: () => string;
  readonly now: () => Date;
}

/** Cloudflare's Turnstile. It remembers used tokens itself, so there is no nonce to consume. */
export function turnstileChallenge(options: TurnstileOptions): Challenge {
  const { siteKey, secret, verifyUrl } = options;
  return {
    siteKey,
    async verify(token) {
      // With an idempotency key, Turnstile answers a second time for the same token.
      const form = { secret, response: token, idempotency_key: crypto.randomUUID() };
      const ask = async () => classify(await siteverify(verifyUrl, form));
      const first = await ask();
      const verdict = first === "try-again" ? await ask() : first;
      if (verdict === "try-again") throw new TurnstileError("internal-error");
      return verdict !== "rejected" && isForUs(verdict, options) ? { nonce: undefined } : undefined;
    },
  };
}

/** The limit of each of two calls, so that a visitor waits at most six seconds. */
const CALL_TIMEOUT_MS = 3_000;

/** Turnstile's answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface SiteverifyAnswer {
  /** True for an HTTP status of success. */
  readonly ok: boolean;
  readonly body: unknown;
}

/**
 * Asks Turnstile about a token.
 *
 * @throws for no answer in time, a redirect, or an answer that is not JSON or far too long.
 */
async function siteverify(
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<SiteverifyAnswer> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "error",
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const tooLong = () => new TurnstileError("answer-too-long");
  const bytes = await readBounded(response.body, MAX_ANSWER_BYTES, tooLong);
  return { ok: response.ok, body: parse(bytes.toString()) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which must not reach the log.
    throw new TurnstileError("answer-not-json");
  }
}

/** The codes that blame the caller alone. */
const CALLER_CODES = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** The code after which Turnstile asks to try again. */
const RETRY_CODE = "internal-error";

/**
 * Decides what an answer means. A rejection counts with any HTTP status, since the status of a
 * rejection is not documented; a success counts only with a status of success.
 *
 * @throws for every answer that does not clearly blame the caller: then nobody is let in, and the
 * operator sees why.
 */
function classify({ ok, body }: SiteverifyAnswer): Passed | "rejected" | "try-again" {
  const answer = v.safeParse(AnswerSchema, body);
  if (!answer.success) throw new TurnstileError("answer-malformed");
  const { success, "error-codes": codes } = answer.output;
  if (success) return readPassed(ok, codes, body);
  if (areAll(codes, CALLER_CODES)) return "rejected";
  if (areAll(codes, [RETRY_CODE])) return "try-again";
  throw new TurnstileError(codes.join(" ") || "no-reason-given");
}

/** Limiting the shape of a code keeps other texts, such as a token, out of messages. */
const code = v.pipe(v.string(), v.regex(/^[a-z-]{1,64}$/));

const AnswerSchema = v.object({
  success: v.boolean(),
  "error-codes": v.optional(v.array(code), []),
});

function readPassed(ok: boolean, codes: readonly string[], body: unknown): Passed {
  if (!ok || codes.length > 0) throw new TurnstileError("answer-contradictory");
  const passed = v.safeParse(PassedSchema, body);
  if (!passed.success) throw new TurnstileError("answer-malformed");
  return passed.output;
}

/** Turnstile's answer for a token that it accepts. */
const PassedSchema = v.object({
  hostname: v.string(),
  challenge_ts: v.pipe(v.string(), v.isoTimestamp()),
  action: v.optional(v.string()),
  metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
});
type Passed = v.InferOutput<typeof PassedSchema>;

const areAll = (codes: readonly string[], of: readonly string[]): boolean =>
  codes.length > 0 && codes.every((code) => of.includes(code));

function isForUs(passed: Passed, { origin, allowTestKeys, now }: TurnstileOptions): boolean {
  // The answer for a test key names neither this host nor the action.
  if (passed.metadata?.result_with_testing_key) return allowTestKeys;
  return (
    passed.action === CHALLENGE_ACTION &&
    passed.hostname === new URL(origin()).hostname &&
    isFresh(Date.parse(passed.challenge_ts), now())
  );
}

/** Turnstile could not tell whether a token is good. The code is for the operator's log. */
class TurnstileError extends Error {
  override readonly name = "TurnstileError";
  readonly code: string;

  /** @param code a code of Turnstile or of this file, and no other text of the answer. */
  constructor(code: string) {
    super(`Turnstile could not verify the token: ${code}`);
    this.code = code;
  }
}
