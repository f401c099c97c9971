import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { focused } from "./support/in-page.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  MAIL,
  MCP,
  rowButton,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

/** Lists of each kind; `rows` is how many the page shows, and `first` a row's first control. */
const LISTS = [
  { what: "zaps", path: COST_EXAMPLE, list: "zaps", rows: 2, first: ".name" },
  { what: "pairs", path: MCP, list: "env", rows: 1, first: ".key" },
];

const site = runningSite();

inChromium("the buttons for rows", site.origin, (browser) => {
  test.each(LISTS)("$what are added and removed", async ({ path, list, rows, first }) => {
    const page = await browser.open(path);
    const added = `${list}[${rows}]`;
    await rowButton(page, `add ${list}`).press("Enter");
    await control(page, `${added}${first}`).waitFor();
    await eventually(() => focused(page), `${added}${first}`);
    await page.keyboard.type("x");
    expect(await textsOf(page, `${added}${first}`)).toEqual(["x"]);

    // The others keep their names.
    await rowButton(page, `remove ${list}[0]`).click();
    await control(page, `${list}[0]${first}`).waitFor({ state: "detached" });
    expect(await textsOf(page, `${added}${first}`)).toEqual(["x"]);
    const next = rows > 1 ? `remove ${list}[1]` : `add ${list}`;
    await eventually(() => focusedIntent(page), next);
  });

  test("an added filter closes the others, and a removed one leads to its neighbour", async () => {
    const filters = ["a", "b"].map((name) => ({ from: [`${name}@x.example`], star: true }));
    const input = JSON.stringify({ filters });
    const page = await browser.open(`${MAIL}?input=${encodeURIComponent(input)}`);
    await rowButton(page, "add filters").press("Enter");
    await eventually(() => focused(page), "filters[2].from");
    expect(await page.locator("#filters > .closed").count()).toBe(2);
    // The answers to the others stay.
    await control(page, "filters[2].from").fill("c@x.example");
    const answer = page.locator("#result .sentence").filter({ visible: true });
    await eventually(
      () => answer.allTextContents(),
      ["Mail from a@x.example is starred.", "Mail from b@x.example is starred."],
    );
    await rowButton(page, "remove filters[2]").click();
    await eventually(() => focusedIntent(page), "open filters[1]");
    await page.keyboard.press("Enter");
    await eventually(() => focused(page), "filters[1].from");
  });

  test("the search of a long list closes the open filter, and says when nothing matches", async () => {
    const filters = ["a", "b", "c", "d"].map((name) => ({
      from: [`${name}@x.example`],
      star: true,
    }));
    const page = await browser.open(
      `${MAIL}?input=${encodeURIComponent(JSON.stringify({ filters }))}`,
    );
    await rowButton(page, "open filters[1]").click();
    await control(page, "filters[1].from").waitFor();
    const shown = page.locator("#filters > li:visible");
    await page.getByLabel("Search the filters").pressSequentially("c@x");
    await eventually(async () => (await shown.allTextContents()).length, 1);
    expect(await shown.textContent()).toContain("c@x.example");
    await page.keyboard.type("zzz");
    await page.getByText("No filter has “c@xzzz”.").waitFor();
    expect(await shown.count()).toBe(0);
    await page.getByRole("button", { name: "Show all" }).click();
    await eventually(() => shown.count(), 4);
  });

  test("there may be as many Zaps as the command line takes", async () => {
    const rows = Array.from({ length: 25 }, (_, index) => `zaps[${index}].name=${index}`);
    const page = await browser.open(`${COST}?${rows.join("&")}`);
    await rowButton(page, "add zaps").click();
    await control(page, "zaps[25].name").waitFor();
    expect(await rowButton(page, "add zaps").isEnabled()).toBe(true);
  });
});

/** The intent of the focused button. */
const focusedIntent = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("value") ?? null);
