import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { sqlite } from "../../server/support/databases.ts";
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

  test("in the server's store shows a message, and nothing is stored", async () => {
    browser.expectConsoleError(/status of 500/);
    const page = await browser.open("/");
    const form = signupIn(page);
    site.run(sqlite.breakRows);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    site.run(sqlite.repairRows);
    expect(await form.status.textContent()).toContain("nothing was saved");
    expect(site.rows()).toEqual([]);
    await form.button.click();
    await form.thanks.waitFor();
  });

  test("once at the check is tried again without a word", async () => {
    browser.expectConsoleError(/status of 403/);
    const page = await browser.open("/");
    const posted = postedBy(page);
    const form = signupIn(page);
    await rejectVerification(page, 1);
    await form.send();
    await form.thanks.waitFor();
    expectFreshTokens(posted, 2);
  });

  test("twice at the challenge shows a message", async () => {
    browser.expectConsoleError(/status of 403/);
    const page = await browser.open("/");
    const posted = postedBy(page);
    const form = signupIn(page);
    await rejectVerification(page, 2);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain("failed twice");
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

  test("for want of an answer does not claim that nothing happened", async () => {
    const context = await browser.newContext();
    // Nobody waits for half a minute here.
    await context.addInitScript(() => {
      AbortSignal.timeout = () => AbortSignal.abort(new DOMException("late", "TimeoutError"));
    });
    const page = await context.newPage();
    await page.goto("/");
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain("may be signed up already");
  });

  test("without a challenge shows a message", async () => {
    browser.expectConsoleError(/ALTCHA|status of 500/);
    const page = await browser.open("/");
    await page.route(`**${SIGNUP}/challenge`, (route) => route.fulfill({ status: 500 }));
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain("could not load the bot check");
  });

  test("because the network had too many challenges says so, and when to try again", async () => {
    browser.expectConsoleError(/ALTCHA|status of 429/);
    const page = await browser.open("/");
    const headers = { "Retry-After": "42" };
    await page.route(`**${SIGNUP}/challenge`, (route) => route.fulfill({ status: 429, headers }));
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toBe(
      "Too many tries from your network. Try again in 42 seconds.",
    );
  });

  test("on a page over plain http says that the challenge needs https", async () => {
    const context = await browser.newContext();
    // As on a page with another host than this machine.
    await context.addInitScript(() => {
      Object.defineProperty(window, "isSecureContext", { value: false });
    });
    const page = await context.newPage();
    await page.goto("/");
    const form = signupIn(page);
    await form.send();
    await form.signup.locator(".status .bad").waitFor();
    expect(await form.status.textContent()).toContain("needs https");
    expect(site.rows()).toEqual([]);
  });
});

/** Answers the next signups as the server does when their token is stale. */
const rejectVerification = (page: Page, times: number) =>
  page.route(
    `**${SIGNUP}`,
    (route) => route.fulfill({ status: 403, body: failure("verification_failed") }),
    { times },
  );

/** A token that was sent is not sent again. */
function expectFreshTokens(posted: readonly Readonly<Record<string, unknown>>[], count: number) {
  expect(new Set(posted.map(({ turnstileToken }) => turnstileToken)).size).toBe(count);
  expect(posted).toHaveLength(count);
}
