import { afterAll, beforeEach, expect, test } from "bun:test";
import { listmonkVariables, startFakeListmonk } from "../../server/support/fake-listmonk.ts";
import { inChromium } from "../support/browser.ts";
import { runningSite, signupIn, signupSite } from "../support/site.ts";

const listmonk = startFakeListmonk();
afterAll(() => listmonk[Symbol.asyncDispose]());

const site = signupSite(listmonkVariables(listmonk));
beforeEach(() => {
  site.run("DELETE FROM signups");
  listmonk.subscribers.rows.clear();
  listmonk.state.isDatabaseDown = false;
});

const subscriber = () => listmonk.subscribers.byEmail("ada@site.test");

inChromium("a signup", site.origin, (browser) => {
  test("tells the newsletter how the visit began, whatever page it ends on", async () => {
    const page = await browser.open(
      "/tools/nothing-here?utm_source=feed&utm_medium=mail&utm_campaign=spring&utm_content=a&promo=SPRING26",
    );
    browser.expectConsoleError(/status of 404/);
    await page.goto("/?utm_source=other");
    const { send, thanks } = signupIn(page);
    await send();
    await thanks.waitFor();
    expect(await thanks.textContent()).toContain("If a message asks you to confirm");
    expect(subscriber()).toMatchObject({ name: "Ada Lovelace" });
    expect(subscriber()?.attribs).toEqual({
      ctaSource: "hero",
      landingPath: "/tools/nothing-here",
      utmSource: "feed",
      utmMedium: "mail",
      utmCampaign: "spring",
      utmContent: "a",
      promoCode: "SPRING26",
    });
  });

  test("keeps nothing beyond the tab, and sets no cookie", async () => {
    const context = await browser.newContext();
    const first = await context.newPage();
    await first.goto("/?utm_source=first");
    const second = await context.newPage();
    await second.goto("/?utm_source=second");
    expect(await context.cookies()).toEqual([]);
    const { send, thanks } = signupIn(second);
    await send();
    await thanks.waitFor();
    expect(subscriber()?.attribs).toMatchObject({ utmSource: "second" });
  });

  test("keeps no input of an address, which may have secrets", async () => {
    const page = await browser.openAlone(
      '/tools/mcp-config-generator?input={"name":"a","url":"https://x.test?token=t0psecret"}&utm_source=here',
    );
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
    expect(kept).toContain("utm_source=here");
    expect(kept).not.toContain("t0psecret");
  });

  test.each([
    ["keeps nothing", "throw new DOMException('denied', 'SecurityError')"],
    ["has kept what nobody can read", "return { getItem: () => '{', setItem() {} }"],
    ["keeps what is another app's", `return { getItem: () => '{"step":3}', setItem() {} }`],
  ])("works in a browser that %s", async (_, storage) => {
    const context = await browser.newContext();
    await context.addInitScript(
      `Object.defineProperty(globalThis, "sessionStorage", { get() { ${storage} } })`,
    );
    const page = await context.newPage();
    await page.goto("/?utm_source=here");
    const { send, thanks } = signupIn(page);
    await send();
    await thanks.waitFor();
    const attribs = { ctaSource: "hero", landingPath: "/", utmSource: "here" };
    expect(subscriber()?.attribs).toEqual(attribs);
  });

  test("that the newsletter does not hear of is saved, and says so", async () => {
    listmonk.state.isDatabaseDown = true;
    const page = await browser.open("/");
    const { send, thanks } = signupIn(page);
    await send();
    await thanks.waitFor();
    expect(await thanks.textContent()).toContain("may take a while");
    expect(site.rows()).toHaveLength(1);
  });
});

const siteWithout = runningSite({ signup: undefined });

inChromium("a site without a signup", siteWithout.origin, (browser) => {
  test("keeps no address where a visit began", async () => {
    const page = await browser.open("/?utm_source=feed");
    expect(await page.locator(".signup").count()).toBe(0);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });
});
