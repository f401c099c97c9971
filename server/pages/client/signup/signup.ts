import { type Accepted, type Answer, type Failure, landing, postSignup } from "./api.ts";
import type { LandingAttributes } from "./attributes.ts";
import type { Challenge } from "./challenge.ts";
import { askWhatOther, checkFields, readFields } from "./fields.ts";

/**
 * Loads the challenge that a signup form names, and puts it in its place.
 *
 * @throws when its files cannot be had.
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

/** Says what is under way. */
function showProgress(form: HTMLFormElement, text: string): void {
  setBusy(form, true);
  showStatus(form, text, "status progress");
}

/** Says what went wrong, and lets go on. */
function showFailure(form: HTMLFormElement, text: string): void {
  setBusy(form, false);
  showStatus(form, text, "status failure");
}

/** Puts the thanks in the place of the form, and the focus on them, for the button is gone. */
function showThanks(form: HTMLFormElement, text: string): void {
  const thanks = document.createElement("p");
  thanks.className = "thanks";
  thanks.tabIndex = -1;
  thanks.textContent = text;
  form.replaceWith(thanks);
  thanks.focus();
}

/** Not `disabled`, which would take the focus away, nor a busy form, whose status is not read out. */
function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  form.querySelector("button")?.setAttribute("aria-disabled", String(isBusy));
}

function showStatus(form: HTMLFormElement, text: string, className: string): void {
  const status = form.querySelector("[role=status]");
  if (!status) return;
  status.className = className;
  status.textContent = text;
}

const KEPT = "What you typed is still here.";

/** What is said of a signup that the server took. */
const thanksWords = ({ isSynced }: Accepted): string =>
  isSynced
    ? "Thank you, your address is saved. Check your inbox: if a mail asks you to confirm it, follow its link."
    : "Thank you, your address is saved. The newsletter could not be told yet, so a mail to confirm it may come later.";

/**
 * What is said when it did not work, and what to do.
 *
 * @param site the address at which the site takes signups.
 */
function failureWords({ code, retryAfter }: Failure, site: string): string {
  switch (code) {
    case "invalid_request":
      return "The server does not take the address or the name as it is. Look at them again, then try once more.";
    case "verification_failed":
      return `The check that you are a person failed twice. Wait a moment, then try again. ${KEPT}`;
    case "origin_rejected":
      return `Signing up works only where this site is at home. Open ${site} and try there.`;
    case "payload_too_large":
      return "That is more than the server takes. Shorten what you typed, then try again.";
    case "rate_limited":
      return `Many have just signed up from where you are. Try again ${waitWords(retryAfter)}. ${KEPT}`;
    case "internal_error":
      return `The server could not save it, and nothing is recorded. Try again in a minute. ${KEPT}`;
    case "no_challenge":
      return `The check that you are a person cannot be loaded or done. Look at your connection, then try again. ${KEPT}`;
    case "no_answer":
      return "The server has not answered in time, and may have saved it or not. To try again does no harm.";
    case "unreachable":
      return `The server cannot be reached. Look at your connection, then try again. ${KEPT}`;
    default:
      return `The server gave an answer that this page does not know. Try again in a minute. ${KEPT}`;
  }
}

function waitWords(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter);
  return seconds > 1 ? `in ${seconds} seconds` : "in a moment";
}

/** Lets the signup forms of the page sign people up. */
export function signupForms(): void {
  // With every page, for it may be the first one of the visit.
  const meta = landing();
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-signup]")) {
    enhance(form, meta);
  }
}

function enhance(form: HTMLFormElement, meta: LandingAttributes): void {
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
  // Who only reads the page need not load it. If it fails, that is said when the form is sent.
  form.addEventListener("focusin", () => load().catch(() => undefined), { once: true });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy || !checkFields(form)) return;
    isBusy = true;
    const answer = await signUp(form, load, meta);
    isBusy = false;
    if (answer.ok) showThanks(form, thanksWords(answer));
    else showFailure(form, failureWords(answer, form.dataset.site ?? ""));
  });
  form.querySelector("button")?.removeAttribute("disabled");
}

/** Tries a second time when the check fails: a token that waited in an open page goes stale. */
async function signUp(
  form: HTMLFormElement,
  load: () => Promise<Challenge>,
  meta: LandingAttributes,
): Promise<Answer> {
  const signup = { ...readFields(form), meta };
  const attempt = async (): Promise<Answer> => {
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
    // Why is of no help to who is signing up; what can be tried is said in words.
    return undefined;
  }
}
