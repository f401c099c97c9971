import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { holdAnswers } from "./hold-answers.ts";
import { COST } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, focused, isStale, rowButton, shownInput } from "./tool-page.ts";

const site = runningSite();

const RUNS = "zaps[0].runs_per_month";
const NEW_ROW = "zaps[2].name";

const shows = async (page: Page, text: string): Promise<boolean> =>
  JSON.stringify(await shownInput(page)).includes(text);

inChromium("on a slow line", site.origin, (browser) => {
  const open = async () => {
    const page = await browser.open(COST);
    const held = await holdAnswers(page, COST);
    return { page, held, asked: async () => held.length };
  };

  test("an answer that comes late is not shown over a newer one", async () => {
    const { page, held, asked } = await open();
    await control(page, RUNS).fill("111");
    await eventually(asked, 1);
    await control(page, RUNS).fill("222");
    await eventually(asked, 2);
    expect(await isStale(page)).toBe(false);
    held[1]?.();
    await eventually(() => shows(page, "222"), true);
    held[0]?.();
    await page.waitForTimeout(200);
    expect(await shows(page, "222")).toBe(true);
    expect(await isStale(page)).toBe(false);
  });

  test("an answer is not shown to who types on", async () => {
    const { page, held, asked } = await open();
    await control(page, RUNS).fill("1.5");
    await eventually(asked, 1);
    await control(page, RUNS).fill("15");
    held[0]?.();
    await page.waitForTimeout(200);
    expect(await isStale(page)).toBe(false);
  });

  test("what is typed while a row is added is kept, and so is the place in it", async () => {
    const { page, held, asked } = await open();
    await rowButton(page, "add zaps").click();
    await eventually(asked, 1);
    await control(page, RUNS).fill("333");
    await control(page, RUNS).press("ArrowLeft");
    await eventually(asked, 2);
    for (const letGo of held) letGo();
    await control(page, NEW_ROW).waitFor();
    expect(await control(page, RUNS).inputValue()).toBe("333");
    expect(await focused(page)).toBe(RUNS);
    await page.keyboard.type("4");
    expect(await control(page, RUNS).inputValue()).toBe("3343");
  });

  test("of a double click only the first adds a row", async () => {
    const { page, held, asked } = await open();
    await rowButton(page, "add zaps").dblclick();
    await eventually(asked, 1);
    held[0]?.();
    await control(page, NEW_ROW).waitFor();
    await page.waitForTimeout(300);
    expect(await asked()).toBe(1);
    expect(await control(page, "zaps[3].name").count()).toBe(0);
    expect(await focused(page)).toBe(NEW_ROW);
  });

  test("a button that was pressed meanwhile does not take out another row", async () => {
    const { page, held, asked } = await open();
    const second = await control(page, "zaps[1].name").inputValue();
    await rowButton(page, "remove zaps[0]").click();
    await eventually(asked, 1);
    await rowButton(page, "remove zaps[1]").click();
    await page.waitForTimeout(300);
    for (const letGo of held) letGo();
    await eventually(() => control(page, "zaps[1].name").count(), 0);
    expect(await control(page, "zaps[0].name").inputValue()).toBe(second);
  });
});
