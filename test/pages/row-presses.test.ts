import { expect, test } from "bun:test";
import { inChromium } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { holdAnswers } from "./hold-answers.ts";
import { COST } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, rowButton } from "./tool-page.ts";

const site = runningSite();

inChromium("while a row is added", site.origin, (browser) => {
  test("a further press does not ask again, and puts the answer off no longer", async () => {
    const page = await browser.open(COST);
    const held = await holdAnswers(page, COST);
    await rowButton(page, "add zaps").dblclick();
    await rowButton(page, "remove zaps[1]").click();
    await page.waitForTimeout(300);
    expect(held).toHaveLength(1);
    held[0]?.();
    await control(page, "zaps[2].name").waitFor();
    await rowButton(page, "add zaps").click();
    await eventually(async () => held.length, 2);
    held[1]?.();
    await control(page, "zaps[3].name").waitFor();
  });
});
