import { expect, test } from "bun:test";
import { createMailFilters } from "../../src/index.ts";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused, retype, tabTo } from "./support/in-page.ts";
import { eventually, MAIL, MAIL_EXAMPLE, MCP_EXAMPLE, shownInput } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

inChromium("by keyboard alone", site.origin, (browser) => {
  const open = (path: string) => browser.open(path, clipboard.permitted);

  test("a secret is typed unseen, and shown by the box beside it", async () => {
    const page = await open(MCP_EXAMPLE);
    await tabTo(page, '[id="env[0].key"]');
    await page.keyboard.type("API_KEY");
    await tabTo(page, '[id="env[0].value"]');
    await page.keyboard.type("hush");
    const masking = () =>
      page
        .locator('[id="env[0].value"]')
        .evaluate((field) => getComputedStyle(field).getPropertyValue("-webkit-text-security"));
    await eventually(masking, "disc");
    await tabTo(page, ".row input[type=checkbox]");
    await page.keyboard.press("Space");
    expect(
      await page.getByRole("checkbox", { name: "Show Environment 1, value" }).isChecked(),
    ).toBe(true);
    await eventually(masking, "none");
  });

  test("filters are typed in and downloaded", async () => {
    const page = await open(MAIL_EXAMPLE);
    // The first stop leads past the navigation.
    for (const key of ["Tab", "Enter", "Tab"]) await page.keyboard.press(key);
    expect(await page.locator("main :focus").count()).toBe(1);
    await tabTo(page, '[id="filters[0].from"]');
    await page.keyboard.type("@market.example");
    await page.keyboard.press("Enter");
    await page.keyboard.type("@fair.example");
    await tabTo(page, '[id="filters[0].star"]');
    await page.keyboard.press("Space");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("star"), true);
    await tabTo(page, "a[download]");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.keyboard.press("Enter"),
    ]);
    expect(download.suggestedFilename()).toBe("mailFilters.xml");
    const filter = {
      name: "Bills and receipts",
      from: ["billing@acme.example", "@shop.example", "@market.example", "@fair.example"],
      ...{ subject: ["invoice", "your receipt"], does_not_have: ["refund"] },
      ...{ label: "Money/Bills", skip_inbox: true, star: true },
    };
    const { file, filters } = createMailFilters({ filters: [filter] });
    expect(await Bun.file(await download.path()).text()).toBe(file.content);
    await tabTo(page, 'a[href$="#settings/filters"]');
    await tabTo(page, 'a[href*="#search"]');
    expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(
      filters[0]?.preview_url ?? "",
    );
  });

  test("a server is described, and the config of another client is copied", async () => {
    const page = await open(MCP_EXAMPLE);
    await tabTo(page, "#name");
    await retype(page, "papers");
    await tabTo(page, "#command");
    await retype(page, "uvx");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("uvx"), true);
    await tabTo(page, "[name=client]");
    for (let press = 0; press < 2; press += 1) await page.keyboard.press("ArrowRight");
    await tabTo(page, '[aria-label="Copy: ~/.cursor/mcp.json of Cursor"]');
    await page.keyboard.press("Enter");
    await eventually(() => page.locator("#announcer").textContent(), "Copied");
    expect(JSON.parse(await clipboard.read(page))).toMatchObject({
      mcpServers: {
        papers: {
          command: "uvx",
          args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
        },
      },
    });
  });

  test.each([
    { zoom: 200, width: 640, height: 400 },
    { zoom: 400, width: 320, height: 256 },
  ])("at $zoom percent the bar covers nothing that has the focus", async (size) => {
    const page = await browser.open(MAIL, { viewport: size, reducedMotion: "reduce" });
    await tabTo(page, ".start button");
    await page.keyboard.press("Enter");
    await eventually(() => focused(page), "filters[0].from");
    const offer = page.locator(".bar");
    // As far as the bar itself.
    for (let stop = 0; stop < 10; stop += 1) {
      if ((await page.locator(".bar-and-result :focus").count()) > 0) break;
      const bar = (await offer.count()) > 0 ? await offer.boundingBox() : null;
      const box = await page.locator(":focus").boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? size.height);
      await page.keyboard.press("Tab");
    }
  });
});
