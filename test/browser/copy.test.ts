import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { automationCostContract, type McpConfigInput } from "../../schemas/index.ts";
import { createMailFilters, createMcpConfig } from "../../src/index.ts";
import { inChromium } from "./support/browser.ts";
import { clipboard, openDetails, stopClock } from "./support/in-page.ts";
import {
  COST,
  eventually,
  MAIL,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  shareHash,
  shownInput,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const filters = {
  filters: [
    { from: ["a@shop.example", "@market.example"], label: "Money/Bills" },
    { subject: ["<it's> & $HOME", "two\twords"], star: true },
  ],
};
const server = { name: "files", command: "npx", args: ["it's", '"a b"', "$HOME", "<p>", "naïve"] };

function filterTexts(input: typeof filters): readonly string[] {
  const result = createMailFilters(input);
  return [...result.filters.map(({ search }) => search), result.file.content];
}
/** All that there is to copy for one client is in test/server/pages/mcp-config. */
function configTexts(input: McpConfigInput): readonly string[] {
  const [config] = createMcpConfig(input, { clients: ["claude-code"] }).clients;
  return [config?.snippet, config?.entry, config?.install.bash].filter(
    (text) => text !== undefined,
  );
}

/** The texts to copy, besides the call of the API. */
const CASES = [
  { what: "searches and the file", path: MAIL, input: filters, texts: filterTexts(filters) },
  {
    what: "no part of the costs",
    path: COST,
    input: automationCostContract.example_input,
    texts: [],
  },
  { what: "a server's configs", path: MCP, input: server, texts: configTexts(server) },
];

inChromium("copy buttons", site.origin, (browser) => {
  const open = async (path: string, input: object) => {
    const page = await browser.open(`${path}${shareHash(input)}`, clipboard.permitted);
    await eventually(() => shownInput(page), input);
    return page;
  };

  test.each(CASES)("copy $what", async ({ path, input, texts }) => {
    const copied = await copyAll(await open(path, input));
    const endpoint = `${site.origin}/api${path}`;
    const words = wordsOfCurl(copied.get("Copy: curl") ?? "");
    expect(words[0]).toBe(endpoint);
    expect(JSON.parse(words.at(-1) ?? "")).toEqual(input);
    copied.delete("Copy: curl");
    const url = `${endpoint}?input=${encodeURIComponent(JSON.stringify(input))}`;
    expect(new Set(copied.values())).toEqual(new Set([...texts, url]));
  });

  test("a copy button says that it has copied, and then again what it does", async () => {
    const page = await browser.openAlone(MAIL_EXAMPLE, clipboard.permitted);
    const button = page.locator(".copy:visible").first();
    const label = await button.textContent();
    await stopClock(page);
    await button.click();
    await eventually(() => button.textContent(), "Copied");
    await page.clock.runFor(1_000);
    await button.click();
    await page.clock.runFor(3_000);
    expect(await button.textContent()).toBe(label);
  });

  test("a copy button that has copied says at once what it does for another client", async () => {
    const page = await browser.openAlone(MCP_EXAMPLE, clipboard.permitted);
    const button = page.locator(".bar .copy");
    await stopClock(page);
    for (const [client, label] of [
      ["Claude Desktop", "Copy the file"],
      ["Codex", "Copy the command"],
      ["Claude Desktop", "Copy the file"],
    ] as const) {
      await page.getByRole("radio", { name: client }).check();
      // The pause after which a slow page writes the config.
      await page.clock.runFor(500);
      await eventually(() => button.textContent(), label);
      await button.click();
      await eventually(() => button.textContent(), "Copied");
    }
    await page.clock.runFor(3_000);
    expect(await button.textContent()).toBe("Copy the file");
  });

  test("a copy button that may not copy selects the text", async () => {
    const page = await open(MAIL, filters);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"));
    });
    await page.locator(".copy:visible").first().click();
    const selected = () => page.evaluate(() => String(getSelection()).trim());
    await eventually(selected, createMailFilters(filters).filters[0]?.search ?? "");
    expect(await page.locator("#announcer").textContent()).toContain("selected");
  });
});

/** The content of the clipboard until a button has copied: the browser writes later. */
const EMPTY = "nothing is copied yet";

/** Presses every copy button of the result; the clipboard's contents by button. */
async function copyAll(page: Page): Promise<Map<string, string>> {
  const copied = new Map<string, string>();
  const client = page.getByRole("radio", { name: "Claude Code", exact: true });
  if ((await client.count()) > 0) {
    await client.check();
    await page.locator("#claude-code-file").waitFor({ state: "attached" });
  }
  await openDetails(page);
  const labels = await page
    .locator("#result .copy:visible")
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label") ?? ""));
  for (const label of labels) {
    await clipboard.write(page, EMPTY);
    await page.locator(`#result .copy[aria-label=${JSON.stringify(label)}]`).click();
    await eventually(async () => (await clipboard.read(page)) !== EMPTY, true);
    copied.set(label, await clipboard.read(page));
  }
  return copied;
}

/** The arguments that a shell passes to the program. */
function wordsOfCurl(command: string): readonly string[] {
  const { stdout } = Bun.spawnSync(["sh", "-c", `curl() { printf '%s\\0' "$@"; }\n${command}`]);
  return stdout.toString().split("\0").slice(0, -1);
}
