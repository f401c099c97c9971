import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { COST, control, MAIL_EXAMPLE, MCP_EXAMPLE, notes } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

inChromium("at the edges", site.origin, (browser) => {
  test("no hint covers the message of the field beside it", async () => {
    const page = await browser.open(COST, { viewport: { width: 1280, height: 800 } });
    await control(page, "zaps[0].action_steps").fill("0");
    await control(page, "zaps[0].runs_per_month").focus();
    const message = notes(page, "zaps[0].action_steps");
    await message.waitFor();
    const isOnTop = await message.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [left + 2, (left + right) / 2, right - 2].every((x) =>
        element.contains(document.elementFromPoint(x, (top + bottom) / 2)),
      );
    });
    expect(isOnTop).toBe(true);
    expect(await page.locator('[id="zaps[0].runs_per_month:hint"]').isVisible()).toBe(false);
  });

  test("words about a button that is not printed are not printed either", async () => {
    const page = await browser.open(MCP_EXAMPLE);
    const words = page.getByText("asks in Cursor before it adds");
    await page.getByRole("radio", { name: "Cursor", exact: true }).check();
    await words.waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await words.isVisible()).toBe(false);
    expect(await page.locator("#client-cursor pre").first().isVisible()).toBe(true);
  });

  test("the input is printed with the result", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    const start = page.locator(".start");
    expect(await start.isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await control(page, "filters[0].label").isVisible()).toBe(true);
    expect(await control(page, "filters[0].from[0]").isVisible()).toBe(true);
    expect(await page.locator(".chip .remove").first().isVisible()).toBe(false);
    expect(await start.isVisible()).toBe(false);
    expect(await page.locator(".sentence").isVisible()).toBe(true);
  });
});
