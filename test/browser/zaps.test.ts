import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { priceBook } from "../../src/index.ts";
import { inChromium } from "./support/browser.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  notes,
  result,
  rowButton,
  shownInput,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const RUNS = "zaps[0].runs_per_month";

const openFile = (page: Page, name: string, text: string) =>
  page
    .getByLabel("Open a CSV or zapfile")
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function pasted(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await control(page, name).press("ControlOrMeta+V");
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? "");

inChromium("the Zaps", site.origin, (browser) => {
  const open = (path = COST) =>
    browser.open(path, { permissions: ["clipboard-read", "clipboard-write"] });

  test("are rows of a table's height, with the headings once and their tasks", async () => {
    const page = await open(COST_EXAMPLE);
    const rows = page.locator("#zaps tbody tr:not(.odd + .odd)");
    expect(await rows.count()).toBe(2);
    for (const row of await rows.all())
      expect((await row.boundingBox())?.height).toBeWithin(30, 42);
    expect(await page.getByText("Steps", { exact: true }).count()).toBe(1);
    await control(page, RUNS).fill("1,000");
    await eventually(() => rows.first().locator(".tasks").textContent(), "2,000");
    await rows.nth(1).getByLabel("Zap 2, Runs a month").waitFor();
  });

  test("are a table to a screen reader on a phone too, where its rows are grids", async () => {
    const page = await browser.open(COST_EXAMPLE, { viewport: { width: 390, height: 844 } });
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const count = (role: string) => nodes.filter((node) => node.role?.value === role).length;
    expect([count("table"), count("row"), count("columnheader")]).toEqual([2, 8, 7]);
    expect(count("cell") + count("gridcell")).toBeGreaterThan(8);
  });

  test("are reached by the arrows and by the Enter key, which adds one after the last", async () => {
    const page = await open();
    await eventually(() => focused(page), "zaps[0].name");
    await page.goto(new URL(COST_EXAMPLE, page.url()).href);
    await control(page, RUNS).press("ArrowDown");
    expect(await focused(page)).toBe("zaps[1].runs_per_month");
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe(RUNS);
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("zaps[1].runs_per_month");
    await page.keyboard.press("Enter");
    await control(page, "zaps[2].name").waitFor();
    await eventually(() => focused(page), "zaps[2].name");
    await page.keyboard.press("Enter");
    expect(await page.locator("#zaps tbody tr").count()).toBe(3);
    await page.keyboard.type("Third");
    await status(page).getByText("1 Zap not counted").waitFor();
    await status(page).getByRole("link").click();
    await eventually(() => focused(page), "zaps[2].action_steps");
    expect(await page.locator("#zaps .note").count()).toBe(0);
  });

  test("have two lines in the bar of a phone, whose button goes at the result", async () => {
    const page = await browser.open(COST_EXAMPLE, { viewport: { width: 390, height: 844 } });
    await control(page, RUNS).fill("often");
    const button = page.getByRole("link", { name: "$19.99 a month" });
    await button.waitFor();
    const { height = 0 } = (await status(page).boundingBox()) ?? {};
    expect(height).toBeLessThan(40);
    await button.press("Enter");
    await button.waitFor({ state: "hidden" });
  });

  test("have their price in the bar of a desktop once it is out of sight", async () => {
    const page = await browser.open(COST_EXAMPLE);
    const price = page.getByRole("link", { name: /^\$[\d.]+ a month$/ });
    await page.getByText("What this counts on").waitFor();
    expect(await price.isVisible()).toBe(false);
    await page.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
    await price.waitFor();
  });

  test("come out of a spreadsheet, in place of a blank row", async () => {
    const page = await open();
    await pasted(page, "zaps[0].name", "Leads\t2\t1000\nMail\t1\t40");
    await eventually(() => shownInput(page), {
      zaps: [
        { name: "Leads", action_steps: 2, runs_per_month: 1_000 },
        { name: "Mail", action_steps: 1, runs_per_month: 40 },
      ],
      billing: "annual",
    });
    await pasted(page, RUNS, "500\n600");
    await eventually(() => control(page, "zaps[1].runs_per_month").inputValue(), "600");
    await page.keyboard.press("Control+z");
    await eventually(() => control(page, "zaps[1].runs_per_month").inputValue(), "40");
  });

  test("are added by a file to those of the user, and asked about where the trigger may count", async () => {
    const page = await open(
      `${COST}?zaps[0].name=Mine&zaps[0].action_steps=1&zaps[0].runs_per_month=9`,
    );
    await openFile(page, "zaps.csv", "Zap;Steps;Runs\nLeads;3;1.000\nMail;2;oft");
    await control(page, "zaps[2].name").waitFor();
    expect(await control(page, "zaps[0].name").inputValue()).toBe("Mine");
    expect(await control(page, "zaps[1].runs_per_month").inputValue()).toBe("1.000");
    await notes(page, "zaps[2].runs_per_month").filter({ hasText: NO_NUMBER }).waitFor();
    await status(page).getByText("1 Zap not counted").waitFor();
    await control(page, "zaps[2].runs_per_month").fill("15/day");
    await eventually(() => page.locator("#zaps .note").count(), 0);
    await rowButton(page, "subtract triggers").click();
    await eventually(() => control(page, "zaps[1].action_steps").inputValue(), "2");
    expect(await control(page, "zaps[0].action_steps").inputValue()).toBe("1");
    expect(await page.getByText("count the trigger?").count()).toBe(0);
  });

  test("of a zapfile have no price until their runs are given, once for all", async () => {
    const page = await open();
    const nodes = { 1: { parent_id: null }, 2: { parent_id: 1, selected_api: "SlackCLIAPI@1" } };
    const zaps = ["A", "B"].map((title) => ({ title, status: "on", nodes }));
    await openFile(page, "x.json", JSON.stringify({ metadata: { version: "gdpr_v1" }, zaps }));
    await status(page).getByText("Now enter how often Zap 1 runs in a month.").waitFor();
    await page.getByLabel("Runs a month for all").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("often");
    await page.locator("#runs_for_all[aria-invalid=true]").waitFor();
    await page.getByLabel("Runs a month for all").fill("1,200");
    await status(page).getByText("2,400 tasks a month").waitFor();
  });

  test("are a total in a row that shows all of its number, and its problem below", async () => {
    const page = await open();
    const total = page.getByRole("textbox", { name: "Tasks a month" });
    const overflow = () => total.evaluate((cell) => cell.scrollWidth - cell.clientWidth);
    for (const text of ["1,000,000", "2.5 million"]) {
      await total.fill(text);
      expect(await overflow()).toBe(0);
      expect(await total.getAttribute("aria-invalid")).toBe("false");
    }
    await status(page).getByText("2,500,000 tasks a month").waitFor();
    expect(await total.inputValue()).toBe("2.5 million");
    await total.fill("lots");
    await total.press("Tab");
    const note = notes(page, "tasks_a_month").filter({ hasText: "How many tasks is that?" });
    await note.waitFor();
    const gap = await note.evaluate(
      (note) =>
        note.getBoundingClientRect().top -
        (note.previousElementSibling?.getBoundingClientRect().bottom ?? 0),
    );
    expect(gap).toBeWithin(0, 20);
  });

  test("are in two lines where letters of twice the size leave no room", async () => {
    const page = await open(COST_EXAMPLE);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    const name = await control(page, "zaps[0].name").boundingBox();
    const runs = await control(page, RUNS).boundingBox();
    expect(runs?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  });

  test("are what was typed, in the link and after a reload", async () => {
    const page = await open();
    await pasted(page, "zaps[0].name", "Zap\tAction steps\tRuns\nMail\t2\t15/day\nLeads\t3\tn/a");
    await status(page).getByText("930 tasks a month").waitFor();
    const link = (await page.locator("#share").getAttribute("href")) ?? "";
    await page.reload();
    await eventually(() => control(page, RUNS).inputValue(), "15/day");
    const other = await open(link);
    await status(other).getByText("930 tasks a month").waitFor();
    expect(await control(other, RUNS).inputValue()).toBe("15/day");
    expect(await control(other, "zaps[1].runs_per_month").inputValue()).toBe("n/a");
  });
});

const NO_NUMBER = "How often does it run? Type a number, 2/day or weekly.";

describe("the price", () => {
  inChromium("that is shown", site.origin, (browser) => {
    test("is what the user saves, once they name their plan, and is kept by undo", async () => {
      const page = await browser.open(COST_EXAMPLE);
      await page.getByLabel("Your plan now").selectOption("professional-2000");
      const answer = page.locator(".note.good");
      await eventually(
        () => answer.textContent(),
        "Switch to Professional, 750 tasks: $256.20 a year less",
      );
      await page.getByRole("radio", { name: "Monthly" }).check();
      await eventually(
        () => answer.textContent(),
        "Switch to Professional, 750 tasks: $246.24 a year less",
      );
      await rowButton(page, "undo").click();
      await rowButton(page, "undo").click();
      await eventually(() => page.getByLabel("Your plan now").inputValue(), "");
      expect(await answer.count()).toBe(0);
    });

    test("is told for any number of tasks that is pointed at in the chart", async () => {
      const page = await browser.open(COST_EXAMPLE);
      const words = page.locator("p.pointed");
      const chart = page.locator("svg.chart");
      await chart.locator("rect").hover();
      const pointed = chart.locator(".pointed");
      await pointed.waitFor();
      expect(await words.textContent()).toBe(
        "560 tasks a month: $19.99 with Professional, 750 tasks",
      );
      expect(await chart.locator(".label").allTextContents()).toEqual([
        "You: 980 tasks",
        "560: $19.99",
      ]);
      await page.locator("h1").hover();
      const hint = "Move to see the price of another number of tasks.";
      await eventually(() => words.textContent(), hint);
      const slider = page.getByRole("slider", { name: "Tasks a month" });
      await slider.press("End");
      const most = "3,800 tasks a month: $89.00 with Professional, 5,000 tasks";
      await eventually(() => words.textContent(), most);
      expect(await slider.getAttribute("aria-valuetext")).toBe(most);
      const labels = ["You: 980 tasks", "3,800: $89.00"];
      expect(await chart.locator(".label").allTextContents()).toEqual(labels);
    });
  });
});

const oldBook = JSON.stringify(priceBook).replaceAll(/"\d{4}-\d\d-\d\d"/g, '"2020-02-29"');
const dear = runningSite({
  priceBook: JSON.parse(oldBook.replace('"cents":1999', '"cents":1234')),
});

inChromium("the operator's prices", dear.origin, (browser) => {
  test("count after an edit too, and have their age today", async () => {
    const page = await browser.open(COST_EXAMPLE);
    await control(page, RUNS).fill("101");
    await control(page, "zaps[1].runs_per_month").fill("102");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("102"), true);
    const text = await result(page).textContent();
    expect(text).toContain("$12.34");
    expect(text).toMatch(/read on 2020-02-29, [\d,]+ days ago/);
  });
});
