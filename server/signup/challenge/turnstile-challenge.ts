import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import type { SignupConfig } from "../signup-config.ts";
import { CHALLENGE_ACTION, isFresh, type SignupChallenge } from "./challenge.ts";

export type TurnstileOptions = NonNullable<SignupConfig["turnstile"]>;

/**
 * Cloudflare Turnstile. It remembers used tokens itself, so there is no nonce to consume. A response
 * that does not clearly blame the caller is an error: the signup fails, and the operator sees why.
 */
export function createTurnstileChallenge(
  { siteKey, secret, verifyUrl, allowTestKeys }: TurnstileOptions,
  origin: () => string,
): SignupChallenge {
  return {
    siteKey,
    async verify(token) {
      // The idempotency key allows a second call for the same token.
      const form = { secret, response: token, idempotency_key: crypto.randomUUID() };
      const first = await siteverify(verifyUrl, form);
      const response = isTryAgain(first) ? await siteverify(verifyUrl, form) : first;
      if (response.success) {
        // The response for a test key has neither our host nor the action.
        const isTest = response.metadata?.result_with_testing_key === true;
        return (isTest ? allowTestKeys : isFreshPassFor(response, origin()))
          ? { nonce: undefined }
          : undefined;
      }
      const codes = response["error-codes"];
      if (codes.length > 0 && codes.every((code) => CALLER_CODES.includes(code))) return undefined;
      throw turnstileError(codes.join(" ") || "no-reason-given");
    },
  };
}

/** The codes that blame the caller, not our configuration. */
const CALLER_CODES = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** Cloudflare documents only this code as temporary. */
const isTryAgain = (response: SiteverifyResponse): boolean =>
  !response.success && response["error-codes"].join() === "internal-error";

/** For each of two calls, so a visitor waits at most six seconds. */
const SITEVERIFY_TIMEOUT_MS = 3_000;

/** Turnstile's responses have a few hundred bytes. */
const MAX_SITEVERIFY_BYTES = 64 * 1024;

/**
 * Asks Turnstile about a token. A rejection counts with any HTTP status, because its status is not
 * documented. A success counts only with a 2xx status.
 *
 * @throws for a timeout, a redirect, or an undocumented response.
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
  const tooLong = () => turnstileError("response-too-long");
  const bytes = await readBounded(response.body, MAX_SITEVERIFY_BYTES, tooLong);
  // A parser's own message quotes the body, which must not reach the log.
  const { success, output: parsed } = v.safeParse(SiteverifySchema, bytes.toString());
  if (!success || (parsed.success && !response.ok)) {
    throw turnstileError(`response-malformed ${response.status}`);
  }
  return parsed;
}

/** The pattern keeps tokens and other values out of messages. */
const code = v.pipe(v.string(), v.regex(/^[a-z-]{1,64}$/));

const SiteverifySchema = v.pipe(
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
type SiteverifyResponse = v.InferOutput<typeof SiteverifySchema>;

const isFreshPassFor = (
  passed: Extract<SiteverifyResponse, { success: true }>,
  origin: string,
): boolean =>
  passed.action === CHALLENGE_ACTION &&
  passed.hostname === new URL(origin).hostname &&
  isFresh(Date.parse(passed.challenge_ts));

/**
 * Creates the error for a check without a result.
 *
 * @param code from Turnstile or from this file; the log must contain nothing else of the response.
 */
const turnstileError = (code: string): Error =>
  Object.assign(new Error(`Turnstile could not verify the token: ${code}`), {
    name: "TurnstileError",
    code,
  });
