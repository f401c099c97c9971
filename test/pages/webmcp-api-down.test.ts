import { expect, test } from "bun:test";
import { inChromium } from "./browser.ts";
import { runningSite } from "./running-site.ts";

const site = runningSite();

inChromium(
  "an agent in the browser, while the API is down,",
  site.origin,
  (browser) => {
    test("finds no tools, and the page throws nothing", async () => {
      browser.expectComplaint(/status of 503/);
      const page = await (await browser.newContext()).newPage();
      await page.route("**/api/tools", (route) =>
        route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "" } } }),
      );
      await page.goto("/", { waitUntil: "networkidle" });
      expect(await page.webmcp.tools()).toEqual([]);
    });
  },
  ["--enable-features=WebMCP"],
);
