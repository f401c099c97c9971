import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  isStale,
  MAIL,
  MCP,
  MCP_EXAMPLE,
  result,
  shareHash,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const FILTERS = {
  filters: [
    { from: ["ann@büro.example"], star: true },
    { to: ["b@x.example"], delete: true },
  ],
};
const ZAPS = {
  zaps: [{ name: "<b>&\"'", action_steps: 3, runs_per_month: 50 }],
  billing: "monthly",
};
const SERVER = { name: "far", url: "https://mcp.example/mcp" };

/** For each tool an input, and one of its values in the form. */
const LINKS = [
  { path: MAIL, input: FILTERS, name: "filters[0].from", value: "ann@büro.example" },
  { path: COST, input: ZAPS, name: "zaps[0].name", value: "<b>&\"'" },
  { path: MCP, input: SERVER, name: "url", value: "https://mcp.example/mcp" },
];

const RUNS = "zaps[0].runs_per_month";

const site = runningSite();

inChromium("a link to an input", site.origin, (browser) => {
  test.each(LINKS)("$path opens with the same form and the same result", async (link) => {
    const own = await browser.open(`${link.path}${shareHash(link.input)}`);
    await eventually(input(own), link.input);
    const href = (await own.locator("#share").getAttribute("href")) ?? "";
    const other = await browser.open(href);
    await eventually(input(other), link.input);
    expect(await textsOf(other, link.name)).toEqual([link.value]);
    expect(await result(other).textContent()).toBe(await result(own).textContent());
    expect(await status(other).textContent()).toBe(await status(own).textContent());
  });

  test("the address follows the form", async () => {
    const page = await browser.open(COST_EXAMPLE);
    expect(await hash(page)()).toBe("");
    await control(page, "zaps[0].runs_per_month").fill("123");
    await eventually(async () => (await hash(page)()) === (await shareOf(page)), true);
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("123"), true);
    await page.reload();
    await eventually(() => control(page, "zaps[0].runs_per_month").inputValue(), "123");
    // It is no link of somebody else.
    expect(await page.locator("#from-link").count()).toBe(0);
    await page.getByRole("button", { name: "Clear" }).click();
    await eventually(hash(page), "");
  });

  test("another link in the same tab opens its input, and the way back the one before", async () => {
    const page = await browser.open(`${COST}${shareHash(ZAPS)}`);
    await eventually(input(page), ZAPS);
    const more = { zaps: [...ZAPS.zaps, ...ZAPS.zaps] };
    await page.evaluate((next) => {
      location.hash = next;
    }, shareHash(more));
    await eventually(input(page), more);
    await page.goBack();
    await eventually(input(page), ZAPS);
    expect(await control(page, "zaps[1].name").count()).toBe(0);
  });

  describe("that is broken shows a message", () => {
    test.each([
      ["cut", shareHash(ZAPS).slice(0, 40)],
      ["too large", shareHash({ zaps: "x".repeat(20_000) })],
      ["of another tool", shareHash(SERVER)],
    ])("%s", async (_, broken) => {
      const page = await browser.open(`${COST}${broken}`);
      await page.locator("#problems").waitFor();
      expect((await page.locator("#problems").textContent())?.length).toBeGreaterThan(20);
      expect(await isStale(page)).toBe(true);
    });
  });

  test("to something else changes nothing", async () => {
    const page = await browser.open(COST_EXAMPLE);
    const example = await shownInput(page);
    await page.evaluate(() => {
      location.hash = "#v2.abc";
    });
    await page.waitForTimeout(300);
    expect(await shownInput(page)).toEqual(example);
    expect(await isStale(page)).toBe(false);
  });
});

inChromium("a link to a server", site.origin, (browser) => {
  test("holds the names of its variables and no value, and takes none from the form", async () => {
    const page = await browser.openAlone(MCP_EXAMPLE, clipboard.permitted);
    await control(page, "env[0].key").fill("API_KEY");
    await control(page, "env[0].value").fill("s3cret-value");
    await page.getByText("s3cret-value").first().waitFor({ state: "attached" });
    expect(await shownInput(page)).toMatchObject({ env: { API_KEY: "YOUR_API_KEY" } });
    expect(page.url()).not.toContain("s3cret");
    const addresses = await page
      .locator("[href], [src], [action]")
      .evaluateAll((elements) =>
        elements.map((element) => [...element.attributes].map(({ value }) => value).join(" ")),
      );
    const decoded = addresses.map(
      (text) => text + Buffer.from(text.split("#v1.")[1] ?? "", "base64url"),
    );
    expect(decoded.join("\n")).not.toContain("s3cret");
    // It is copied when it is followed.
    const link = page.locator("#share");
    await link.click();
    const href = await link.evaluate(({ href }: HTMLAnchorElement) => href);
    await eventually(() => clipboard.read(page), href);
    await eventually(hash(page), await shareOf(page));
    await page.waitForTimeout(300);
    expect(await control(page, "env[0].value").inputValue()).toBe("s3cret-value");
  });

  test("goes from the address when the form is another", async () => {
    const page = await browser.open(`${MCP}${shareHash(SERVER)}`);
    await eventually(input(page), SERVER);
    await page.waitForTimeout(700);
    expect(await hash(page)()).toBe(shareHash(SERVER));
    await control(page, "name").fill("near");
    await eventually(hash(page), "");
  });
});

inChromium("a link within the page", site.origin, (browser) => {
  test("leads into the first control of what a problem is about", async () => {
    const page = await browser.open(`${MAIL}?filters[0].label=Bills`);
    await status(page).getByRole("link").click();
    expect(await focused(page)).toBe("filters[0].from");
    expect(page.url()).not.toContain("#");
  });

  test("is not in the history, so that the way back removes nothing from the form", async () => {
    const page = await browser.open("/tools");
    await page.goto(COST_EXAMPLE);
    await control(page, RUNS).fill("123");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("123"), true);
    await page.locator('a[href="#main"]').press("Enter");
    await eventually(() => focused(page), "main");
    await page.waitForTimeout(600);
    expect(page.url()).toContain("#v1.");
    expect(await page.evaluate(() => history.length)).toBe(3);
    expect(await control(page, RUNS).inputValue()).toBe("123");
  });

  test("that is the form's own keeps the newest input in the address at once", async () => {
    const page = await browser.open(COST_EXAMPLE);
    await control(page, RUNS).fill("123");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("123"), true);
    await page.locator("#share").click();
    const before = await page.evaluate(() => history.length);
    await control(page, RUNS).fill("124");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("124"), true);
    await page.locator("#share").click();
    await page.waitForTimeout(600);
    expect(await page.evaluate(() => history.length)).toBe(before);
  });
});

const hash = (page: Page) => async () => new URL(page.url()).hash;
const input = (page: Page) => () => shownInput(page);
const shareOf = async (page: Page): Promise<string> =>
  new URL((await page.locator("#share").getAttribute("href")) ?? "", page.url()).hash;
