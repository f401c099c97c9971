import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { tools } from "../../schemas/index.ts";
import { CLIENTS } from "../../schemas/mcp-config.ts";
import { toolPagePath } from "../../server/paths.ts";
import { createRunner } from "../../server/service.ts";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { inChromium, isReady } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  isStale,
  MAIL,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  notes,
  result,
  rowButton,
  shareHash,
  shownInput,
  status,
  unfold,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

// The page counts from today.
const site = runningSite({ run: createRunner() });

/** A filter with a rare field, which is shown because it is filled in. */
const LARGE = `${MAIL}?filters[0].larger_than_mb=20&filters[0].label=Large`;

const RUNS = "zaps[0].runs_per_month";

/** Among others, a Zap with a wrong cell is not counted. */
const ONE_ZAP = `${COST}?zaps[0].name=A&zaps[0].action_steps=2&zaps[0].runs_per_month=400`;

/** An input that each tool rejects, and one that it takes, typed into a form with a result. */
const TYPED = [
  { path: LARGE, name: "filters[0].larger_than_mb", bad: "51", good: "25" },
  { path: ONE_ZAP, name: RUNS, bad: "1.5", good: "1234" },
  { path: MCP_EXAMPLE, name: "name", bad: "!!", good: "my-server" },
];

/** The requests of the page from now on. */
function requestsOf(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    // The icon is the browser's own request, at a time of its choice. The readers of files are
    // loaded at the first touch; their addresses are the same for everybody.
    const { pathname, search } = new URL(request.url());
    const isFixed = /\.(?:svg|ico)$|^\/assets\/chunk-\w+\.js$/.test(pathname) && search === "";
    if (!isFixed) requests.push(request.url());
  });
  return requests;
}

const shows = async (page: Page, text: string): Promise<boolean> =>
  JSON.stringify(await shownInput(page)).includes(text);

const clientOf = (page: Page, name: string) =>
  page.getByRole("radiogroup", { name: "Client" }).getByRole("radio", { name, exact: true });

const leave = (page: Page): Promise<void> => page.keyboard.press("Tab");

