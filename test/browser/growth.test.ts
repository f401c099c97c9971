import { describe, expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { COST, control, eventually } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const INPUT = { zaps: [{ name: "Orders", action_steps: 1, runs_per_month: 1_800 }] };

describe("the slider of growth", () => {
  const site = runningSite();

  inChromium("in the cost page", site.origin, (browser) => {
    const opened = async () => {
      const page = await browser.open(`${COST}?input=${encodeURIComponent(JSON.stringify(INPUT))}`);
      const slider = page.locator("#growth");
      const texts = () => page.locator(".slider output, .answer").allTextContents();
      return { page, slider, texts };
    };

    test("moves verdict, table and reader with its keys, and keeps the focus and the input", async () => {
      const { page, slider, texts } = await opened();
      const before = await page.locator("circle.reader").getAttribute("cx");
      await slider.focus();
      for (let press = 0; press < 4; press += 1) await page.keyboard.press("ArrowRight");
      await eventually(texts, [
        "At ×3: Professional, 5,000 tasks, $97.90 a month, including $8.90 for extra tasks",
        "×3: 5,400 tasks, $97.90 a month on Professional",
      ]);
      expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await slider.inputValue()).toBe("3");
      expect(await page.locator("circle.reader").getAttribute("cx")).not.toBe(before);
      expect(await page.locator("table.plans caption").first().textContent()).toContain("5,400");
      expect(await control(page, "zaps[0].runs_per_month").inputValue()).toBe("1800");
      expect(await page.locator("#api-curl").textContent()).toContain("1800");
    });

    test("stays where it is when the input changes", async () => {
      const { page, slider, texts } = await opened();
      await slider.fill("2");
      await control(page, "zaps[0].runs_per_month").fill("100");
      await eventually(
        async () => (await texts())[1],
        "×2: 200 tasks, $19.99 a month on Professional",
      );
      expect(await slider.inputValue()).toBe("2");
    });
  });
});
