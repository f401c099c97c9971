import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tools } from "../../schemas/index.ts";
import { toolPagePath } from "../../server/links.ts";
import { inChromium } from "./support/browser.ts";
import { focused } from "./support/in-page.ts";
import {
  COST,
  control,
  eventually,
  holdAnswers,
  isStale,
  MAIL,
  MCP,
  notes,
  result,
  rowButton,
  shownInput,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const RUNS = "zaps[0].runs_per_month";
const NEW_ROW = "zaps[2].name";

/** An input that each tool refuses, and one that it takes, typed into the page's example. */
const TYPED = [
  { path: MAIL, name: "filters[0].larger_than_mb", bad: "51", good: "25" },
  { path: COST, name: RUNS, bad: "1.5", good: "1234" },
  { path: MCP, name: "name", bad: "my server", good: "my-server" },
];

describe("a form that is live", () => {
  const site = runningSite();

  inChromium("a tool's form", site.origin, (browser) => {
    test.each(tools.map((tool) => [toolPagePath(tool), tool] as const))(
      "%s shows its example, and asks nothing",
      async (path, { example_input }) => {
        const page = await browser.open("/");
        const asked = questions(page, path);
        await page.goto(path);
        await page.waitForTimeout(400);
        expect(asked()).toBe(1);
        expect(await shownInput(page)).toEqual(example_input);
        expect(await status(page).textContent()).not.toBe("");
      },
    );

    describe.each(TYPED)("$path", ({ path, name, bad, good }) => {
      test("asks once, when the typing pauses", async () => {
        const page = await browser.openAlone(path);
        const asked = questions(page, path);
        await page.clock.install();
        await page.clock.pauseAt(Date.now() + 60_000);
        await control(page, name).fill("");
        for (const character of good) {
          await control(page, name).press(character);
          await page.clock.runFor(100);
        }
        expect(asked()).toBe(0);
        await page.clock.runFor(100);
        await eventually(async () => JSON.stringify(await shownInput(page)).includes(good), true);
        expect(asked()).toBe(1);
      });

      test("says beside the field what is wrong, and keeps the last good result", async () => {
        const page = await browser.open(path);
        const field = control(page, name);
        const before = await result(page).textContent();
        await field.fill(bad);
        await notes(page, name).locator(".error").waitFor();
        expect(await notes(page, name).textContent()).toContain("ust be");
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        expect(await field.getAttribute("aria-describedby")).toContain(`${name}:notes`);
        expect(await result(page).textContent()).toBe(before);
        expect(await isStale(page)).toBe(true);

        await field.fill(good);
        await eventually(() => isStale(page), false);
        expect(await notes(page, name).textContent()).toBe("");
        expect(await field.getAttribute("aria-invalid")).toBe("false");
        expect(JSON.stringify(await shownInput(page))).toContain(good);
      });

      test("leaves the focus and what is selected alone", async () => {
        const page = await browser.open(path);
        const field = control(page, name);
        await field.fill(good);
        await field.press("Home");
        await field.press("Shift+ArrowRight");
        await field.evaluate((input) => input.dispatchEvent(new Event("input", { bubbles: true })));
        await eventually(async () => JSON.stringify(await shownInput(page)).includes(good), true);
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
      await eventually(async () => JSON.stringify(await shownInput(page)).includes("77"), true);
      expect(await page.locator("#api-curl").isVisible()).toBe(true);
      expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    });

    test("the tab that was chosen stays chosen", async () => {
      const page = await browser.open(MCP);
      await page.getByRole("tab", { name: "Codex" }).click();
      await control(page, "name").fill("elsewhere");
      await page.getByText("mcp_servers.elsewhere").first().waitFor();
      expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Codex");
      expect(await page.getByRole("tab").count()).toBe(5);
    });

    test("an empty form waits for an input", async () => {
      const page = await browser.open(COST);
      await page.getByRole("button", { name: "Clear the form" }).click();
      await eventually(() => control(page, RUNS).inputValue(), "");
      expect(await status(page).textContent()).toContain("Fill in the form");
      expect((await result(page).textContent())?.trim()).toBe("");
      expect(await isStale(page)).toBe(false);
    });

    test("the Enter key updates at once, and reloads nothing", async () => {
      const page = await browser.open(COST);
      await page.evaluate(() => document.body.setAttribute("data-same", ""));
      await control(page, RUNS).fill("88");
      await control(page, RUNS).press("Enter");
      await eventually(async () => JSON.stringify(await shownInput(page)).includes("88"), true);
      expect(await page.locator("body[data-same]").count()).toBe(1);
    });

    test("a screen reader is told the outcome once, after a pause", async () => {
      const page = await browser.open(COST);
      const announcer = page.locator("#announcer");
      await control(page, RUNS).fill("99");
      await eventually(async () => JSON.stringify(await shownInput(page)).includes("99"), true);
      expect(await announcer.textContent()).toBe("");
      await eventually(() => announcer.textContent(), await status(page).textContent());
      expect(await page.locator("#status[role=status], #status [role=status]").count()).toBe(0);
    });
  });
});

describe("a form that is live, with late answers", () => {
  const site = runningSite();

  inChromium("on a slow line", site.origin, (browser) => {
    const open = async () => {
      const page = await browser.open(COST);
      const held = await holdAnswers(page, COST);
      return { page, held, asked: async () => held.length };
    };

    test("an answer that comes late is not shown over a newer one", async () => {
      const { page, held, asked } = await open();
      await control(page, RUNS).fill("111");
      await eventually(asked, 1);
      await control(page, RUNS).fill("222");
      await eventually(asked, 2);
      expect(await isStale(page)).toBe(false);
      held[1]?.();
      await eventually(() => shows(page, "222"), true);
      held[0]?.();
      await page.waitForTimeout(200);
      expect(await shows(page, "222")).toBe(true);
      expect(await isStale(page)).toBe(false);
    });

    test("an answer is not shown to who types on", async () => {
      const { page, held, asked } = await open();
      await control(page, RUNS).fill("1.5");
      await eventually(asked, 1);
      await control(page, RUNS).fill("15");
      held[0]?.();
      await page.waitForTimeout(200);
      expect(await isStale(page)).toBe(false);
    });

    test("what is typed while a row is added is kept, and so is the place in it", async () => {
      const { page, held, asked } = await open();
      await rowButton(page, "add zaps").click();
      await eventually(asked, 1);
      await control(page, RUNS).fill("333");
      await control(page, RUNS).press("ArrowLeft");
      await eventually(asked, 2);
      for (const letGo of held) letGo();
      await control(page, NEW_ROW).waitFor();
      expect(await control(page, RUNS).inputValue()).toBe("333");
      expect(await focused(page)).toBe(RUNS);
      await page.keyboard.type("4");
      expect(await control(page, RUNS).inputValue()).toBe("3343");
    });

    test("of a double click only the first adds a row", async () => {
      const { page, held, asked } = await open();
      await rowButton(page, "add zaps").dblclick();
      await eventually(asked, 1);
      held[0]?.();
      await control(page, NEW_ROW).waitFor();
      await page.waitForTimeout(300);
      expect(await asked()).toBe(1);
      expect(await control(page, "zaps[3].name").count()).toBe(0);
      expect(await focused(page)).toBe(NEW_ROW);
    });

    test("a button that was pressed meanwhile does not take out another row", async () => {
      const { page, held, asked } = await open();
      const second = await control(page, "zaps[1].name").inputValue();
      await rowButton(page, "remove zaps[0]").click();
      await eventually(asked, 1);
      await rowButton(page, "remove zaps[1]").click();
      await page.waitForTimeout(300);
      for (const letGo of held) letGo();
      await eventually(() => control(page, "zaps[1].name").count(), 0);
      expect(await control(page, "zaps[0].name").inputValue()).toBe(second);
    });
  });
});

/** How often the page asks its server from now on. */
function questions(page: Page, path: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}

const shows = async (page: Page, text: string): Promise<boolean> =>
  JSON.stringify(await shownInput(page)).includes(text);
