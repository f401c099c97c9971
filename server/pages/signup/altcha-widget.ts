import "altcha/external";
import workerHref from "altcha/workers/pbkdf2" with { type: "file" };
import type { ChallengeWidget } from "./challenge-widget.ts";

const CHALLENGE_URL = "/api/beta-signup/challenge";

/* The edition without inline styles and scripts, which the Content-Security-Policy forbids. */
$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerHref));
$altcha.defaults.set({
  challenge: CHALLENGE_URL,
  language: "en",
  // Would record pointer and scroll events.
  humanInteractionSignature: false,
  // No artificial delay.
  minDuration: 0,
  workers: 4,
});

/** The server's own challenge: a proof of work. The browser computes it while the visitor types, unseen. */
export async function createAltchaWidget(slot: HTMLElement): Promise<ChallengeWidget> {
  const widget = document.createElement("altcha-widget");
  const { promise: loaded, resolve } = Promise.withResolvers<Event>();
  widget.addEventListener("load", resolve, { once: true });
  slot.replaceChildren(widget);
  await loaded;
  const solve = async () => (await widget.verify().catch(() => null))?.payload;
  let solved: ReturnType<typeof solve> | undefined = solve();
  const renew = () => {
    widget.reset();
    solved = undefined;
  };
  return {
    async token() {
      solved ??= solve();
      const token = await solved;
      if (token) return token;
      renew();
      // The widget hides the reason, which may be the rate limit.
      const cause = await fetch(CHALLENGE_URL);
      throw new Error("The challenge was not solved", { cause });
    },
    renew,
  };
}
