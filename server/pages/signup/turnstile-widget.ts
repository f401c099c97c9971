import { announce } from "../announce.ts";
import type { ChallengeWidget } from "./challenge-widget.ts";

/** The part of Cloudflare's script that is used here. */
interface Turnstile {
  render(slot: HTMLElement, options: Readonly<Record<string, unknown>>): string;
  reset(widget: string): void;
}

declare global {
  var turnstile: Turnstile | undefined;
}

const TURNSTILE_SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** The widget's width in pixels; in a narrower place it is compact. */
const NORMAL_WIDTH = 300;

/** Cloudflare's Turnstile. It starts by itself and rarely asks for a click. */
export async function createTurnstileWidget(
  slot: HTMLElement,
  siteKey: string,
): Promise<ChallengeWidget> {
  const turnstile = globalThis.turnstile ?? (await loadTurnstile());
  /** The latest token, or undefined after an error; pending until then. */
  let latest = Promise.withResolvers<string | undefined>();
  const forget = () => {
    latest = Promise.withResolvers();
  };
  const keep = (token: string | undefined) => {
    // Resolves the pending caller and replaces an older token: the widget retries on its own.
    latest.resolve(token);
    forget();
    latest.resolve(token);
  };
  const renew = () => {
    forget();
    turnstile.reset(widget);
  };
  slot.replaceChildren();
  const widget = turnstile.render(slot, {
    sitekey: siteKey,
    action: "beta_signup",
    theme: "auto",
    size: slot.clientWidth < NORMAL_WIDTH ? "compact" : "flexible",
    "response-field": false,
    callback: keep,
    "before-interactive-callback": () => announce("Please answer the check in the form."),
    "error-callback": () => {
      keep(undefined);
      // Handled: keeps the widget from logging it to the console.
      return true;
    },
    // In a browser that the widget does not know, no other callback follows.
    "unsupported-callback": () => keep(undefined),
    // The widget fetches another token by itself.
    "expired-callback": forget,
  });
  return {
    async token() {
      const token = await latest.promise;
      if (token !== undefined) return token;
      renew();
      throw new Error("Turnstile gave no token");
    },
    renew,
  };
}

async function loadTurnstile(): Promise<Turnstile> {
  const script = Object.assign(document.createElement("script"), { src: TURNSTILE_SCRIPT });
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  script.addEventListener("load", resolve);
  script.addEventListener("error", (event) => {
    script.remove();
    reject(event);
  });
  document.head.append(script);
  await promise;
  if (!globalThis.turnstile) throw new Error("Turnstile's script does not start");
  return globalThis.turnstile;
}
