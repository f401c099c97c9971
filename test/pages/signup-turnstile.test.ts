import { afterAll, beforeEach, expect, test } from "bun:test";
import { failing, fakeSiteverify, passing, type Reply } from "../server/signup/fake-siteverify.ts";
import { inChromium } from "./browser.ts";
import { postedBy, signupIn, signupSite } from "./signup-site.ts";
import { stubTurnstile, type Trouble, TURNSTILE_REQUEST } from "./turnstile-stub.ts";

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
    await page.goto("/tools");
    return { page, posted: postedBy(page), form: signupIn(page, "footer") };
  };

  test("asks Cloudflare for nothing until somebody begins to sign up", async () => {
    const { form } = await open();
    await form.signup.scrollIntoViewIfNeeded();
    expect(await form.signup.textContent()).toContain("Cloudflare Turnstile checks");
  });

  test("renders the widget for its action, and sends its token", async () => {
    browser.expectComplaint(TURNSTILE_REQUEST);
    const { form, posted } = await open();
    await form.field("email").focus();
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
    browser.expectComplaint(TURNSTILE_REQUEST);
    browser.expectComplaint(/status of 403/);
    spent = ["token-1"];
    const { form, posted } = await open();
    await form.send();
    await form.thanks.waitFor();
    expect(posted).toMatchObject([{ turnstileToken: "token-1" }, { turnstileToken: "token-2" }]);
    expect(site.rows()).toHaveLength(1);
  });

  test("says when the widget fails, and begins it anew", async () => {
    browser.expectComplaint(TURNSTILE_REQUEST);
    const { form } = await open("failure");
    await form.send();
    await form.signup.locator(".failure").waitFor();
    expect(await form.status.textContent()).toContain("cannot be loaded or done");
    await form.button.click();
    await form.thanks.waitFor();
  });

  test.each(["expiry", "failure and retry"] as const)(
    "takes the token that comes after %s",
    async (trouble) => {
      browser.expectComplaint(TURNSTILE_REQUEST);
      const { form, posted } = await open(trouble);
      await form.field("email").focus();
      await form.signup.getByText("sitekey").waitFor();
      await form.send();
      await form.thanks.waitFor();
      expect(posted).toMatchObject([{ turnstileToken: "token-1" }]);
    },
  );

  test("says when the script cannot be had, and loads it again", async () => {
    browser.expectComplaint(TURNSTILE_REQUEST);
    browser.expectComplaint(/ERR_FAILED/);
    const { form, page } = await open();
    await page.route("https://challenges.cloudflare.com/**", (route) => route.abort(), {
      times: 2,
    });
    await form.send();
    await form.signup.locator(".failure").waitFor();
    await form.button.click();
    await form.thanks.waitFor();
    expect(site.rows()).toHaveLength(1);
  });
});
