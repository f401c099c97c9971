/** @jsxImportSource preact */
import { render } from "preact";
import type { Challenge } from "./challenge.ts";
import { landingAttributes } from "./landing.ts";
import { type SendSignup, SignupForm, type SignupSettings } from "./signup-form.tsx";

/** Takes over the form that the server has rendered, with what was typed into it. */
export function startSignup(place: HTMLElement, settings: SignupSettings): void {
  render(<SignupForm {...settings} send={sendSignup} />, place);
  const slot = place.querySelector<HTMLElement>(".challenge");
  const load = () => {
    // A failure is reported on submit.
    if (slot) loadChallenge(slot, settings.siteKey).catch(() => undefined);
  };
  if (place.contains(document.activeElement)) load();
  else place.addEventListener("focusin", load, { once: true });
}

/**
 * Solves the challenge, and posts a signup. Never throws: network errors are an outcome too.
 *
 * @param slot where the challenge has its place.
 * @param say tells what is under way.
 * @returns the outcome in words.
 */
const sendSignup: SendSignup = async (signup, slot, settings, say) => {
  const attempt = async (): Promise<Answer> => {
    say("Checking that you are not a bot…");
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
function loadChallenge(slot: HTMLElement, siteKey: string | undefined): Promise<Challenge> {
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
  const thanks = `You’re in, ${name}. We write only when there is a new tool`;
  if (!hasNewsletter) return `${thanks}.`;
  const confirm = isSynced
    ? "If a mail asks you to confirm your address, follow its link."
    : "If you have to confirm your address, that mail may take a while.";
  return `${thanks}; every mail has an unsubscribe link. ${confirm}`;
}

function errorText({ code, retryAfter }: Answer, { site }: SignupSettings): string {
  const seconds = Number(retryAfter);
  const texts = new Map([
    // The fields were checked before.
    ["invalid_request", "We could not accept this address. Check it and try again."],
    ["verification_failed", "The bot check failed twice. Wait a moment and try again."],
    [
      "origin_rejected",
      `You can sign up only at this site’s own address. Open ${site} and try there.`,
    ],
    [
      "rate_limited",
      `Too many people signed up from your network. Try again ${seconds > 1 ? `in ${seconds} seconds` : "in a moment"}.`,
    ],
    [
      "internal_error",
      "Something failed on our side, and nothing was saved. Try again in a minute.",
    ],
    // Over plain http browsers keep back the cryptography that the embedded challenge needs.
    [
      "no_challenge",
      isSecureContext
        ? "We could not load the bot check. Check your connection and try again."
        : "The bot check needs https. Open this page with https:// and try there.",
    ],
    [
      "no_answer",
      "The server did not answer in time. You may be signed up already: it is safe to try again.",
    ],
    ["unreachable", "We could not reach the server. Check your connection and try again."],
  ]);
  return texts.get(code) ?? "The server gave an unexpected answer. Try again in a minute.";
}