inChromium("a tool's form", site.origin, (browser) => {
  test.each(tools.map(toolPagePath))("%s starts blank, with nothing wrong", async (path) => {
    const page = await browser.open(path);
    expect(await page.locator("#outcome[data-outcome=blank]").count()).toBe(1);
    expect(await page.locator("#tool-form :is(.error, [aria-invalid=true])").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Clear" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Update the result" }).isVisible()).toBe(false);
    expect(await status(page).textContent()).not.toBe("");
  });

  describe.each(TYPED)("$path", ({ path, name, bad, good }) => {
    test("asks nobody, and says beside a field what is wrong once it is left", async () => {
      const page = await browser.open(path);
      const requests = requestsOf(page);
      const field = control(page, name);
      const before = await result(page).textContent();
      const problem = notes(page, name).filter({ hasText: /ust be|How often/ });
      await field.fill(bad);
      await eventually(() => isStale(page), true);
      expect(await problem.count()).toBe(0);
      expect(await field.getAttribute("aria-invalid")).toBe("false");
      expect(await page.locator(".problems").count()).toBe(0);
      await leave(page);
      await problem.waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.getAttribute("aria-describedby")).toContain(`${name}:notes`);
      expect(await result(page).textContent()).toBe(`Showing your last valid result.${before}`);
      expect(await isStale(page)).toBe(true);
      expect(await status(page).textContent()).toContain("Fix 1 problem");

      await field.fill(good);
      await field.press("Home");
      await field.press("Shift+ArrowRight");
      await eventually(() => isStale(page), false);
      expect(await problem.count()).toBe(0);
      expect(await field.getAttribute("aria-invalid")).toBe("false");
      expect(await shows(page, good)).toBe(true);
      // The focus and the selection are left alone.
      await field.evaluate((input) => input.dispatchEvent(new Event("input", { bubbles: true })));
      await page.waitForTimeout(100);
      const selected = await field.evaluate((input: HTMLInputElement) => [
        document.activeElement === input,
        input.selectionStart,
        input.selectionEnd,
      ]);
      expect(selected).toEqual([true, 0, 1]);
      expect(requests).toEqual([]);
    });
  });

  test("a click is not lost when a message moves what was clicked on", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    await unfold(page);
    await control(page, "filters[0].from").fill("-news");
    // At its edge, so that a small move is enough to lose it.
    await page.locator("label", { hasText: "Star" }).hover({ position: { x: 5, y: 5 } });
    await page.mouse.down();
    // As long as a finger is on the button.
    await page.waitForTimeout(100);
    await page.mouse.up();
    await notes(page, "filters[0].from[2]").locator(".error").waitFor();
    expect(await page.getByLabel("Star", { exact: true }).isChecked()).toBe(true);
  });

  test("a long press shows the problem of the field that it leaves", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    await unfold(page);
    await control(page, "filters[0].from").fill("-news");
    await page.locator("label", { hasText: "Star" }).hover();
    await page.mouse.down();
    await notes(page, "filters[0].from[2]").locator(".error").waitFor();
  });

  test("what was opened in the result stays open, and the focus on it", async () => {
    const page = await browser.open(COST_EXAMPLE);
    const summary = page.locator("#api-call > summary");
    await summary.click();
    // Typed text shows in the next frame, and by then the focus is in the result.
    await control(page, RUNS).evaluate((field: HTMLInputElement) => {
      field.focus();
      field.value = "77";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.querySelector<HTMLElement>("#api-call > summary")?.focus();
    });
    await eventually(() => shows(page, "77"), true);
    expect(await page.locator("#api-curl").isVisible()).toBe(true);
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("what was typed or chosen is cleared, of every kind of control", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    await unfold(page);
    await control(page, "filters[0].label").fill("Typed");
    await control(page, "filters[0].star").check();
    await control(page, "filters[0].category").selectOption("promo");
    await eventually(() => shows(page, "promo"), true);
    await rowButton(page, "remove filters[0]").click();
    const filled = () =>
      page.evaluate(() =>
        [...new FormData(document.querySelector<HTMLFormElement>("#tool-form") ?? undefined)]
          .filter(([name, value]) => value !== "" && !["left", "slash"].includes(name))
          .map(([name]) => name),
      );
    await eventually(filled, []);
    await control(page, "filters[0].category").selectOption("social");
    expect(await filled()).toEqual(["filters[0].category"]);
  });

  test("the button that adds a row stays beside it when a message appears", async () => {
    const page = await browser.open(MCP);
    const add = rowButton(page, "add env");
    const before = (await add.boundingBox())?.y;
    await control(page, "env[0].key").fill("1A");
    await control(page, "name").focus();
    await notes(page, "env[0]").locator(".error").waitFor();
    expect((await add.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
  });

  test("an empty form waits for an input, and says what comes next", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    await unfold(page);
    await rowButton(page, "remove filters[0]").click();
    await eventually(() => control(page, "filters[0].label").inputValue(), "");
    expect(await status(page).textContent()).toContain("Start with a sender");
    await control(page, "filters[0].from").fill("@shop.example");
    await eventually(
      () => status(page).locator(".summary").textContent(),
      "Choose what happens to it",
    );
    expect(await page.locator("#outcome .problems, #tool-form .notes .error").count()).toBe(0);
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    await control(page, "filters[0].star").check();
    await status(page).getByText("1 filter ready").waitFor();
  });

  test("the Enter key shows all problems, and reloads nothing", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    await rowButton(page, "remove filters[0]").click();
    await control(page, "filters[0].label").fill("A");
    await control(page, "filters[0].label").press("Enter");
    await status(page).getByText("Fix 1 problem").waitFor();
    expect(await page.locator("body[data-same]").count()).toBe(1);
  });

  test("a link says that it filled in the form, and what its input would do", async () => {
    const filters = [{ from: ["a@x.example"], delete: true, forward_to: "me@x.example" }];
    const page = await browser.open(`${MAIL}${shareHash({ filters })}`);
    const notice = page.locator("#from-link");
    await notice.waitFor();
    expect(await notice.textContent()).toContain("Filled in from a link");
    expect(await notice.textContent()).toContain("delete mail");
    expect(await notice.textContent()).toContain("forward mail to me@x.example");
    const above = (selector: string) =>
      notice.evaluate(
        (element, other) =>
          element.compareDocumentPosition(document.querySelector(other) as Element) ===
          Node.DOCUMENT_POSITION_FOLLOWING,
        selector,
      );
    expect(await above("#result .copy")).toBe(true);
    await page.reload();
    await isReady(page);
    expect(await notice.textContent()).toContain("delete mail");
  });

  test("a client from the others becomes a segment, stays chosen over a reload, and travels in the link", async () => {
    const page = await browser.openAlone(MCP_EXAMPLE);
    await page.getByLabel("More clients").selectOption({ label: "Zed" });
    await page.locator("#zed-entry").waitFor();
    expect(await clientOf(page, "Zed").isChecked()).toBe(true);
    await clientOf(page, "Cursor").check();
    expect(await clientOf(page, "Zed").isVisible()).toBe(true);
    await control(page, "name").fill("elsewhere");
    await page.locator("#cursor-file", { hasText: "elsewhere" }).waitFor({ state: "attached" });
    await page.keyboard.press("ControlOrMeta+Z");
    await page.reload();
    await isReady(page);
    expect(await clientOf(page, "Cursor").isChecked()).toBe(true);
    const shown = page.getByRole("radiogroup", { name: "Client" }).getByRole("radio");
    expect(await shown.count()).toBe(CLIENTS.length + 1);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("else");
    await page.getByRole("radio", { name: "this project" }).check();
    await page.locator(".file .label", { hasText: /^\.cursor/ }).waitFor();
    const href = (await page.locator("#share").getAttribute("href")) ?? "";
    const other = await browser.openAlone(href);
    await other.locator(".file .label", { hasText: /^\.cursor/ }).waitFor();
    expect(await clientOf(other, "Cursor").isChecked()).toBe(true);
    expect(await other.evaluate(() => localStorage.length)).toBe(0);
  });

  test("three servers of a file are one file to copy, and may be changed one at a time", async () => {
    const page = await browser.open(MCP, clipboard.permitted);
    const servers = {
      docs: { command: "uvx", env: { KEY: "sk-hush123" } },
      far: { url: "https://x.test/mcp" },
      notes: { command: "npx", args: ["notes"] },
    };
    await page.locator(".open input").setInputFiles({
      name: "claude_desktop_config.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ mcpServers: servers })),
    });
    await status(page).getByText("3 servers, all in one file.").waitFor();
    await clientOf(page, "VS Code").check();
    await page.getByRole("button", { name: /^Copy the file: / }).click();
    for (const name of Object.keys(servers))
      await eventually(async () => (await clipboard.read(page)).includes(name), true);
    await rowButton(page, "show 1").click();
    await eventually(() => control(page, "url").inputValue(), "https://x.test/mcp");
    expect(await control(page, "name").evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    await rowButton(page, "remove-server").click();
    await status(page).getByText("2 servers, all in one file.").waitFor();
    await page.keyboard.press("ControlOrMeta+Z");
    await status(page).getByText("3 servers, all in one file.").waitFor();
  });

  test("one switch for the system begins with the reader's own, for all clients", async () => {
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64)";
    const page = await browser.openAlone(MCP_EXAMPLE, { userAgent });
    const panel = page.locator("#client-claude-desktop");
    const aboutWindows = panel.getByText(/On Windows|APPDATA/);
    expect(await page.getByRole("radio", { name: "Linux" }).isChecked()).toBe(true);
    expect(await aboutWindows.count()).toBe(0);
    await page.getByRole("radio", { name: "Windows" }).check();
    await eventually(() => aboutWindows.count(), 4);
    await clientOf(page, "Cursor").check();
    await page.locator(".file").getByText("%USERPROFILE%").waitFor();
  });

  test("a key that is written out gets a reference by one press, and the link is back", async () => {
    const page = await browser.open(`${MCP}?name=acme&url=https://x.test/mcp`);
    await control(page, "headers[0].key").fill("Authorization");
    await control(page, "headers[0].value").fill("Bearer s3cret");
    await clientOf(page, "Cursor").check();
    const link = page.getByRole("link", { name: "Add to Cursor" });
    await page.getByText(/No one-click install while .* \(Authorization\)/).waitFor();
    expect(await link.count()).toBe(0);
    await page.getByRole("button", { name: "Use variables" }).first().click();
    await link.waitFor();
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText("Kept out of the file: ACME_AUTHORIZATION.").waitFor();
    await page.keyboard.press("ControlOrMeta+Z");
    await page.getByText(/No one-click install/).waitFor();
    expect(await control(page, "headers[0].value").inputValue()).toBe("Bearer s3cret");
  });

  test("five hundred filters of an export stay usable", async () => {
    const page = await browser.open(MAIL);
    await openExport(page, 500);
    expect(await page.locator(".item").count()).toBe(500);
    expect(await page.locator("#file-text").count()).toBe(0);
    expect(await page.locator("#api-call").count()).toBe(0);
    expect(await page.locator("fieldset.card").count()).toBe(0);
    const second = await control(page, "filters[1]").elementHandle();
    await rowButton(page, "open filters[498]").click();
    await eventually(() => focused(page), "filters[498].from");
    expect(await second?.evaluate((element) => element.isConnected)).toBe(true);
    expect(await page.locator("fieldset.card").count()).toBe(1);
    await control(page, "filters[498].from").fill("other@x.example");
    await status(page).getByText("1 changed").waitFor();
    expect(await isStale(page)).toBe(false);
    await rowButton(page, "remove filters[498]").click();
    await eventually(() => page.locator(".item").count(), 499);
    await page.getByText("For another account").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#whole-file a[download]").click(),
    ]);
    const file = await Bun.file(await download.path()).text();
    expect(file.match(/<entry>/g)).toHaveLength(499);
  });

  test("a problem in a closed filter leads to its field", async () => {
    const page = await browser.open(MAIL_EXAMPLE);
    const filters = [{ from: ["a@x.example"], star: true }];
    const wrong = { from: ["-b@x.example"], star: true };
    const six = [...filters, ...filters, ...filters, ...filters, ...filters, wrong];
    await page.goto(`${MAIL}${shareHash({ filters: six })}`);
    await isReady(page);
    expect(await page.locator("#filters .tag.error").count()).toBe(1);
    await page
      .locator("#problems")
      .getByRole("link", { name: "from -b@x.example, From any of 1" })
      .click();
    await eventually(() => focused(page), "filters[5].from[0]");
    expect(await page.locator("fieldset.card").count()).toBe(1);
    await page.keyboard.press("Enter");
    await eventually(() => focused(page), "filters[5].from");
    await control(page, "filters[5].from").fill("b@x.example");
    await eventually(() => page.locator(".problems, #tool-form .notes .error").count(), 0);
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
  });
});

