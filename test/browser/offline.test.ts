import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import {
  COST_EXAMPLE,
  control,
  eventually,
  isStale,
  MAIL,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  rowButton,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** Moves the mouse, and waits until nothing more is loaded. */
async function firstUse(page: Page): Promise<void> {
  await page.mouse.move(5, 5);
  await page.mouse.move(9, 9);
  await page.waitForFunction(async () => {
    const loaded = () => performance.getEntriesByType("resource").length;
    const before = loaded();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return loaded() === before;
  });
}

/** A field of each tool, and a text that its example does not have. */
const FIELDS = [
  { path: MAIL_EXAMPLE, name: "filters[0].label", text: "Offline" },
  { path: COST_EXAMPLE, name: "zaps[0].name", text: "Offline" },
  { path: MCP_EXAMPLE, name: "command", text: "offline" },
];

inChromium("without a network", site.origin, (browser) => {
  describe.each(FIELDS)("$path", ({ path, name, text }) => {
    test("goes on working once it is loaded", async () => {
      const page = await browser.openAlone(path);
      await firstUse(page);
      await firstUse(page);
      await page.context().setOffline(true);
      await control(page, name).fill(text);
      await eventually(async () => JSON.stringify(await shownInput(page)).includes(text), true);
      expect(await isStale(page)).toBe(false);
    });
  });

  test("rows are added and removed, and the file is saved", async () => {
    const page = await browser.openAlone(MAIL_EXAMPLE);
    await firstUse(page);
    await page.context().setOffline(true);
    await control(page, "filters[0].from").fill("third@x.example");
    await rowButton(page, "remove filters[0].from[0]").click();
    await eventually(() => textsOf(page, "filters[0].from"), ["@shop.example", "third@x.example"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#download").click(),
    ]);
    expect(await Bun.file(await download.path()).text()).toContain("third@x.example");
  });

  test("a README and an export are read", async () => {
    const server = await browser.openAlone(MCP);
    await firstUse(server);
    await server.context().setOffline(true);
    await server.locator(".open input").setInputFiles({
      name: "README.md",
      mimeType: "text/markdown",
      buffer: Buffer.from('```json\n{"mcpServers":{"docs":{"command":"uvx"}}}\n```'),
    });
    await eventually(() => control(server, "command").inputValue(), "uvx");

    const filters = await browser.openAlone(MAIL);
    await firstUse(filters);
    await filters.context().setOffline(true);
    await filters.locator(".open input").setInputFiles({
      name: "mailFilters.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'><entry><apps:property name='from' value='a@x.example'/><apps:property name='shouldStar' value='true'/></entry></feed>",
      ),
    });
    await eventually(() => textsOf(filters, "filters[0].from"), ["a@x.example"]);
  });

  test("a tool that cannot be loaded leaves a form that is sent", async () => {
    browser.expectConsoleError(/Failed to (?:load resource|fetch dynamically imported module)/);
    const page = await (await browser.newContext()).newPage();
    await page.route(/\/assets\/hydrate-/, (route) => route.abort());
    const rejected = page.waitForEvent("console", (message) => message.type() === "error");
    await page.goto(COST_EXAMPLE);
    await rejected;
    await control(page, "zaps[0].runs_per_month").fill("1234");
    await page.getByRole("button", { name: "Update the result" }).click();
    await status(page).getByText("2,648 tasks").waitFor();
  });
});
