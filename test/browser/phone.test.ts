import { expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { inChromium, isReady } from "./support/browser.ts";
import { clipboard } from "./support/in-page.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  MAIL,
  MAIL_EXAMPLE,
  MCP_EXAMPLE,
  rowButton,
  shareHash,
  shownInput,
  status,
  unfold,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const HEIGHT = 844;
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: HEIGHT },
  hasTouch: true,
  isMobile: true,
};

/** A field that each form has, and the first of its filter's actions. */
const FIELDS = [
  { path: MAIL_EXAMPLE, name: "filters[0].label", value: "Later" },
  { path: COST_EXAMPLE, name: "zaps[0].runs_per_month", value: "123" },
  { path: MCP_EXAMPLE, name: "args", value: "-v" },
];

const filters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ from: [`a${index}@x.example`], star: true }));

const site = runningSite();

inChromium("on a phone", site.origin, (browser) => {
  test.each(FIELDS)(
    "$path: the bar at the bottom leads to the result, at most a screen below $name",
    async (field) => {
      const page = await browser.open(field.path, PHONE);
      const top = (name: string) =>
        control(page, name).evaluate((e) => e.getBoundingClientRect().top);
      expect((await top("outcome")) - (await top(field.name))).toBeLessThan(HEIGHT);
      const bar = page.locator(".bar");
      await control(page, field.name).fill(field.value);
      await eventually(() => bar.isVisible(), true);
      await eventually(
        async () => JSON.stringify(await shownInput(page)).includes(field.value),
        true,
      );
      const box = await bar.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(HEIGHT);
      await bar.getByRole("link").first().tap();
      await eventually(
        () =>
          status(page).evaluate((element) => Math.abs(element.getBoundingClientRect().top) < 80),
        true,
      );
    },
  );

  test.each([COST_EXAMPLE, MCP_EXAMPLE])(
    "%s: the form is cleared within the first screen",
    async (path) => {
      const page = await browser.open(path, PHONE);
      const box = await page.getByRole("button", { name: "Clear" }).boundingBox();
      expect((box?.y ?? HEIGHT) + (box?.height ?? 0)).toBeLessThan(HEIGHT / 2);
    },
  );

  test.each([MAIL, `${MAIL}?filters[0].star=true`, MAIL_EXAMPLE])(
    "%s: fits with letters of twice the size, and the bar leaves four fifths to the form",
    async (path) => {
      const page = await browser.open(path, PHONE);
      await control(page, "filters[0].label").fill("Later");
      await rowButton(page, "undo").waitFor();
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      const height = () => page.locator(".bar").evaluate((bar) => bar.clientHeight);
      expect(await height()).toBeLessThan(HEIGHT / 5);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
  );

  test("a warning is at its field", async () => {
    const forwarded = { filters: [{ from: ["a@x.example"], forward_to: "me@x.example" }] };
    const page = await browser.open(`${MAIL}${shareHash(forwarded)}`, PHONE);
    await page.locator('[id="filters[0].forward_to:notes"] > *').waitFor();
    expect(await control(page, "filters[0].forward_to").isVisible()).toBe(true);
  });

  test("an import is for a computer, to which the link goes", async () => {
    const desk = await browser.open(MAIL_EXAMPLE);
    expect(await desk.getByText("on a computer only").isVisible()).toBe(false);
    const page = await browser.open(MAIL_EXAMPLE, { ...PHONE, ...clipboard.permitted });
    await page.getByText("on a computer only").waitFor();
    const copy = page.locator(".bar .on-phone .primary");
    expect(await copy.textContent()).toBe("Copy link");
    await copy.tap();
    await eventually(
      () => clipboard.read(page),
      await page.locator("#share").evaluate((link: HTMLAnchorElement) => link.href),
    );
  });

  test("with an opened export it is the file that goes to the computer", async () => {
    const page = await browser.open(MAIL, PHONE);
    // So many that the result is out of sight.
    const entries = [..."abcdefghijklmnop"].map((label) => ({ from: `${label}@x.example`, label }));
    await page.locator(".start input[type=file]").setInputFiles({
      name: "mailFilters.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(gmailExport(...entries)),
    });
    await rowButton(page, "open filters[0]").tap();
    await control(page, "filters[0].label").fill("Other");
    const note = "Gmail imports filters on a computer: send the file there.";
    await page.locator(".on-phone").getByText(note).waitFor();
    expect(await page.locator("#download").innerText()).toBe("Download 1");
    expect(await page.getByText("Copy link").count()).toBe(0);
    await rowButton(page, "undo").tap();
    await rowButton(page, "remove filters[0]").tap();
    await page.locator(".bar").getByRole("link", { name: "See result" }).tap();
    await eventually(() => page.locator("#gone").isVisible(), true);
  });

  test("a merge shows all its senders, and two lines of the bar say what it did", async () => {
    const page = await browser.open(MAIL, PHONE);
    const senders = Array.from({ length: 24 }, (_, index) => `letter-${index}@post.example`);
    const others = ["a", "b", "b"].map((label, index) => ({ from: `${index}@x.example`, label }));
    await page.locator(".start input[type=file]").setInputFiles({
      name: "mailFilters.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(gmailExport(...senders.map((from) => ({ from, label: "L" })), ...others)),
    });
    await page.locator(".views label", { hasText: "Can be merged" }).tap();
    const merge = page.getByRole("button", { name: "Merge 24 into 1" });
    const what = page.locator("#filters > li", { has: merge }).locator(".what");
    expect(await what.innerText()).toBe(`from ${senders.join(", ")}`);
    expect(await what.evaluate((e) => e.scrollHeight - e.clientHeight)).toBe(0);
    await merge.tap();
    await eventually(() => status(page).innerText(), "24 merged into 1\n27 filters became 4.");
    const lines = () =>
      status(page).evaluate((e) => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight));
    expect(await lines()).toBeLessThan(2.1);
  });

  test("a preset leads to the form, and the bar is at the bottom until the result is there, and then its head", async () => {
    const height = 660;
    const page = await browser.open(MAIL, { ...PHONE, viewport: { width: 390, height } });
    await page.getByRole("button", { name: "Receipts", exact: true }).tap();
    const box = () => page.locator(".bar").boundingBox();
    await rowButton(page, "undo").waitFor();
    const first = page.locator("#filters > .item");
    const isAtTop = () => first.evaluate((e) => Math.abs(e.getBoundingClientRect().top) < 100);
    await eventually(isAtTop, true);
    const bar = await box();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(height);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect(await page.locator("footer.site").isVisible()).toBe(true);
    const panel = await page.locator("#outcome").boundingBox();
    const docked = await box();
    expect((docked?.y ?? 0) + (docked?.height ?? 0)).toBeLessThanOrEqual(panel?.y ?? 0);
  });

  test("the result of twenty filters is in the card of the one in work", async () => {
    const page = await browser.open(MAIL, PHONE);
    await page.goto(`${MAIL}${shareHash({ filters: filters(20) })}`);
    await page.reload();
    await isReady(page);
    await rowButton(page, "open filters[6]").tap();
    await page.locator(".item .sentence", { hasText: "a6@x.example" }).waitFor();
    expect(await page.locator(".sentence").count()).toBe(1);
    expect(await rowButton(page, "remove filters[6]").isVisible()).toBe(true);
  });
});

inChromium("a tick box", site.origin, (browser) => {
  test.each([
    ["a phone", MAIL, PHONE],
    ["a desk", MAIL, { viewport: { width: 1280, height: 800 } }],
    ["a small phone", COST, { ...PHONE, viewport: { width: 320, height: HEIGHT } }],
  ])("has its words in one line on %s", async (_, path, options) => {
    const page = await browser.open(path, options);
    await unfold(page);
    const lines = await page.locator(".toggle").evaluateAll((labels) =>
      labels
        .filter((label) => label.checkVisibility())
        .map((label) => {
          const range = document.createRange();
          range.selectNodeContents(label.lastChild ?? label);
          return range.getClientRects().length;
        }),
    );
    expect(lines).toEqual(lines.map(() => 1));
  });
});
