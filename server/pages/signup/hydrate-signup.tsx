/** @jsxImportSource preact */
import { render } from "preact";
import { readAttribution } from "./attribution.ts";
import type { ChallengeWidget } from "./challenge-widget.ts";
import { type SendSignup, SignupForm, type SignupSettings } from "./signup-form.tsx";

/** Hydrates the server-rendered form and keeps typed values. */
export function hydrateSignup(section: HTMLElement, settings: SignupSettings): void {
  render(<SignupForm {...settings} ctaSource={findCallToAction()} send={sendSignup} />, section);
  const slot = section.querySelector<HTMLElement>(".challenge");
  const load = () => {
    // A failure is reported on submit.
    if (slot) loadChallenge(slot, settings.siteKey).catch(() => undefined);
  };
  const isTyped = [...section.querySelectorAll("input")].some(
    ({ type, value }) => type !== "hidden" && value !== "",
  );
  if (isTyped) load();
  else section.addEventListener("input", load, { once: true });
}

/** The call to action that led here: the footer's link of another page sets `cta`. */
const findCallToAction = () =>
  new URLSearchParams(location.search).get("cta") === "footer" ? "footer" : "hero";

/**
 * Solves the challenge, and posts a signup. Never throws: network errors are an outcome too.
 *
 * @param slot where the challenge has its place.
 * @returns the outcome in words.
 */
const sendSignup: SendSignup = async (signup, slot, settings) => {
  const attempt = async (): Promise<SignupResponse> => {
    try {
      const challenge = await loadChallenge(slot, settings.siteKey);
      const turnstileToken = await challenge.token();
      const answer = await post({ ...signup, meta: readAttribution(), turnstileToken });
      if (answer.code !== "ok") challenge.renew();
      return answer;
    } catch (error) {
      const { cause } = Object(error);
      const isLimited = cause instanceof Response && cause.status === 429;
      if (isLimited) return { code: "rate_limited", retryAfter: cause.headers.get("retry-after") };
      // Other causes do not help the visitor; the message says what to try.
      return { code: "no_challenge" };
    }
  };
  const first = await attempt();
  // The token may have expired while the page was open.
  const answer = first.code === "verification_failed" ? await attempt() : first;
  return answer.code === "ok"
    ? {
        kind: "thanks",
        text: `Thank you, ${signup.name}. You are on the list: ${signup.email}. ${formatThanks(answer, settings)}`,
      }
    : { kind: "failure", text: formatSignupError(answer, settings) };
};

let loading: Promise<ChallengeWidget> | undefined;

/**
 * Loads the challenge once, and puts it in its place.
 *
 * @throws when its files cannot be loaded; the next call tries again.
 */
function loadChallenge(slot: HTMLElement, siteKey: string | undefined): Promise<ChallengeWidget> {
  const load = async () =>
    siteKey === undefined
      ? (await import("./altcha-widget.ts")).createAltchaWidget(slot)
      : (await import("./turnstile-widget.ts")).createTurnstileWidget(slot, siteKey);
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

interface SignupResponse {
  /** "ok", a code of the API, or one of this script. */
  readonly code: string;
  /** The newsletter has the address too. */
  readonly isSynced?: boolean;
  /** Seconds to wait, if the server says so. */
  readonly retryAfter?: string | null;
}

async function post(signup: object): Promise<SignupResponse> {
  try {
    const response = await fetch("/api/beta-signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
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
const RESPONSE_TIMEOUT_MS = 30_000;

function formatThanks({ isSynced }: SignupResponse, { asksToConfirm }: SignupSettings): string {
  if (asksToConfirm === false)
    return "There is nothing to confirm: we write when there is a new tool.";
  if (!isSynced) return "If you have to confirm your address, that message may take a while.";
  return asksToConfirm
    ? "Follow the link in the message that we sent you, unless you have confirmed this address before."
    : "If a message asks you to confirm your address, follow its link.";
}

function formatSignupError({ code, retryAfter }: SignupResponse, { site }: SignupSettings): string {
  const seconds = Number(retryAfter);
  const texts = {
    // The fields were checked before.
    invalid_request: "We could not accept this address. Check it and try again.",
    verification_failed: "The bot check failed twice. Wait a moment and try again.",
    origin_rejected: `You can sign up only at this site’s own address. Open ${site} and try there.`,
    rate_limited: `Too many tries from your network. Try again in ${seconds > 1 ? `${seconds} seconds` : "a minute"}.`,
    internal_error: "Something failed on our side, and nothing was saved. Try again in a minute.",
    // Over plain http browsers keep back the cryptography that the embedded challenge needs.
    no_challenge: isSecureContext
      ? "We could not load the bot check. Check your connection and try again."
      : "The bot check needs https. Open this page with https:// and try there.",
    no_answer:
      "The server did not answer in time. You may be signed up already: it is safe to try again.",
    unreachable: "We could not reach the server. Check your connection and try again.",
  };
  return (
    new Map(Object.entries(texts)).get(code) ??
    "The server gave an unexpected answer. Try again in a minute."
  );
}
