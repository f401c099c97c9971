import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import { COST, control, eventually, MAIL, MCP, rowButton, shownInput } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

/** Lists of each kind; `rows` is how many the example shows, and `first` a row's first control. */
const LISTS = [
  { what: "filters", path: MAIL, list: "filters", rows: 1, first: ".from[0]" },
  { what: "texts", path: MAIL, list: "filters[0].from", rows: 2, first: "" },
  { what: "zaps", path: COST, list: "zaps", rows: 2, first: ".name" },
  { what: "arguments", path: MCP, list: "args", rows: 3, first: "" },
  { what: "pairs", path: MCP, list: "env", rows: 1, first: ".key" },
];

const ADDRESSES = Array.from({ length: 30 }, (_, index) => `person${index}@site.example`);

const site = runningSite();

inChromium("the buttons for rows", site.origin, (browser) => {
  test.each(LISTS)("$what are added and removed", async ({ path, list, rows, first }) => {
    const page = await browser.open(path);
    const added = `${list}[${rows}]`;
    await rowButton(page, `add ${list}`).press("Enter");
    await control(page, `${added}${first}`).waitFor();
    await eventually(() => focused(page), `${added}${first}`);
    await page.keyboard.type("x");
    expect(await control(page, `${added}${first}`).inputValue()).toBe("x");

    // The others keep their names.
    await rowButton(page, `remove ${list}[0]`).click();
    await control(page, `${list}[0]${first}`).waitFor({ state: "detached" });
    expect(await control(page, `${added}${first}`).inputValue()).toBe("x");
    const next = rows > 1 ? `remove ${list}[1]` : `add ${list}`;
    await eventually(() => focusedCommand(page), next);
  });

  test("an added filter leaves the others where they are, choices without a choice included", async () => {
    const filter = { from: ["news@shop.example"], star: true };
    const input = JSON.stringify({ filters: [filter, filter] });
    const page = await browser.open(`${MAIL}?input=${encodeURIComponent(input)}`);
    const first = await control(page, "filters[0].category").elementHandle();
    await rowButton(page, "add filters").click();
    await control(page, "filters[2].name").waitFor();
    expect(await first?.evaluate((element) => element.isConnected)).toBe(true);
  });

  test("there may be as many Zaps as the command line takes", async () => {
    const rows = Array.from({ length: 25 }, (_, index) => `zaps[${index}].name=${index}`);
    const page = await browser.open(`${COST}?${rows.join("&")}`);
    await rowButton(page, "add zaps").click();
    await control(page, "zaps[25].name").waitFor();
    expect(await rowButton(page, "add zaps").isEnabled()).toBe(true);
  });

  test("the Enter key in a row adds one", async () => {
    const page = await browser.open(MAIL);
    await control(page, "filters[0].from[1]").fill("@market.example");
    await control(page, "filters[0].from[1]").press("Enter");
    await eventually(() => focused(page), "filters[0].from[2]");
    await page.keyboard.type("@fair.example");
    const from = ["billing@acme.example", "@market.example", "@fair.example"];
    await eventually(
      async () => Bun.deepEquals(Object(await shownInput(page)).filters?.[0]?.from, from),
      true,
    );
  });

  test("a comma after an address adds one, and stays a comma elsewhere", async () => {
    const page = await browser.open(MAIL);
    await control(page, "filters[0].from[1]").fill("");
    await control(page, "filters[0].from[1]").pressSequentially("@market.example, @fair.example");
    expect(await control(page, "filters[0].from[1]").inputValue()).toBe("@market.example");
    expect(await control(page, "filters[0].from[2]").inputValue()).toBe("@fair.example");
    await control(page, "filters[0].subject[0]").fill("");
    await control(page, "filters[0].subject[0]").pressSequentially("a@x.example, b");
    expect(await control(page, "filters[0].subject[0]").inputValue()).toBe("a@x.example, b");
  });
});

inChromium(
  "rows out of the clipboard: lines that are pasted into a list",
  site.origin,
  (browser) => {
    const open = (path: string) => browser.open(path, clipboard.permitted);

    test.each([
      ["addresses", MAIL, "filters[0].from", 1, "\r\n\n "],
      ["addresses with commas", MAIL, "filters[0].from", 1, ", "],
      ["arguments", MCP, "args", 2, "\n"],
    ])("become rows: %s", async (_, path, list, row, between) => {
      const page = await open(path);
      await paste(page, `${list}[${row}]`, `${ADDRESSES.join(between)}\n`);
      const last = `${list}[${row + 29}]`;
      await eventually(() => focused(page), last);
      expect(await control(page, last).inputValue()).toBe("person29@site.example");
      expect(await control(page, `${list}[${row}]`).inputValue()).toBe("person0@site.example");
      expect(await control(page, `${list}[${row + 30}]`).count()).toBe(0);
    });

    test("and a line by itself stay what they are elsewhere", async () => {
      const page = await open(MAIL);
      await paste(page, "filters[0].from[1]", "a@site.example\n");
      await eventually(() => control(page, "filters[0].from[1]").inputValue(), "a@site.example");
      await paste(page, "filters[0].subject[0]", "a@x.example, b@x.example");
      await eventually(
        () => control(page, "filters[0].subject[0]").inputValue(),
        "a@x.example, b@x.example",
      );
      await paste(page, "filters[0].label", "one\ntwo");
      await eventually(() => control(page, "filters[0].label").inputValue(), "one two");
    });
  },
);

/** The command of the focused button. */
const focusedCommand = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("value") ?? null);

async function paste(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await control(page, name).press("Control+A");
  await page.keyboard.press("Control+V");
}
