import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { inChromium } from "./support/browser.ts";
import {
  COST_EXAMPLE,
  control,
  eventually,
  isStale,
  MAIL,
  MCP,
  shownInput,
  status,
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

/** A file that a tool reads, and one of its texts in the form. */
const FILES = [
  {
    path: MAIL,
    file: "mailFilters.xml",
    text: gmailExport({ from: "a@x.example", label: "Read" }),
    ...{ name: "filters[0].label", read: "Read" },
  },
  // The parser of CSV is loaded with the first CSV.
  { path: COST_EXAMPLE, file: "", text: "", name: "zaps[0].name", read: "" },
  {
    path: MCP,
    file: "README.md",
    text: '```json\n{"mcpServers":{"docs":{"command":"uvx"}}}\n```',
    ...{ name: "command", read: "uvx" },
  },
];

inChromium("without a network", site.origin, (browser) => {
  test.each(FILES)("$path goes on working once it is loaded", async (known) => {
    const { path, file, text, name, read } = known;
    const page = await browser.openAlone(path);
    await firstUse(page);
    await firstUse(page);
    await page.context().setOffline(true);
    if (file !== "") {
      const given = { name: file, mimeType: "text/plain", buffer: Buffer.from(text) };
      await page.locator(".open input").setInputFiles(given);
      await eventually(() => control(page, name).inputValue(), read);
    }
    await control(page, name).fill("offline");
    if (path !== MAIL) {
      await eventually(
        async () => JSON.stringify(await shownInput(page)).includes("offline"),
        true,
      );
      expect(await isStale(page)).toBe(false);
      return;
    }
    await status(page).getByText("1 changed").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#download").click(),
    ]);
    expect(await Bun.file(await download.path()).text()).toContain("offline");
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
