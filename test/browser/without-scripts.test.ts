import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import {
  COST_EXAMPLE,
  eventually,
  MAIL_EXAMPLE,
  MCP_EXAMPLE,
  PAGES,
  result,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** What the forms answer is in test/server/pages/tool. */
inChromium("without scripts", site.origin, (browser) => {
  const open = (path: string) => {
    const viewport = { width: 390, height: 844 };
    return browser.open(path, { javaScriptEnabled: false, viewport });
  };

  test.each([MAIL_EXAMPLE, COST_EXAMPLE, MCP_EXAMPLE])(
    "%s: the answer to a button and to the Enter key begins with the result",
    async (path) => {
      const page = await open(path);
      const isAtTop = async () => {
        const box = await page.locator(".bar").boundingBox();
        return box !== null && box.y >= 0 && box.y < 80;
      };
      await page.getByRole("button", { name: "Update the result" }).click();
      await eventually(isAtTop, true);
      const first = page.locator("#tool-form input[type=text]:visible").first();
      await first.fill("another");
      await first.press("Enter");
      await result(page).getByText("another").first().waitFor({ state: "attached" });
      await eventually(isAtTop, true);
    },
  );

  test.each(PAGES)(
    "%s is as wide as a phone, and offers and promises nothing that needs scripts",
    async (path) => {
      const page = await open(path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      const promises = page.getByText(/stays there|leaves this tab/);
      expect(await promises.filter({ visible: true }).count()).toBe(0);
      expect(await page.locator(".needs-script:visible").count()).toBe(0);
      expect(await page.locator("main").isVisible()).toBe(true);
      if (path.startsWith("/tools/"))
        expect(await page.locator("noscript p:visible").allTextContents()).toEqual([
          "Opening files, undo and copying need JavaScript.",
        ]);
    },
  );
});
