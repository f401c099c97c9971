import { expect, test } from "bun:test";
import { inChromium } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { COST, MAIL } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, focused, shownInput, status } from "./tool-page.ts";

const site = runningSite();

const RUNS = "zaps[0].runs_per_month";

inChromium("a link within the page", site.origin, (browser) => {
  test("leads into the first control of what a problem is about", async () => {
    const page = await browser.open(`${MAIL}?filters[0].label=Bills`);
    await status(page).locator('a[href="#filters[0]"]').first().click();
    expect(await focused(page)).toBe("filters[0].name");
    expect(page.url()).not.toContain("#");
  });

  test("stands in no history, so that the way back takes nothing out of the form", async () => {
    const page = await browser.open("/tools");
    await page.goto(COST);
    await control(page, RUNS).fill("123");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("123"), true);
    await page.locator('a[href="#main"]').press("Enter");
    await eventually(() => focused(page), "main");
    await page.waitForTimeout(600);
    expect(page.url()).toContain("#v1.");
    expect(await page.evaluate(() => history.length)).toBe(3);
    expect(await control(page, RUNS).inputValue()).toBe("123");
  });

  test("that is the form's own keeps the newest input in the address at once", async () => {
    const page = await browser.open(COST);
    await control(page, RUNS).fill("123");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("123"), true);
    await page.locator("#share").click();
    const before = await page.evaluate(() => history.length);
    await control(page, RUNS).fill("124");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("124"), true);
    await page.locator("#share").click();
    await page.waitForTimeout(600);
    expect(await page.evaluate(() => history.length)).toBe(before);
  });
});
