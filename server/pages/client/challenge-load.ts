import type { Challenge } from "./challenge.ts";

/**
 * Loads the challenge that a signup form names, and puts it in its place.
 *
 * @throws when its files cannot be had.
 */
export async function loadChallenge(form: HTMLFormElement): Promise<Challenge> {
  const slot = form.querySelector<HTMLElement>(".challenge");
  if (!slot) throw new Error("The form has no place for a challenge");
  const { challenge, siteKey = "" } = form.dataset;
  if (challenge === "turnstile") {
    const { turnstileChallenge } = await import("./challenge-turnstile.ts");
    return turnstileChallenge(slot, siteKey);
  }
  const { altchaChallenge } = await import("./challenge-altcha.ts");
  return altchaChallenge(slot);
}
