import { beforeEach, expect, test } from "bun:test";
import { inChromium } from "../support/browser.ts";
import { postedBy, SIGNUP, signupIn, signupSite } from "../support/site.ts";

const site = signupSite();
beforeEach(() => {
  site.run("DELETE FROM signups");
});

const failure = (code: string) => JSON.stringify({ error: { code, message: "Request rejected" } });

inChromium("a signup that fails", site.origin, (browser) => {
  test.each([
    ["rate_limited", 429, failure("rate_limited"), "Try again in 42 seconds."],
    ["internal_error", 500, failure("internal_error"), "nothing was saved"],
    ["a proxy's page", 502, "<h1>Bad Gateway</h1>", "an unexpected answer"],
    ["a hotel's page", 200, "<h1>Log in</h1>", "an unexpected answer"],
  ])(
    "because of %s says so, keeps what was typed, and can be sent again",
    async (_, status, body, words) => {
      if (status !== 200) browser.expectConsoleError(new RegExp(`status of ${status}`));
      const page = await browser.open("/");
      const posted = postedBy(page);
      const form = signupIn(page);
      const headers = { "Content-Type": "application/json", "Retry-After": "42" };
      await page.route(`**${SIGNUP}`, (route) => route.fulfill({ status, headers, body }), {
        times: 1,
      });
      await form.send();
      await form.signup.locator(".status .bad").waitFor();
      expect(await form.status.textContent()).toContain(words);
      expect(await form.field("email").inputValue()).toBe("ada@site.test");
      expect(await form.field("name").inputValue()).toBe("Ada Lovelace");

      await form.button.click();
      await form.thanks.waitFor();
      expect(site.rows()).toHaveLength(1);
      expectFreshTokens(posted, 2);
    },
  );

  test.each([
    ["once is tried again without a word", 1, ".thanks"],
    ["twice shows a message", 2, ".status .bad"],
  ])("at the check %s", async (_, times, shown) => {
    browser.expectConsoleError(/status of 403/);
    const page = await browser.open("/");
    const posted = postedBy(page);
    const form = signupIn(page);
    const rejection = { status: 403, body: failure("verification_failed") };
    await page.route(`**${SIGNUP}`, (route) => route.fulfill(rejection), { times });
    await form.send();
    await form.signup.locator(shown).waitFor();
    if (times > 1) expect(await form.status.textContent()).toContain("failed twice");
    expectFreshTokens(posted, 2);
  });

  test("because the page is open under another address names the right one", async () => {
    const elsewhere = signupSite({}, "https://tools.test");
    browser.expectConsoleError(/another origin: http:\/\/127/);
    browser.expectConsoleError(/status of 403/);
    const page = await browser.open(`${elsewhere.origin}/`);
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain("Open https://tools.test and try there.");
    expect(elsewhere.rows()).toEqual([]);
  });

  test.each([
    ["before its challenge is loaded", false, "could not load the bot check"],
    ["after its challenge is done", true, "could not reach the server"],
  ])("offline %s goes on where it was", async (_, isSolved, words) => {
    browser.expectConsoleError(/ERR_INTERNET_DISCONNECTED/);
    const page = await browser.openAlone("/");
    const form = signupIn(page);
    if (isSolved) await form.solve();
    else {
      await page.mouse.move(5, 5);
      await form.signup.locator("button:enabled").waitFor();
    }
    await page.context().setOffline(true);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain(words);
    await page.context().setOffline(false);
    await form.button.click();
    await form.thanks.waitFor();
    expect(site.rows()).toHaveLength(1);
  });

  test.each([
    [500, "could not load the bot check"],
    [429, "Too many tries from your network. Try again in 42 seconds."],
  ])("because the challenge has the status %i says so", async (status, words) => {
    browser.expectConsoleError(/ALTCHA|status of (?:500|429)/);
    const page = await browser.open("/");
    const headers = { "Retry-After": "42" };
    await page.route(`**${SIGNUP}/challenge`, (route) => route.fulfill({ status, headers }));
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain(words);
  });

  test.each([
    [
      "for want of an answer does not claim that nothing happened",
      // Nobody waits for half a minute here.
      () => {
        AbortSignal.timeout = () => AbortSignal.abort(new DOMException("late", "TimeoutError"));
      },
      "may be signed up already",
    ],
    [
      "on a page over plain http says that the challenge needs https",
      () => void Object.defineProperty(window, "isSecureContext", { value: false }),
      "needs https",
    ],
  ])("%s", async (_, script, words) => {
    const context = await browser.newContext();
    await context.addInitScript(script);
    const page = await context.newPage();
    await page.goto("/");
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain(words);
  });
});

/** A token that was sent is not sent again. */
function expectFreshTokens(posted: readonly Readonly<Record<string, unknown>>[], count: number) {
  expect(new Set(posted.map(({ turnstileToken }) => turnstileToken)).size).toBe(count);
  expect(posted).toHaveLength(count);
}
