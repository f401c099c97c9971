import { afterEach, expect, test } from "bun:test";
import { inChromium } from "./browser.ts";
import { postedBy, signupIn, signupSite } from "./signup-site.ts";

const site = signupSite();
afterEach(() => site.run("DELETE FROM signups"));

inChromium("a signup where another app has the same origin", site.origin, (browser) => {
  test.each([
    ["landing", '{"step":3}'],
    ["handtools.landing", '{"step":3}'],
  ])("takes nothing from what that keeps as %s", async (key, value) => {
    const page = await browser.openAlone("/tools?utm_source=here");
    await page.evaluate((pair) => sessionStorage.setItem(...pair), [key, value] as const);
    await page.reload();
    const posted = postedBy(page);
    const { send, thanks } = signupIn(page, "footer");
    await send();
    await thanks.waitFor();
    expect(posted).toMatchObject([{ meta: { landingPath: "/tools", utmSource: "here" } }]);
    expect(Object.keys(Object(posted[0]?.meta))).toEqual(["landingPath", "utmSource"]);
    expect(site.rows()).toHaveLength(1);
  });
});
