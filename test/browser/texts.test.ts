import { expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import {
  control,
  eventually,
  MAIL_EXAMPLE,
  MCP_EXAMPLE,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const FROM = "filters[0].from";
const SUBJECT = "filters[0].subject";
/** What the forms have. */
const SENDERS = ["billing@acme.example", "@shop.example"];
const ARGS = ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"];

const ADDRESSES = Array.from({ length: 30 }, (_, index) => `person${index}@site.example`);

const site = runningSite();

inChromium("a list of texts", site.origin, (browser) => {
  const open = async (path: string, text?: string) => {
    const page = await browser.open(path, clipboard.permitted);
    if (text !== undefined) await clipboard.write(page, text);
    return page;
  };
  const fromOf = async (page: Page) => Object(await shownInput(page)).filters?.[0]?.from;

  test("takes what is typed: Enter ends a text, and what is not ended counts", async () => {
    const page = await open(MAIL_EXAMPLE);
    await control(page, FROM).focus();
    await page.keyboard.type("Doe, John <j@x.example>");
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe(FROM);
    await page.keyboard.type("@fair.example");
    const wanted = [...SENDERS, "j@x.example", "@fair.example"];
    await eventually(() => fromOf(page), wanted);
    expect(await page.locator(`[id="${FROM}[3]"]`).count()).toBe(0);
    await page.keyboard.press("Tab");
    await page.locator(`[id="${FROM}[3]"]`).waitFor();
    expect(await textsOf(page, FROM)).toEqual(wanted);
  });

  test("ends an address at a comma, and no words", async () => {
    const page = await open(MAIL_EXAMPLE);
    await control(page, FROM).pressSequentially("@market.example, @fair.example");
    expect(await textsOf(page, FROM)).toEqual([...SENDERS, "@market.example", "@fair.example"]);
    await control(page, SUBJECT).pressSequentially("Your order, shipped");
    expect(await control(page, SUBJECT).inputValue()).toBe("Your order, shipped");
  });

  test.each([
    [MAIL_EXAMPLE, FROM, "\r\n\n ", SENDERS],
    [MAIL_EXAMPLE, FROM, ", ", SENDERS],
    [MCP_EXAMPLE, "args", "\n", ARGS],
  ])("%s: %s takes what is pasted with %j between, in one step", async (path, list, by, before) => {
    const page = await open(path, `${ADDRESSES.join(by)}\n`);
    await control(page, list).press("ControlOrMeta+V");
    await eventually(() => textsOf(page, list), [...before, ...ADDRESSES]);
    expect(await focused(page)).toBe(list);
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => textsOf(page, list), before);
  });

  test("is gone through by arrows, and an item is edited in its place", async () => {
    const page = await open(MCP_EXAMPLE);
    await control(page, "args").focus();
    for (const [key, id] of [
      ["ArrowLeft", "args[2]"],
      ["ArrowLeft", "args[1]"],
      ["Home", "args[0]"],
      ["ArrowRight", "args[1]"],
      ["End", "args"],
      ["ArrowLeft", "args[2]"],
      ["ArrowLeft", "args[1]"],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(page)).toBe(id);
    }
    await page.keyboard.press("Enter");
    await eventually(() => control(page, "args").inputValue(), ARGS[1]);
    await page.keyboard.type("@1");
    await page.keyboard.press("Enter");
    await eventually(() => textsOf(page, "args"), ["-y", `${ARGS[1]}@1`, ARGS[2] ?? ""]);
    expect(await focused(page)).toBe("args");
  });

  test("gives its last item back to Backspace, and loses one by Delete", async () => {
    const page = await open(MCP_EXAMPLE);
    await control(page, "args").press("Backspace");
    await eventually(() => control(page, "args").inputValue(), "/home/me/notes");
    await page.keyboard.type("/new");
    await page.keyboard.press("Enter");
    await eventually(() => textsOf(page, "args"), [...ARGS.slice(0, 2), "/home/me/notes/new"]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Delete");
    await eventually(() => textsOf(page, "args"), ["-y", "/home/me/notes/new"]);
    await eventually(() => focused(page), "args[1]");
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(async () => (await textsOf(page, "args")).length, 3);
  });

  test("is closed by Escape, with the item that was edited", async () => {
    const page = await open(MCP_EXAMPLE);
    await control(page, "args[1]").click();
    await eventually(() => control(page, "args").inputValue(), ARGS[1]);
    await page.keyboard.press("Escape");
    await eventually(() => control(page, "args").inputValue(), "");
    expect(await textsOf(page, "args")).toEqual([...ARGS]);
  });

  test("shows at once what is wrong with an item, which leads to it", async () => {
    const page = await open(MAIL_EXAMPLE);
    await control(page, FROM).pressSequentially("-news@x.example");
    expect(await page.locator("#tool-form .error").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.locator(".chip.wrong", { hasText: "-news@x.example" }).waitFor();
    expect(await control(page, FROM).getAttribute("aria-invalid")).toBe("true");
    // It is said beside the list alone.
    expect(await page.locator("#problems").count()).toBe(0);
    await status(page).getByRole("link", { name: "Fix 1 problem" }).click();
    expect(await focused(page)).toBe(`${FROM}[2]`);
    const { violations } = await new AxeBuilder({ page }).include("#tool-form").analyze();
    expect(violations).toEqual([]);
  });

  test("is one stop of the Tab key", async () => {
    const page = await open(MCP_EXAMPLE);
    await control(page, "command").focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("args");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("env[0].key");
  });

  test("has room for a finger, which edits an item", async () => {
    const viewport = { width: 390, height: 844 };
    const page = await browser.open(MCP_EXAMPLE, { viewport, hasTouch: true, isMobile: true });
    for (const button of await page.locator(".chip > button").all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await page.locator('[id="args[0]"]').tap();
    await eventually(() => control(page, "args").inputValue(), "-y");
    await control(page, "args").fill("--yes");
    await page.locator("#name").tap();
    await eventually(() => textsOf(page, "args"), ["--yes", ...ARGS.slice(1)]);
  });
});
