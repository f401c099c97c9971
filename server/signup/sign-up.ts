import { type BetaSignupOk, MAX_SIGNUP_BYTES } from "../../schemas/index.ts";
import { Refusal } from "../http/error.ts";
import { parseJsonBody, readBody, refuseOtherOrigins, requireJson } from "../http/request.ts";
import { attributesOf, recordOf, validSignup } from "./input.ts";
import type { Challenge, Newsletter, SignupStore, SingleUse } from "./ports.ts";
import { withoutData } from "./without-data.ts";

/** What a signup needs of the world. */
export interface SignupPorts {
  readonly store: SignupStore;
  readonly challenge: Challenge;
  readonly newsletter: Newsletter;
  /** The site's own origin. */
  readonly origin: () => string;
  /** Whether a request carries the shared secret of server callers. */
  readonly isServerCaller: (request: Request) => boolean;
  /** Refuses a caller who comes too often. */
  readonly limit: (request: Request) => void;
  readonly now: () => Date;
  /** Told of what went wrong after the address was recorded. */
  readonly onLateFault: (error: unknown) => void;
}

/** The newsletter was synced, or there was nothing to do. */
const DONE: BetaSignupOk = { ok: true, listmonk: true };

/**
 * Signs an address up, in the order of the interface's rule 5: type, size, JSON and schema, origin,
 * challenge, honeypot, record, newsletter.
 *
 * @throws {Refusal} for a request that is not served; then nothing is recorded.
 */
export async function signUp(request: Request, ports: SignupPorts): Promise<BetaSignupOk> {
  requireJson(request);
  const signup = validSignup(parseJsonBody(await readBody(request, MAX_SIGNUP_BYTES)));
  refuseOtherOrigins(request, ports.origin());

  const trusted = ports.isServerCaller(request);
  if (!trusted) ports.limit(request);
  const use = trusted ? undefined : await passChallenge(signup.turnstileToken, ports.challenge);

  if (signup.honeypot) return DONE;

  const record = recordOf(signup);
  const state = await ports.store
    .record(record, use, ports.now())
    .catch((error: unknown) => Promise.reject(withoutData("recording the signup", error)));
  if (state === "replayed") throw new Refusal("verification_failed");

  const { ok, listmonkId, skipped } = await ports.newsletter.sync(
    { email: record.email, name: signup.name, attributes: attributesOf(signup, record, trusted) },
    state,
  );
  if (ok && !skipped && !(state.synced && state.listmonkId === listmonkId)) {
    // The address is recorded, so from here on nothing may turn the answer into an error.
    await ports.store
      .markSynced(record.email, listmonkId, ports.now())
      .catch((error: unknown) => ports.onLateFault(withoutData("noting the sync", error)));
  }
  return ok ? DONE : { ok: true, listmonk: false };
}

async function passChallenge(
  token: string | undefined,
  challenge: Challenge,
): Promise<SingleUse | undefined> {
  const passed = token === undefined ? undefined : await verify(token, challenge);
  if (!passed) throw new Refusal("verification_failed");
  return passed.use;
}

const verify = (token: string, challenge: Challenge) =>
  challenge
    .verify(token)
    .catch((error: unknown) => Promise.reject(withoutData("checking the challenge", error)));
