import type { BrowserContext } from "playwright-core";

/** The address of Cloudflare's script, which is never asked for here. */
export const TURNSTILE_REQUEST = /another origin: https:\/\/challenges\.cloudflare\.com/;

/** The widget fails; fails and then tries again by itself; or has a token that grows old. */
export type Trouble = "failure" | "failure and retry" | "expiry";

/**
 * Serves a script in the place of Cloudflare's: each widget gives `token-1`, `token-2` and so on,
 * one when it is rendered and one more each time that it is reset. What it was rendered with stands
 * on the widget.
 *
 * @param trouble what comes before the first token.
 */
export async function stubTurnstile(
  context: BrowserContext,
  trouble: readonly Trouble[] = [],
): Promise<void> {
  await context.route("https://challenges.cloudflare.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `(${stub})(${JSON.stringify(trouble)})`,
    }),
  );
}

/** Runs in the page. */
function stub(trouble: string[]): void {
  const call = (callback: unknown, ...parameters: string[]) => {
    if (typeof callback === "function") callback(...parameters);
  };
  let tokens = 0;
  const widgets: Record<string, () => void> = {};
  const turnstile = {
    render(slot: HTMLElement, options: Record<string, unknown>): string {
      const { sitekey, action, theme } = options;
      const widget = document.createElement("p");
      widget.textContent = JSON.stringify({ sitekey, action, theme });
      slot.append(widget);
      const id = `widget-${Object.keys(widgets).length}`;
      widgets[id] = () => {
        const kind = trouble.shift();
        if (kind?.startsWith("failure")) call(options["error-callback"]);
        if (kind === "expiry") call(options["expired-callback"]);
        if (kind === "failure") return;
        tokens += 1;
        const token = `token-${tokens}`;
        setTimeout(() => call(options.callback, token), 50);
      };
      widgets[id]();
      return id;
    },
    reset: (id: string) => widgets[id]?.(),
  };
  Object.assign(globalThis, { turnstile });
}
