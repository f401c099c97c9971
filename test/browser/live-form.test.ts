import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { tools } from "../../schemas/index.ts";
import { toolPagePath } from "../../server/links.ts";
import { inChromium, isReady } from "./support/browser.ts";
import { focused } from "./support/in-page.ts";
import {
  COST,
  control,
  eventually,
  isStale,
  MAIL,
  MCP,
  notes,
  result,
  rowButton,
  shareHash,
  shownInput,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const RUNS = "zaps[0].runs_per_month";

/** An input that each tool refuses, and one that it takes, typed into the page's example. */
const TYPED = [
  { path: MAIL, name: "filters[0].larger_than_mb", bad: "51", good: "25" },
  { path: COST, name: RUNS, bad: "1.5", good: "1234" },
  { path: MCP, name: "name", bad: "my server", good: "my-server" },
];

/** The requests of the page from now on. */
function requestsOf(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    // The icon is the browser's own request, at a time of its choice.
    if (!/\.(?:svg|ico)$/.test(request.url())) requests.push(request.url());
  });
  return requests;
}

const shows = async (page: Page, text: string): Promise<boolean> =>
  JSON.stringify(await shownInput(page)).includes(text);

const leave = (page: Page): Promise<void> => page.keyboard.press("Tab");

inChromium("a tool's form", site.origin, (browser) => {
  test.each(tools.map((tool) => [toolPagePath(tool), tool] as const))(
    "%s shows its example",
    async (path, { example_input }) => {
      const page = await browser.open(path);
      expect(await shownInput(page)).toEqual(example_input);
      expect(await status(page).textContent()).not.toBe("");
    },
  );

  describe.each(TYPED)("$path", ({ path, name, bad, good }) => {
    test("shows the result without a request", async () => {
      const page = await browser.open(path);
      const requests = requestsOf(page);
      await control(page, name).fill(good);
      await eventually(() => shows(page, good), true);
      expect(requests).toEqual([]);
    });

    test("says nothing of a problem before the field is left", async () => {
      const page = await browser.open(path);
      const field = control(page, name);
      await field.fill(bad);
      await eventually(() => isStale(page), true);
      expect(await notes(page, name).textContent()).toBe("");
      expect(await field.getAttribute("aria-invalid")).toBe("false");
      expect(await page.locator(".problems").count()).toBe(0);
    });

    test("says beside a field that was left what is wrong, and keeps the last result", async () => {
      const page = await browser.open(path);
      const field = control(page, name);
      const before = await result(page).textContent();
      await field.fill(bad);
      await leave(page);
      await notes(page, name).locator(".error").waitFor();
      expect(await notes(page, name).textContent()).toContain("ust be");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.getAttribute("aria-describedby")).toContain(`${name}:notes`);
      expect(await result(page).textContent()).toBe(before);
      expect(await isStale(page)).toBe(true);
      expect(await status(page).textContent()).toContain("Fix 1 problem");

      await field.fill(good);
      await eventually(() => isStale(page), false);
      expect(await notes(page, name).textContent()).toBe("");
      expect(await field.getAttribute("aria-invalid")).toBe("false");
      expect(await shows(page, good)).toBe(true);
    });

    test("moves nothing when the first problem appears", async () => {
      const page = await browser.open(path);
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("#tool-form :is(input, select, legend, button)")]
            // A control that is not rendered is nowhere, wherever the page is scrolled to.
            .filter((element) => element.getClientRects().length > 0)
            .map((element) => element.getBoundingClientRect().top + scrollY),
        );
      const before = await places();
      await control(page, name).fill(bad);
      await leave(page);
      await notes(page, name).locator(".error").waitFor();
      expect(await places()).toEqual(before);
    });

    test("leaves the focus and the selection alone", async () => {
      const page = await browser.open(path);
      const field = control(page, name);
      await field.fill(good);
      await field.press("Home");
      await field.press("Shift+ArrowRight");
      await field.evaluate((input) => input.dispatchEvent(new Event("input", { bubbles: true })));
      await eventually(() => shows(page, good), true);
      expect(await focused(page)).toBe(name);
      expect(
        await field.evaluate((input: HTMLInputElement) => [
          input.selectionStart,
          input.selectionEnd,
        ]),
      ).toEqual([0, 1]);
    });
  });

  test("what was opened in the result stays open, and the focus on it", async () => {
    const page = await browser.open(COST);
    const summary = page.locator("#api-call > summary");
    await summary.click();
    await control(page, RUNS).fill("77");
    await summary.focus();
    await eventually(() => shows(page, "77"), true);
    expect(await page.locator("#api-curl").isVisible()).toBe(true);
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("the selected tab stays selected", async () => {
    const page = await browser.open(MCP);
    await page.getByRole("tab", { name: "Codex" }).click();
    await control(page, "name").fill("elsewhere");
    await page.getByText("mcp_servers.elsewhere").first().waitFor();
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Codex");
    expect(await page.getByRole("tab").count()).toBe(5);
  });

  test("an empty form waits for an input, and says what comes next", async () => {
    const page = await browser.open(MAIL);
    await page.getByRole("button", { name: "Clear the form" }).click();
    await eventually(() => control(page, "filters[0].label").inputValue(), "");
    expect(await status(page).textContent()).toContain("Fill in the form");
    await control(page, "filters[0].from[0]").fill("@shop.example");
    await eventually(
      () => status(page).locator(".invitation").textContent(),
      "Now choose what should happen.",
    );
    expect(await page.locator("#outcome .problems, #tool-form .notes .error").count()).toBe(0);
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    await control(page, "filters[0].star").check();
    await status(page).getByText("1 filter, ready to import.").waitFor();
  });

  test("a preset fills in the empty form", async () => {
    const page = await browser.open(MAIL);
    await page.getByRole("button", { name: "Clear the form" }).click();
    await page.getByRole("link", { name: "Newsletters" }).click();
    await eventually(() => control(page, "filters[0].label").inputValue(), "Newsletters");
    expect(await page.locator(".linked").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(MAIL);
  });

  test("the Enter key shows all problems, and reloads nothing", async () => {
    const page = await browser.open(COST);
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    await page.getByRole("button", { name: "Clear the form" }).click();
    await control(page, "zaps[0].name").fill("A");
    await control(page, "zaps[0].name").press("Enter");
    await status(page).getByText("Fix 2 problems").waitFor();
    expect(await page.locator("body[data-same]").count()).toBe(1);
  });

  test("the outcome is announced to screen readers once, after a pause", async () => {
    const page = await browser.open(COST);
    const announcer = page.locator("#announcer");
    await control(page, RUNS).fill("99");
    await eventually(() => shows(page, "99"), true);
    expect(await announcer.textContent()).toBe("");
    await eventually(() => announcer.textContent(), await status(page).textContent());
    expect(await page.locator("#status[role=status], #status [role=status]").count()).toBe(0);
  });

  test("a link says that it filled in the form, and what its input would do", async () => {
    const filters = [{ from: ["a@x.example"], delete: true, forward_to: "me@x.example" }];
    const page = await browser.open(`${MAIL}${shareHash({ filters })}`);
    const notice = page.locator(".linked");
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
    expect(await above("[data-file]")).toBe(true);
    expect(await above("#result .copy")).toBe(true);
  });

  test("a reload of one's own input is no link of somebody else", async () => {
    const page = await browser.open(COST);
    await control(page, RUNS).fill("321");
    await eventually(async () => page.url().includes("#v1."), true);
    await page.reload();
    await isReady(page);
    await eventually(() => control(page, RUNS).inputValue(), "321");
    expect(await page.locator(".linked").count()).toBe(0);
  });

  test("a pasted command line is taken apart", async () => {
    const page = await browser.open(MCP, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.evaluate(() => navigator.clipboard.writeText("API_KEY=x uvx mcp-server-git --all"));
    await control(page, "command").press("Control+A");
    await page.keyboard.press("Control+V");
    await eventually(() => control(page, "command").inputValue(), "uvx");
    expect(await control(page, "args[1]").inputValue()).toBe("--all");
    expect(await control(page, "env[0].key").inputValue()).toBe("API_KEY");
  });

  test("a CSV of Zaps is opened", async () => {
    const page = await browser.open(COST);
    await page.locator("[data-open]").setInputFiles({
      name: "zaps.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("Zap;Steps;Runs\nLeads;2;1.000\nMail;1;40"),
    });
    await status(page).getByText("Read 2 Zaps.").waitFor();
    expect(await control(page, RUNS).inputValue()).toBe("1000");
  });

  test("a mailFilters.xml is opened", async () => {
    const page = await browser.open(MAIL);
    const file = await site.text(
      `${MAIL}/file?input=${encodeURIComponent('{"filters":[{"from":["read@x.example"],"label":"Read"}]}')}`,
    );
    await page.locator("[data-open]").setInputFiles({
      name: "mailFilters.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(file),
    });
    await status(page).getByText("Read the file.").waitFor();
    expect(await control(page, "filters[0].from[0]").inputValue()).toBe("read@x.example");
    expect(await control(page, "filters[0].label").inputValue()).toBe("Read");
  });

  test("the file is saved without a request", async () => {
    const page = await browser.open(MAIL);
    await control(page, "filters[0].label").fill("Saved here");
    await eventually(() => shows(page, "Saved here"), true);
    const requests = requestsOf(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("[data-file]").click(),
    ]);
    expect(download.suggestedFilename()).toBe("mailFilters.xml");
    expect(await Bun.file(await download.path()).text()).toContain("Saved here");
    expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([]);
  });

  test("five hundred filters stay usable", async () => {
    const filters = Array.from({ length: 20 }, (_, n) => ({
      from: [`a${n}@x.example`],
      star: true,
    }));
    const page = await browser.open(`${MAIL}${shareHash({ filters })}`);
    await page.locator(".item.closed").first().waitFor();
    expect(await page.locator("fieldset.item").count()).toBe(1);
    await page.getByRole("button", { name: "Edit Filter 9" }).click();
    await eventually(() => focused(page), "filters[8].name");
    expect(await page.locator("fieldset.item").count()).toBe(1);
    await control(page, "filters[8].from[0]").fill("other@x.example");
    await eventually(() => shows(page, "other@x.example"), true);
    await rowButton(page, "remove filters[0]").click();
    await eventually(() => page.locator(".item").count(), 19);
    expect(((await shownInput(page)) as { filters: unknown[] }).filters).toHaveLength(19);
  });
});

const GOLDEN = new URL("../golden/", import.meta.url).pathname;

inChromium("the page and the server", site.origin, (browser) => {
  test.each(tools.map((tool) => [tool.command, toolPagePath(tool)] as const))(
    "render the same for every golden case of %s",
    async (command, path) => {
      const page = await browser.open(path);
      for (const name of readdirSync(`${GOLDEN}${command}`)) {
        const input = await Bun.file(`${GOLDEN}${command}/${name}/input.json`).text();
        const served = await site.text(`${path}?input=${encodeURIComponent(input)}`);
        const differences = await page.evaluate(
          async ([text, hash]) => {
            const server = new DOMParser().parseFromString(text, "text/html");
            location.hash = hash;
            await new Promise((resolve) => setTimeout(resolve, 150));
            const own = document.cloneNode(true) as Document;
            for (const tabs of own.querySelectorAll("[role=tablist]")) tabs.remove();
            for (const panel of own.querySelectorAll<HTMLElement>("[role=tabpanel]")) {
              const tab = document.getElementById(panel.getAttribute("aria-labelledby") ?? "");
              panel.setAttribute("aria-label", tab?.textContent ?? "");
              for (const added of ["role", "aria-labelledby", "tabindex", "hidden"]) {
                panel.removeAttribute(added);
              }
            }
            return ["status", "result"].flatMap((id) => {
              const [one, other] = [own, server].map((page) => page.getElementById(id)?.innerHTML);
              return one === other
                ? []
                : [`${id}: ${one?.slice(0, 2_000)}\n---\n${other?.slice(0, 2_000)}`];
            });
          },
          [served, shareHash(JSON.parse(input))] as const,
        );
        expect({ name, differences }).toEqual({ name, differences: [] });
      }
    },
  );
});
