import { expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { callTool } from "../../src/index.ts";
import { inChromium } from "./support/browser.ts";
import { stopClock } from "./support/in-page.ts";
import { COST, MAIL, MCP, rowButton } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const UNDO = "Press Control Z to undo.";

const README = `\`\`\`json
{ "mcpServers": { "weather": { "command": "npx", "args": ["-y", "@acme/mcp-weather"] } } }
\`\`\``;

/** What a screen reader says after some steps: at once, and after the pause. */
async function spoken(page: Page, steps: () => Promise<unknown>): Promise<readonly string[]> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    const listen = (element: Element) => {
      new MutationObserver(() => said.push(element.textContent?.trim() ?? "")).observe(element, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    };
    for (const element of document.querySelectorAll("#announcer, output:not([aria-live=off])"))
      listen(element);
  });
  await steps();
  await page.clock.runFor(3_000);
  return page.evaluate(() => Reflect.get(globalThis, "said"));
}

inChromium("a screen reader says", site.origin, (browser) => {
  const open = async (path: string) => {
    const page = await browser.openAlone(path);
    await stopClock(page);
    return page;
  };
  const opened = async () => {
    const page = await open(MAIL);
    const made = callTool("mail_filter_generator", {
      filters: Array.from({ length: 12 }, (_, index) => ({
        from: [`@a${index}.example`],
        star: true,
      })),
    });
    if (!made.ok) throw new Error(made.error.message);
    const { file } = made.value;
    const buffer = Buffer.from(file.content);
    const said = await spoken(page, async () => {
      const upload = { name: file.name, mimeType: file.media_type, buffer };
      await page.locator(".open input").setInputFiles(upload);
      await page.locator("#find").waitFor();
    });
    return { page, said };
  };

  test("what a preset, a removed row and a way back lead to", async () => {
    const page = await open(MAIL);
    const preset = page.getByRole("button", { name: "Newsletters", exact: true });
    expect(await spoken(page, () => preset.click())).toEqual([`Added. ${UNDO}`, "1 filter ready"]);
    const remove = rowButton(page, "remove filters[0].does_not_have[0]");
    expect(await spoken(page, () => remove.click())).toEqual([
      `Removed. ${UNDO}`,
      "1 filter ready",
    ]);
    expect(await spoken(page, () => page.keyboard.press("Control+z"))).toEqual([
      "Undone.",
      "1 filter ready",
    ]);
  });

  test("what was read from a file and from a pasted text", async () => {
    expect((await opened()).said.slice(-2)).toEqual([`Read 12 filters. ${UNDO}`, "No changes"]);
    const page = await open(MCP);
    const said = await spoken(page, () =>
      page
        .locator("#paste")
        .evaluate((box: HTMLTextAreaElement, text) => {
          box.value = text;
          const inputType = "insertFromPaste";
          box.dispatchEvent(new InputEvent("input", { inputType, bubbles: true }));
        }, README)
        .then(() => page.clock.runFor(100))
        .then(() => page.locator(".status", { hasText: "“weather”" }).waitFor()),
    );
    expect(said.slice(-1)).toEqual(["The local server “weather”, for 19 clients."]);
  });

  test("the saving for the plan that is chosen", async () => {
    const page = await open(`${COST}?zaps[0].action_steps=1&zaps[0].runs_per_month=300`);
    const choose = () => page.getByLabel("Your plan now").selectOption("professional-2000");
    expect(await spoken(page, choose)).toEqual([
      expect.stringMatching(/^300 tasks a month .* Switch to Professional, 750 tasks: /),
    ]);
  });

  test("how many filters a search finds", async () => {
    const { page } = await opened();
    const search = page.getByLabel("Search the filters");
    expect(await spoken(page, () => search.fill("@a7.example"))).toContain("1 shown");
  });

  test("the offer to undo as a part of the page's main content", async () => {
    const page = await browser.openAlone(MAIL);
    await page.getByRole("button", { name: "Newsletters", exact: true }).click();
    await page.locator(".bar [value=undo]").waitFor();
    const { violations } = await new AxeBuilder({ page }).withRules(["region"]).analyze();
    expect(violations).toEqual([]);
  });
});
