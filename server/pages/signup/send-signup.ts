import type { Challenge } from "./challenge.ts";
import { landingAttributes } from "./landing.ts";
import type { SendSignup, SignupSettings } from "./signup-form.tsx";

/**
 * Solves the challenge, and posts a signup. Never throws: network errors are an outcome too.
 *
 * @param slot where the challenge has its place.
 * @param say tells what is under way.
 * @returns the outcome in words.
 */
export const sendSignup: SendSignup = async (signup, slot, settings, say) => {
  const attempt = async (): Promise<Answer> => {
    say("Checking that you are a person…");
    const solved = await solve(slot, settings.siteKey);
    if (!solved) return { code: "no_challenge" };
    say("Signing you up…");
    const meta = landingAttributes();
    const answer = await post({ ...signup, meta, turnstileToken: solved.token });
    if (answer.code !== "ok") solved.challenge.renew();
    return answer;
  };
  const first = await attempt();
  // The token may have expired while the page was open.
  const answer = first.code === "verification_failed" ? await attempt() : first;
  return answer.code === "ok"
    ? { kind: "thanks", text: thanksText(answer, settings, signup.name ?? "") }
    : { kind: "failure", text: errorText(answer, settings) };
};

async function solve(slot: HTMLElement, siteKey: string | undefined) {
  try {
    const challenge = await loadChallenge(slot, siteKey);
    return { challenge, token: await challenge.token() };
  } catch {
    // The cause does not help the visitor; the message says what to try.
    return undefined;
  }
}

let loading: Promise<Challenge> | undefined;

/**
 * Loads the challenge once, and puts it in its place.
 *
 * @throws when its files cannot be loaded; the next call tries again.
 */
export function loadChallenge(slot: HTMLElement, siteKey: string | undefined): Promise<Challenge> {
  const load = async () =>
    siteKey === undefined
      ? (await import("./altcha.ts")).altchaChallenge(slot)
      : (await import("./turnstile.ts")).turnstileChallenge(slot, siteKey);
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

interface Answer {
  /** "ok", a code of the API, or one of this script. */
  readonly code: string;
  /** The newsletter has the address too. */
  readonly isSynced?: boolean;
  /** Seconds to wait, if the server says so. */
  readonly retryAfter?: string | null;
}

async function post(signup: object): Promise<Answer> {
  try {
    const response = await fetch("/api/beta-signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    // A proxy may answer in place of the server, with any status and text.
    const answer = await response.json().catch(() => undefined);
    if (answer?.ok === true) return { code: "ok", isSynced: answer.listmonk === true };
    const retryAfter = response.headers.get("retry-after");
    return { code: answer?.error?.code ?? "unexpected", retryAfter };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { code: isLate ? "no_answer" : "unreachable" };
  }
}

/** Longer than all deadlines of the server together. */
const ANSWER_TIMEOUT_MS = 30_000;

function thanksText({ isSynced }: Answer, { hasNewsletter }: SignupSettings, name: string): string {
  const thanks = `Thank you, ${name}. Your address is saved.`;
  if (!hasNewsletter) return thanks;
  return isSynced
    ? `${thanks} Check your inbox: if a mail asks you to confirm it, follow its link.`
    : `${thanks} The newsletter does not know it yet, so a mail to confirm it may come later.`;
}

function errorText({ code, retryAfter }: Answer, { site }: SignupSettings): string {
  switch (code) {
    case "invalid_request":
      // The fields were checked before.
      return "The server rejects the address, as far as this page can tell. Check it, then try again.";
    case "verification_failed":
      return `The check that you are a person failed twice. Wait a moment, then try again. ${KEPT}`;
    case "origin_rejected":
      return `Sign-up works only at this site's own address. Open ${site} and try there.`;
    case "payload_too_large":
      return "That is more than the server accepts. Shorten it, then try again.";
    case "rate_limited":
      return `Too many signups came from your network. Try again ${waitText(Number(retryAfter))}. ${KEPT}`;
    case "internal_error":
      return `The server could not save it, and nothing is recorded. Try again in a minute. ${KEPT}`;
    case "no_challenge":
      // Over plain http browsers keep back the cryptography that the embedded challenge needs.
      return isSecureContext
        ? `The check that you are a person failed to load or run. Check your connection, then try again. ${KEPT}`
        : "The check that you are a person needs https, and this page came over plain http. Open it with https:// and try there.";
    case "no_answer":
      return "The server has not answered in time, and may have saved it or not. It is safe to try again.";
    case "unreachable":
      return `The server cannot be reached. Check your connection, then try again. ${KEPT}`;
    default:
      return `The server gave an unexpected answer. Try again in a minute. ${KEPT}`;
  }
}

const KEPT = "What you typed is still here.";

const waitText = (seconds: number): string =>
  seconds > 1 ? `in ${seconds} seconds` : "in a moment";
