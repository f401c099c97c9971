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
      const ofRequests = async () =>
        [...(await shown())].filter((label) => label.startsWith("Request of "));
      expect(await ofRequests()).toEqual(["Request of curl"]);
      await page.getByRole("radio", { name: "Python" }).check();
      await eventually(ofRequests, ["Request of Python"]);
    },
  );

  test("keeps the chosen language on the next page", async () => {
    const page = await browser.open("/docs");
    await page.getByRole("radio", { name: "Python" }).check();
    await page.getByRole("link", { name: "Run", exact: true }).first().click();
    await page.waitForURL("**/docs/*#run_mail_filter_generator");
    await eventually(() => page.getByRole("radio", { name: "Python" }).isChecked(), true);
  });

  test.each([
    ["a desk, with scripts", "/docs", { javaScriptEnabled: true }],
    [
      "a phone, without, from another page",
      "/docs/service",
      { ...PHONE, javaScriptEnabled: false },
    ],
  ])("leads to a part by its contents, folded on a phone: %s", async (_, path, options) => {
    const page = await browser.openAlone(path, { ...options, reducedMotion: "reduce" });
    const fold = page.locator(".contents summary");
    if (await fold.isVisible()) {
      expect((await fold.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await fold.click();
    }
    await page.getByRole("navigation", { name: "Contents" }).getByText("Errors").click();
    const box = () => page.locator("#errors").boundingBox();
    await eventually(async () => {
      const { y = -1 } = (await box()) ?? {};
      return y >= 0 && y < 100;
    }, true);
  });

  test("on a phone has words above the code", async () => {
    const page = await browser.open("/docs", PHONE);
    const [words, code] = [page.locator("#overview ~ .stack p"), page.locator(".copy-block")];
    const top = async (of: typeof words) => (await of.first().boundingBox())?.y ?? 0;
    expect(await top(words)).toBeLessThan(600);
    expect(await top(words)).toBeLessThan(await top(code));
  });

  test("on a desk the choice of a language stays above the code", async () => {
    const page = await browser.open("/docs#errors", { reducedMotion: "reduce" });
    const bar = await page.locator(".languages").boundingBox();
    const code = await page.locator("[aria-labelledby=errors] .copy-block").boundingBox();
    expect(bar?.y).toBe(0);
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
  });
});
