import type { Challenge } from "./challenge.ts";
import { loadChallenge } from "./challenge-load.ts";
import type { LandingAttributes } from "./signup-attributes.ts";
import { askWhatOther, checkFields, readFields } from "./signup-fields.ts";
import { landing } from "./signup-landing.ts";
import { type Answer, postSignup } from "./signup-post.ts";
import { showFailure, showProgress, showThanks } from "./signup-view.ts";
import { failureWords, thanksWords } from "./signup-words.ts";

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
