import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import { TurnstileFault } from "../errors.ts";
import { CHALLENGE_ACTION, type Challenge, isFresh } from "../model.ts";

/** Two of these at most, so that an answer is given within six seconds. */
const DEADLINE_MS = 3_000;

/** An answer of Turnstile's has a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface SiteverifyAnswer {
  /** Whether the HTTP status was one of success. */
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

/** What Turnstile says of a token that it takes for good. */
const PassedSchema = v.object({
  hostname: v.string(),
  challenge_ts: v.pipe(v.string(), v.isoTimestamp()),
  action: v.optional(v.string()),
  metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
});
type Passed = v.InferOutput<typeof PassedSchema>;

/** The shape of a code keeps what is not one, such as a token, out of messages. */
const code = v.pipe(v.string(), v.regex(/^[a-z-]{1,64}$/));

const AnswerSchema = v.object({
  success: v.boolean(),
  "error-codes": v.optional(v.array(code), []),
});

/** The codes for which the caller alone is to blame. */
const CALLERS_FAULT = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

/** The one that Turnstile asks to try again after. */
const PASSING_FAULT = "internal-error";

/**
 * Whose fault an answer of Turnstile's is. A refusal counts with any status of HTTP, for it is not
 * documented which one it comes with; a success only with a status of success.
 *
 * @throws for every answer that does not clearly blame the caller: then nobody is let in, and the
 * operator sees why.
 */
function classify({ ok, body }: SiteverifyAnswer): Passed | "refused" | "try-again" {
  const answer = v.safeParse(AnswerSchema, body);
  if (!answer.success) throw new TurnstileFault("answer-malformed");
  const { success, "error-codes": codes } = answer.output;
  if (success) return readPassed(ok, codes, body);
  if (areAll(codes, CALLERS_FAULT)) return "refused";
  if (areAll(codes, [PASSING_FAULT])) return "try-again";
  throw new TurnstileFault(codes.join(" ") || "no-reason-given");
}

function readPassed(ok: boolean, codes: readonly string[], body: unknown): Passed {
  if (!ok || codes.length > 0) throw new TurnstileFault("answer-contradictory");
  const passed = v.safeParse(PassedSchema, body);
  if (!passed.success) throw new TurnstileFault("answer-malformed");
  return passed.output;
}

const areAll = (codes: readonly string[], of: readonly string[]): boolean =>
  codes.length > 0 && codes.every((code) => of.includes(code));

export interface TurnstileOptions {
  readonly secret: string;
  readonly verifyUrl: string;
  /** The site's own origin. */
  readonly origin: string;
  /** Lets in whatever Cloudflare's public test keys let in: for development only. */
  readonly allowTestKeys: boolean;
  readonly now: () => Date;
}

/** Cloudflare's Turnstile. It keeps count of the tokens itself, so that there is nothing to burn. */
export function turnstileChallenge(options: TurnstileOptions): Challenge {
  const { secret, verifyUrl } = options;
  return {
    async verify(token) {
      // The key lets Turnstile answer for the same token twice.
      const form = { secret, response: token, idempotency_key: crypto.randomUUID() };
      const ask = async () => classify(await siteverify(verifyUrl, form));
      const first = await ask();
      const verdict = first === "try-again" ? await ask() : first;
      if (verdict === "try-again") throw new TurnstileFault("internal-error");
      return verdict !== "refused" && isForUs(verdict, options) ? { use: undefined } : undefined;
    },
  };
}

function isForUs(passed: Passed, { origin, allowTestKeys, now }: TurnstileOptions): boolean {
  // A test key's answer names neither our host nor our action.
  if (passed.metadata?.result_with_testing_key) return allowTestKeys;
  return (
    passed.action === CHALLENGE_ACTION &&
    passed.hostname === new URL(origin).hostname &&
    isFresh(Date.parse(passed.challenge_ts), now())
  );
}
