import "altcha/external";
import styleHref from "altcha/altcha.css" with { type: "file" };
import workerHref from "altcha/workers/pbkdf2" with { type: "file" };
import { type Challenge, load } from "./challenge.ts";

/* The edition without inline styles and scripts, which the Content-Security-Policy forbids. */
$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerHref));
$altcha.defaults.set({
  challenge: "/api/beta-signup/challenge",
  language: "en",
  hideFooter: true,
  hideLogo: true,
  // Would record pointer and scroll events.
  humanInteractionSignature: false,
  // No artificial delay.
  minDuration: 0,
  workers: 4,
});

/** The server's own challenge: a proof of work that the browser computes on signup. */
export async function altchaChallenge(slot: HTMLElement): Promise<Challenge> {
  // Once for all forms of a page.
  if (!document.querySelector(`link[href="${styleHref}"]`))
    await load(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href: styleHref }),
    );
  const widget = document.createElement("altcha-widget");
  const isThere = nextEvent(widget, "load");
  slot.replaceChildren(widget);
  await isThere;
  return {
    async token() {
      // If the box is ticked, verification is done or running.
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
