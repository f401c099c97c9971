import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import type { SignupConfig } from "../signup-config.ts";
import { CHALLENGE_ACTION, isFresh, type SignupChallenge } from "./challenge.ts";

export type TurnstileOptions = NonNullable<SignupConfig["turnstile"]>;

/**
 * Cloudflare's Turnstile. It remembers used tokens itself, so there is no nonce to consume. Every
 * answer that does not clearly blame the caller is an error: then nobody is let in, and the operator
 * sees why.
 *
 * @param origin the site's own, known only when the port is.
 */
export function createTurnstileChallenge(
  { siteKey, secret, verifyUrl, allowTestKeys }: TurnstileOptions,
  origin: () => string,
): SignupChallenge {
  return {
    siteKey,
    async verify(token) {
      // With an idempotency key, Turnstile answers a second time for the same token.
      const form = { secret, response: token, idempotency_key: crypto.randomUUID() };
      const first = await siteverify(verifyUrl, form);
      const answer = isTryAgain(first) ? await siteverify(verifyUrl, form) : first;
      if (answer.success) {
        // The answer for a test key names neither this host nor the action.
        const isTest = answer.metadata?.result_with_testing_key === true;
        return (isTest ? allowTestKeys : isFreshPassFor(answer, origin()))
          ? { nonce: undefined }
          : undefined;
      }
      const codes = answer["error-codes"];
      if (codes.length > 0 && codes.every((code) => CALLER_CODES.includes(code))) return undefined;
      throw turnstileError(codes.join(" ") || "no-reason-given");
    },
  };
}

/** The codes that blame the caller alone. */
const CALLER_CODES = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** True after the one code that asks to try again. */
const isTryAgain = (answer: SiteverifyResponse): boolean =>
  !answer.success && answer["error-codes"].join() === "internal-error";

/** The limit of each of two calls, so that a visitor waits at most six seconds. */
const SITEVERIFY_TIMEOUT_MS = 3_000;

/** Turnstile's answers have a few hundred bytes. */
const MAX_SITEVERIFY_BYTES = 64 * 1024;

/**
 * Asks Turnstile about a token. A rejection counts with any HTTP status, since the status of a
 * rejection is not documented; a success counts only with a status of success.
 *
 * @throws for no answer in time, a redirect, or an answer that is not documented.
 */
async function siteverify(
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<SiteverifyResponse> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "error",
    signal: AbortSignal.timeout(SITEVERIFY_TIMEOUT_MS),
  });
  const tooLong = () => turnstileError("answer-too-long");
  const bytes = await readBounded(response.body, MAX_SITEVERIFY_BYTES, tooLong);
  // A parser's own message quotes the text, which must not reach the log.
  const { success, output: answer } = v.safeParse(AnswerSchema, bytes.toString());
  if (!success || (answer.success && !response.ok)) {
    throw turnstileError(`answer-malformed ${response.status}`);
  }
  return answer;
}

/** Limiting the shape of a code keeps other texts, such as a token, out of messages. */
const code = v.pipe(v.string(), v.regex(/^[a-z-]{1,64}$/));

const AnswerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant("success", [
    v.object({ success: v.literal(false), "error-codes": v.optional(v.array(code), []) }),
    v.object({
      success: v.literal(true),
      "error-codes": v.optional(v.strictTuple([])),
      hostname: v.string(),
      challenge_ts: v.pipe(v.string(), v.isoTimestamp()),
      action: v.optional(v.string()),
      metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
    }),
  ]),
);
type SiteverifyResponse = v.InferOutput<typeof AnswerSchema>;

const isFreshPassFor = (
  passed: Extract<SiteverifyResponse, { success: true }>,
  origin: string,
): boolean =>
  passed.action === CHALLENGE_ACTION &&
  passed.hostname === new URL(origin).hostname &&
  isFresh(Date.parse(passed.challenge_ts));

/**
 * Turnstile could not tell whether a token is good.
 *
 * @param code for the operator's log: of Turnstile or of this file, and no other text of the answer.
 */
const turnstileError = (code: string): Error =>
  Object.assign(new Error(`Turnstile could not verify the token: ${code}`), {
    name: "TurnstileError",
    code,
  });
