import { afterAll, beforeEach, expect, test } from "bun:test";
import type { BrowserContext } from "playwright-core";
import {
  failing,
  fakeSiteverify,
  passing,
  type Reply,
} from "../../server/support/fake-siteverify.ts";
import { inChromium } from "../support/browser.ts";
import { postedBy, signupIn, signupSite } from "../support/site.ts";

/** The address of Cloudflare's script, which is never asked for here. */
const TURNSTILE_REQUEST = /another origin: https:\/\/challenges\.cloudflare\.com/;

/** The tokens that Cloudflare says are spent. */
let spent: readonly string[] = [];
const verdict: Reply = (form) => {
  const isSpent = spent.includes(form.get("response") ?? "");
  return (isSpent ? failing("timeout-or-duplicate") : passing({ hostname: "127.0.0.1" }))(form);
};
const siteverify = fakeSiteverify(...Array<Reply>(50).fill(verdict));
afterAll(() => siteverify[Symbol.dispose]());

const site = signupSite({
  TURNSTILE_SITE_KEY: "the-site-key",
  TURNSTILE_SECRET_KEY: "the-secret-key",
  TURNSTILE_VERIFY_URL: siteverify.url,
});
beforeEach(() => {
  spent = [];
  site.run("DELETE FROM signups");
});

inChromium("the signup form with Turnstile", site.origin, (browser) => {
  const open = async (...trouble: readonly Trouble[]) => {
    const context = await browser.newContext();
    await stubTurnstile(context, trouble);
    const page = await context.newPage();
    await page.goto("/");
    return { page, posted: postedBy(page), form: signupIn(page) };
  };

  test("asks Cloudflare when somebody begins to sign up, and sends the token of its widget", async () => {
    browser.expectConsoleError(TURNSTILE_REQUEST);
    const { form, posted, page } = await open();
    await form.signup.scrollIntoViewIfNeeded();
    expect(await form.signup.textContent()).toContain("Cloudflare Turnstile checks");
    await page.waitForLoadState("networkidle");
    expect(await page.locator("script[src*=cloudflare]").count()).toBe(0);
    await form.field("email").fill("ada");
    const widget = form.signup.locator(".challenge p").filter({ hasText: "sitekey" });
    expect(JSON.parse((await widget.textContent()) ?? "")).toEqual({
      sitekey: "the-site-key",
      action: "beta_signup",
      theme: "auto",
    });
    await form.send();
    await form.thanks.waitFor();
    expect(posted).toMatchObject([{ turnstileToken: "token-1" }]);
    expect(site.rows()).toHaveLength(1);
  });

  test("asks for another token when one is spent", async () => {
    browser.expectConsoleError(TURNSTILE_REQUEST);
    browser.expectConsoleError(/status of 403/);
    spent = ["token-1"];
    const { form, posted } = await open();
    await form.send();
    await form.thanks.waitFor();
    expect(posted).toMatchObject([{ turnstileToken: "token-1" }, { turnstileToken: "token-2" }]);
    expect(site.rows()).toHaveLength(1);
  });

  test.each(["failure", "unsupported"] as const)(
    "says when the widget gives no token (%s), and starts it again",
    async (trouble) => {
      browser.expectConsoleError(TURNSTILE_REQUEST);
      const { form } = await open(trouble);
      await form.send();
      await form.signup.locator(".status .bad").waitFor();
      expect(await form.status.textContent()).toContain("could not load the bot check");
      await form.button.click();
      await form.thanks.waitFor();
    },
  );

  test.each(["expiry", "failure and retry"] as const)(
    "takes the token that comes after %s",
    async (trouble) => {
      browser.expectConsoleError(TURNSTILE_REQUEST);
      const { form, posted } = await open(trouble);
      await form.field("email").fill("ada");
      await form.signup.locator("[data-token]").waitFor();
      await form.send();
      await form.thanks.waitFor();
      expect(posted).toMatchObject([{ turnstileToken: "token-1" }]);
    },
  );

  test("says when the script cannot be loaded, and loads it again", async () => {
    browser.expectConsoleError(TURNSTILE_REQUEST);
    browser.expectConsoleError(/ERR_FAILED/);
    const { form, page } = await open();
    const script = "https://challenges.cloudflare.com/**";
    await page.route(script, (route) => route.abort());
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    await page.unroute(script);
    await form.button.click();
    await form.thanks.waitFor();
    expect(site.rows()).toHaveLength(1);
  });
});

/**
 * The widget fails; fails and then tries again by itself; does not know the browser; or has a token
 * that grows old.
 */
type Trouble = "failure" | "failure and retry" | "unsupported" | "expiry";

/**
 * Serves a script in the place of Cloudflare's: each widget gives `token-1`, `token-2` and so on,
 * one when it is rendered and one more each time that it is reset. What it was rendered with stands
 * on the widget, and the last token that it gave.
 *
 * @param trouble what comes before the first token.
 */
async function stubTurnstile(
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
        if (kind === "unsupported") call(options["unsupported-callback"]);
        if (kind === "expiry") call(options["expired-callback"]);
        if (kind === "failure" || kind === "unsupported") return;
        tokens += 1;
        const token = `token-${tokens}`;
        setTimeout(() => {
          call(options.callback, token);
          widget.dataset.token = token;
        }, 50);
      };
      widgets[id]();
      return id;
    },
    reset: (id: string) => widgets[id]?.(),
  };
  Object.assign(globalThis, { turnstile });
}
