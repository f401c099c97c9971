import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium } from "./browser.ts";
import { clipboard } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { holdAnswers } from "./hold-answers.ts";
import { MAIL, MCP } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, focused, shownInput } from "./tool-page.ts";

const site = runningSite();

const ADDRESSES = Array.from({ length: 30 }, (_, index) => `person${index}@site.example`);

async function paste(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await control(page, name).press("Control+A");
  await page.keyboard.press("Control+V");
}

inChromium("lines that are pasted into a list", site.origin, (browser) => {
  const open = (path: string) => browser.open(path, clipboard.permitted);

  test.each([
    ["addresses", MAIL, "filters[0].from", 1],
    ["arguments", MCP, "args", 2],
  ])("become rows: %s", async (_, path, list, row) => {
    const page = await open(path);
    await paste(page, `${list}[${row}]`, `${ADDRESSES.join("\r\n\n ")}\n`);
    const last = `${list}[${row + 29}]`;
    await eventually(() => focused(page), last);
    expect(await control(page, last).inputValue()).toBe("person29@site.example");
    expect(await control(page, `${list}[${row}]`).inputValue()).toBe("person0@site.example");
    expect(await control(page, `${list}[${row + 30}]`).count()).toBe(0);
  });

  test("are kept when something is typed before the server has answered", async () => {
    const page = await open(MAIL);
    const held = await holdAnswers(page, MAIL);
    const asked = async () => held.length;
    await paste(page, "filters[0].from[1]", "a@site.example\nb@site.example");
    await eventually(asked, 1);
    await page.keyboard.type("x");
    await eventually(asked, 2);
    for (const letGo of held) letGo();
    await control(page, "filters[0].from[2]").waitFor();
    expect(await focused(page)).toBe("filters[0].from[1]");
    expect(await shownInput(page)).toMatchObject({
      filters: [{ from: ["billing@acme.example", "a@site.examplex", "b@site.example"] }],
    });
  });

  test("and a line by itself stay what they are elsewhere", async () => {
    const page = await open(MAIL);
    await paste(page, "filters[0].from[1]", "a@site.example\n");
    expect(await control(page, "filters[0].from[1]").inputValue()).toBe("a@site.example");
    await paste(page, "filters[0].label", "one\ntwo");
    expect(await control(page, "filters[0].label").inputValue()).toBe("one two");
  });
});
