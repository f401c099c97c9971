import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { ALL_DOCS, eventually } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** The ids of the parts that can be seen. */
const shownParts = (page: Page): Promise<readonly (string | null)[]> =>
  page
    .locator(".part:visible")
    .evaluateAll((parts) => parts.map((part) => part.getAttribute("aria-labelledby")));

const current = (page: Page): Promise<readonly string[]> =>
  page.locator(".contents [aria-current]").allTextContents();

inChromium("the documentation", site.origin, (browser) => {
  test.each([true, false])("shows one part at a time, with scripts: %p", async (scripts) => {
    const page = await browser.open("/docs", { javaScriptEnabled: scripts });
    expect(await shownParts(page)).toEqual(["overview"]);
    await page.locator(".contents").getByText("Errors", { exact: true }).click();
    await eventually(() => shownParts(page), ["errors"]);
    if (scripts) await eventually(() => current(page), ["Errors"]);
    await page.goBack();
    await eventually(() => shownParts(page), ["overview"]);
  });

  test.each([
    ["an operation", "#run_mail_filter_generator", "run_mail_filter_generator"],
    ["nothing that is there", "#no-such-part", "overview"],
  ])("shows the part of a link to %s", async (_, hash, part) => {
    const page = await browser.openAlone(`/docs${hash}`);
    expect(await shownParts(page)).toEqual([part]);
  });

  test.each([true, false])(
    "shows every request in the chosen language, with scripts: %p",
    async (scripts) => {
      const page = await browser.open(ALL_DOCS, { javaScriptEnabled: scripts });
      const shown = async () =>
        new Set(await page.locator(".copy-block:visible .label").allTextContents());
      const others = ["curl", "JavaScript", "Python"].map((name) => `${name} of the request`);
      const ofRequests = async () => [...(await shown())].filter((label) => others.includes(label));
      expect(await ofRequests()).toEqual(["curl of the request"]);
      await page.getByRole("radio", { name: "Python" }).check();
      await eventually(ofRequests, ["Python of the request"]);
    },
  );

  test("shows all parts on one page", async () => {
    const page = await browser.openAlone(ALL_DOCS);
    expect((await shownParts(page)).length).toBe(await page.locator(".part").count());
    expect(await current(page)).toEqual(["All on one page"]);
  });

  test.each([true, false])("folds its contents on a phone, with scripts: %p", async (scripts) => {
    const options = { viewport: { width: 390, height: 844 }, javaScriptEnabled: scripts };
    const page = await browser.openAlone("/docs", options);
    const contents = page.locator(".contents");
    const height = async () => (await contents.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(80);
    await page.getByText("Show the contents").click();
    expect(await height()).toBeGreaterThan(500);
    await contents.getByText("Errors", { exact: true }).click();
    await eventually(() => shownParts(page), ["errors"]);
    if (!scripts) return;
    await eventually(async () => (await height()) < 80, true);
    const heading = page.locator("#errors");
    await eventually(
      () => heading.evaluate((e) => Math.abs(e.getBoundingClientRect().top) < 80),
      true,
    );
  });

  test("shows its current part in the contents, which scroll by themselves", async () => {
    const options = { viewport: { width: 1280, height: 600 } };
    const page = await browser.openAlone("/docs#createBetaSignup", options);
    const isShown = async () => {
      const place = await page.locator(".contents [aria-current]").boundingBox();
      return place !== null && place.y > 0 && place.y + place.height <= 600;
    };
    await eventually(isShown, true);
    const heading = page.locator("h2[id=createBetaSignup]");
    await eventually(() => heading.evaluate((e) => e.getBoundingClientRect().top < 300), true);
  });

  test("stays at its part when the navigation is skipped", async () => {
    const page = await browser.openAlone("/docs#errors");
    await page.locator(".skip").press("Enter");
    expect(await shownParts(page)).toEqual(["errors"]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  });
});
