import { test } from "bun:test";
import { inChromium } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { COST } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, rowButton } from "./tool-page.ts";

const site = runningSite();

inChromium("a form with fields of any name", site.origin, (browser) => {
  test("is live", async () => {
    const page = await browser.openAlone("/tools");
    await page.route(
      (url) => url.pathname === COST,
      async (route) => {
        const response = await route.fetch();
        const fields = ["method", "action", "id", "contains"].map(
          (name) => `<input name="${name}">`,
        );
        const body = (await response.text()).replace(/<form id="tool-form".*?>/, (form) =>
          [form, ...fields].join(""),
        );
        await route.fulfill({ response, body });
      },
    );
    await page.goto(COST);
    await rowButton(page, "add zaps").click();
    await control(page, "zaps[2].name").fill("third");
    await eventually(async () => page.url().includes("#v1."), true);
  });
});
