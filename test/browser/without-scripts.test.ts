import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ALL_CLIENTS } from "../../schemas/mcp-config.ts";
import { inChromium } from "./support/browser.ts";
import {
  COST_EXAMPLE,
  control,
  eventually,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  notes,
  PAGES,
  result,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const update = (page: Page) => page.getByRole("button", { name: "Update the result" }).click();

inChromium("without scripts", site.origin, (browser) => {
  const open = (path: string) => browser.open(path, { javaScriptEnabled: false });

  test.each([
    { path: MAIL_EXAMPLE, name: "filters[0].label", good: "Money/Later", bad: "/Money" },
    { path: COST_EXAMPLE, name: "zaps[0].name", good: "Post <b> & photo", bad: "x".repeat(201) },
    { path: MCP_EXAMPLE, name: "name", good: "papers", bad: "!!" },
  ])("$path answers what is sent", async ({ path, name, good, bad }) => {
    const page = await open(path);
    expect(await result(page).textContent()).not.toContain(good);
    await control(page, name).fill(good);
    await update(page);
    await result(page).getByText(good).first().waitFor({ state: "attached" });
    expect(await control(page, name).inputValue()).toBe(good);

    await control(page, name).fill(bad);
    await control(page, name).press("Enter");
    await notes(page, name).getByText("Must ").waitFor();
    const problem = (await notes(page, name).textContent()) ?? "";
    // The grid of Zaps names the cell too.
    expect(await page.locator("#problems").textContent()).toContain(
      problem.replace(/^Must/, "must"),
    );
    expect(await control(page, name).inputValue()).toBe(bad);
    expect((await result(page).textContent())?.trim()).toBe("");
  });

  test.each([MAIL_EXAMPLE, COST_EXAMPLE, MCP_EXAMPLE])(
    "%s: on a phone the answer begins with the result",
    async (path) => {
      const viewport = { width: 390, height: 844 };
      const page = await browser.open(path, { javaScriptEnabled: false, viewport });
      const isAtTop = async () => {
        const box = await page.locator(".bar").boundingBox();
        return box !== null && box.y >= 0 && box.y < 80;
      };
      await update(page);
      await eventually(isAtTop, true);
      const first = page.locator("#tool-form input[type=text]:visible").first();
      await first.fill("another");
      await first.press("Enter");
      await result(page).getByText("another").first().waitFor({ state: "attached" });
      await eventually(isAtTop, true);
    },
  );

  test.each(PAGES.filter((path) => path.startsWith("/tools/")))(
    "%s says what needs scripts",
    async (path) => {
      const notes = (page: Page) => page.locator("noscript p:visible").allTextContents();
      expect(await notes(await open(path))).toEqual([
        "Opening files, undo and copying need JavaScript.",
      ]);
      expect(await notes(await browser.open(path))).toEqual([]);
    },
  );

  test("the home page is as wide as a phone", async () => {
    const viewport = { width: 390, height: 844 };
    const page = await browser.open("/", { javaScriptEnabled: false, viewport });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  test.each(PAGES)("%s offers and promises nothing that needs scripts", async (path) => {
    const page = await open(path);
    const promises = page.getByText(/stays there|leaves this tab/);
    expect(await promises.filter({ visible: true }).count()).toBe(0);
    expect(await page.locator(".needs-script:visible").count()).toBe(0);
    expect(await page.locator("main").isVisible()).toBe(true);
  });

  test("all clients of a server are below each other", async () => {
    const page = await open(MCP_EXAMPLE);
    const names = await page.locator("#result > section").getByRole("heading").allTextContents();
    expect(names).toEqual(
      expect.arrayContaining(["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Codex"]),
    );
    expect(await page.locator("#result > section:visible").count()).toBe(ALL_CLIENTS.length);
  });

  test("what is pasted in the box is read, and says what is left out", async () => {
    const page = await open(MCP);
    const box = page.getByLabel("A command, a config or a README");
    await box.fill('{ "mcpServers": { "far": { "url": "https://far.example/mcp" }, "near": {} } }');
    await update(page);
    await result(page).getByText("https://far.example/mcp").first().waitFor({ state: "attached" });
    expect(await box.inputValue()).toBe("");
    await page.getByText("“near” is left out: must have a command or a url.").waitFor();
    await box.fill("what is this?");
    await update(page);
    await page.locator("#problems").getByText("No MCP server found.").waitFor();
    expect(await box.inputValue()).toBe("what is this?");
  });

  test("all servers of a config are written, and stay in the box", async () => {
    const page = await open(MCP);
    const box = page.getByLabel("A command, a config or a README");
    const far = { url: "https://far.example/mcp" };
    const text = JSON.stringify({ mcpServers: { far, near: { command: "npx" }, bad: {} } });
    await box.fill(text);
    for (const _ of ["first", "again"]) {
      await update(page);
      await status(page).getByText("2 servers, all in one file, 1 left out.").waitFor();
      expect(await box.inputValue()).toBe(text);
      await page.getByText("“bad” is left out: must have a command or a url.").waitFor();
      const file = await page.locator("#claude-desktop-file").textContent();
      expect(Object.keys(JSON.parse(file ?? "").mcpServers)).toEqual(["far", "near"]);
    }
    await box.fill(text.replace("near", "here"));
    await update(page);
    await result(page).getByText("here").first().waitFor({ state: "attached" });
  });
});
