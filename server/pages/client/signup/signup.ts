import { type Accepted, postSignup, type SignupError, type SignupOutcome } from "./api.ts";
import type { Attributes } from "./attributes.ts";
import type { Challenge } from "./challenge.ts";
import { askWhatOther, checkFields, readFields } from "./fields.ts";
import { landingAttributes } from "./landing.ts";

export function signupForms(): void {
  const forms = document.querySelectorAll<HTMLFormElement>("form[data-signup]");
  // A site without a signup has no use for the address where a visit began.
  if (forms.length === 0) return;
  // Every page reads where the visitor comes from, because it may be the first one of the visit.
  const meta = landingAttributes();
  for (const form of forms) enhanceForm(form, meta);
}

function enhanceForm(form: HTMLFormElement, meta: Attributes): void {
  let loading: Promise<Challenge> | undefined;
  const load = () => {
    loading ??= loadChallenge(form).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  let isBusy = false;

  askWhatOther(form);
  // Loaded when the visitor starts to fill in the form. A failure is reported on submit.
  form.addEventListener("focusin", () => load().catch(() => undefined), { once: true });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy || !checkFields(form)) return;
    isBusy = true;
    const answer = await signUp(form, load, meta);
    isBusy = false;
    if (answer.ok) showThanks(form, thanksText(answer, "newsletter" in form.dataset));
    else showError(form, errorText(answer, form.dataset.site ?? ""));
  });
  form.querySelector("button")?.removeAttribute("disabled");
}

/** Tries again once if the check fails: the token may have expired while the page was open. */
async function signUp(
  form: HTMLFormElement,
  load: () => Promise<Challenge>,
  meta: Attributes,
): Promise<SignupOutcome> {
  const signup = { ...readFields(form), meta };
  const attempt = async (): Promise<SignupOutcome> => {
    showProgress(form, "Checking that you are a person…");
    const solved = await solve(load);
    if (!solved) return { ok: false, code: "no_challenge" };
    showProgress(form, "Signing you up…");
    const answer = await postSignup({ ...signup, turnstileToken: solved.token });
    if (!answer.ok) solved.challenge.renew();
    return answer;
  };
  const first = await attempt();
  return !first.ok && first.code === "verification_failed" ? attempt() : first;
}

async function solve(load: () => Promise<Challenge>) {
  try {
    const challenge = await load();
    return { challenge, token: await challenge.token() };
  } catch {
    // The cause does not help the visitor; the message says what to try.
    return undefined;
  }
}

/**
 * Loads the challenge that a signup form names, and puts it in its place.
 *
 * @throws when its files cannot be loaded.
 */
async function loadChallenge(form: HTMLFormElement): Promise<Challenge> {
  const slot = form.querySelector<HTMLElement>(".challenge");
  if (!slot) throw new Error("The form has no place for a challenge");
  const { challenge, siteKey = "" } = form.dataset;
  if (challenge === "turnstile") {
    const { turnstileChallenge } = await import("./turnstile.ts");
    return turnstileChallenge(slot, siteKey);
  }
  const { altchaChallenge } = await import("./altcha.ts");
  return altchaChallenge(slot);
}

/** @param hasNewsletter whether a newsletter is configured; without one, no mail follows. */
function thanksText({ isSynced }: Accepted, hasNewsletter: boolean): string {
  const thanks = "Thank you, your address is saved.";
  if (!hasNewsletter) return thanks;
  return isSynced
    ? `${thanks} Check your inbox: if a mail asks you to confirm it, follow its link.`
    : `${thanks} The newsletter does not know it yet, so a mail to confirm it may come later.`;
}

/** @param site the address where the site accepts signups. */
function errorText({ code, retryAfter }: SignupError, site: string): string {
  switch (code) {
    case "invalid_request":
      // The other fields were checked before.
      return "The server rejects the address, as far as this page can tell. Check it, then try again.";
    case "verification_failed":
      return `The check that you are a person failed twice. Wait a moment, then try again. ${KEPT}`;
    case "origin_rejected":
      return `Sign-up works only at this site's own address. Open ${site} and try there.`;
    case "payload_too_large":
      return "That is more than the server accepts. Shorten it, then try again.";
    case "rate_limited":
      return `Too many signups came from your network. Try again ${waitText(retryAfter)}. ${KEPT}`;
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

function waitText(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter);
  return seconds > 1 ? `in ${seconds} seconds` : "in a moment";
}

function showProgress(form: HTMLFormElement, text: string): void {
  setBusy(form, true);
  showStatus(form, text, "status progress");
}

function showError(form: HTMLFormElement, text: string): void {
  setBusy(form, false);
  showStatus(form, text, "status failure");
}

/** Replaces the form by the thanks, and focuses them because the focused button is gone. */
function showThanks(form: HTMLFormElement, text: string): void {
  const thanks = document.createElement("p");
  thanks.className = "thanks";
  thanks.tabIndex = -1;
  thanks.textContent = text;
  form.replaceWith(thanks);
  thanks.focus();
}

/** `disabled` would lose the focus, and `aria-busy` would keep the status from being announced. */
function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  form.querySelector("button")?.setAttribute("aria-disabled", String(isBusy));
}

function showStatus(form: HTMLFormElement, text: string, className: string): void {
  const status = form.querySelector("[role=status]");
  if (!status) return;
  status.className = className;
  status.textContent = text;
}
