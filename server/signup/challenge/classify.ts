import * as v from "valibot";
import type { SiteverifyAnswer } from "./siteverify.ts";
import { TurnstileFault } from "./turnstile-fault.ts";

/** What Turnstile says of a token that it takes for good. */
const PassedSchema = v.object({
  hostname: v.string(),
  challenge_ts: v.pipe(v.string(), v.isoTimestamp()),
  action: v.optional(v.string()),
  metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
});
export type Passed = v.InferOutput<typeof PassedSchema>;

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
export function classify({ ok, body }: SiteverifyAnswer): Passed | "refused" | "try-again" {
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
