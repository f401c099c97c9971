import "altcha/external";
import workerHref from "altcha/workers/pbkdf2" with { type: "file" };
import type { ChallengeWidget } from "./challenge-widget.ts";

/* The edition without inline styles and scripts, which the Content-Security-Policy forbids. */
$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerHref));
$altcha.defaults.set({
  challenge: "/api/beta-signup/challenge",
  // The puzzle is solved while the visitor types, so that the widget is never shown.
  auto: "onload",
  language: "en",
  // Would record pointer and scroll events.
  humanInteractionSignature: false,
  // No artificial delay.
  minDuration: 0,
  workers: 4,
});

/** The server's own challenge: a proof of work that the browser computes. */
export async function createAltchaWidget(slot: HTMLElement): Promise<ChallengeWidget> {
  const widget = document.createElement("altcha-widget");
  const isThere = nextEvent(widget, "load");
  slot.replaceChildren(widget);
  await isThere;
  return {
    async token() {
      if (String(widget.getState()) === "verifying") await nextEvent(widget, "statechange");
      const done = slot.querySelector<HTMLInputElement>("[name=altcha]")?.value;
      const token = done || (await widget.verify())?.payload;
      if (token) return token;
      widget.reset();
      throw new Error("The challenge was not solved");
    },
    renew: () => widget.reset(),
  };
}

const nextEvent = (target: EventTarget, type: string): Promise<Event> =>
  new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