async function openExport(page: Page, count: number): Promise<void> {
  const filters = Array.from({ length: count }, (_, index) => ({
    from: `a${index}@x.example`,
    label: `Label ${index}`,
  }));
  const buffer = Buffer.from(gmailExport(...filters));
  const file = { name: "mailFilters.xml", mimeType: "text/xml", buffer };
  await page.locator(".open input").setInputFiles(file);
  await status(page).getByText(`Read ${count} filters.`).waitFor();
}

const GOLDEN = new URL("../golden/", import.meta.url).pathname;

inChromium("the page and the server", site.origin, (browser) => {
  // Without scripts the page has all clients.
  test.each([
    ["mail-filter", MAIL, "result"],
    ["automation-cost", COST, "result"],
    ["mcp-config", MCP, "claude-desktop-file"],
  ])("render the same for every golden case of %s", async (command, path, part) => {
    const page = await browser.open(path);
    for (const name of readdirSync(`${GOLDEN}${command}`)) {
      const input = await Bun.file(`${GOLDEN}${command}/${name}/input.json`).text();
      const served = await site.text(`${path}?input=${encodeURIComponent(input)}`);
      const differences = await page.evaluate(
        async ([text, hash, ids]) => {
          const server = new DOMParser().parseFromString(text, "text/html");
          // This listener is called after the one that shows the input.
          const isShown = new Promise((resolve) => {
            addEventListener("hashchange", resolve, { once: true });
          });
          location.hash = hash;
          await isShown;
          return ids.flatMap((id) => {
            const [one = "", other = ""] = [document, server].map(
              // Markup has one kind of line break.
              (page) => page.getElementById(id)?.textContent?.replace(/\r\n?/g, "\n") ?? "",
            );
            if (one === other) return [];
            // From the first difference on, and a little before it.
            const at = [...one].findIndex((character, index) => character !== other[index]);
            const part = (text: string) => text.slice(Math.max(at - 80, 0), at + 200);
            return [`${id}: ${part(one)}\n---\n${part(other)}`];
          });
        },
        [served, shareHash(JSON.parse(input)), ["summary", part]] as const,
      );
      expect({ name, differences }).toEqual({ name, differences: [] });
    }
  });
});
