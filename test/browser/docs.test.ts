import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { eventually } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const PHONE = { viewport: { width: 390, height: 844 } };

inChromium("the documentation", site.origin, (browser) => {
  test.each([true, false])(
    "shows every request in the chosen language, with scripts: %p",
    async (scripts) => {
      const page = await browser.open("/docs", { javaScriptEnabled: scripts });
      const shown = async () =>
        new Set(await page.locator(".copy-block:visible .label").allTextContents());
      const others = ["curl", "JavaScript", "Python"].map((name) => `${name} of the request`);
      const ofRequests = async () => [...(await shown())].filter((label) => others.includes(label));
      expect(await ofRequests()).toEqual(["curl of the request"]);
      await page.getByRole("radio", { name: "Python" }).check();
      await eventually(ofRequests, ["Python of the request"]);
    },
  );

  test.each([
    ["a desk, with scripts", { javaScriptEnabled: true }],
    ["a phone, with scripts", { ...PHONE, javaScriptEnabled: true }],
    ["a phone, without", { ...PHONE, javaScriptEnabled: false }],
  ])("leads to a part by its contents, which a phone folds: %s", async (_, options) => {
    const page = await browser.openAlone("/docs", { ...options, reducedMotion: "reduce" });
    const contents = page.locator(".contents");
    if ("viewport" in options) {
      expect((await contents.boundingBox())?.height).toBeLessThan(80);
      await page.getByText("Show the contents").click();
    }
    await contents.getByText("Errors", { exact: true }).click();
    const heading = page.locator("#errors");
    const languages = page.locator(".languages");
    // Below the choice of a language, which stays in sight.
    const isClear = async () => {
      const [top = 0, bar] = [(await heading.boundingBox())?.y, await languages.boundingBox()];
      return bar !== null && bar.y >= 0 && top >= bar.y + bar.height && top < 150;
    };
    await eventually(isClear, true);
  });
});
