import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, isReady } from "./support/browser.ts";
import { focused } from "./support/in-page.ts";
import {
  COST,
  control,
  eventually,
  MAIL,
  MCP,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { postedBy, runningSite } from "./support/site.ts";

const site = runningSite();

const CARDS = [
  { path: MAIL, field: "Sender", text: "news@shop.example, @longreads.example" },
  { path: COST, field: "Tasks a month", text: "1500" },
  { path: MCP, field: "Command or URL", text: "npx -y notes-mcp" },
];

/** Whether a control of the form has a text. */
const has = async (page: Page, text: string) =>
  await page.locator("#tool-form").evaluate((form: HTMLFormElement, wanted) => {
    const values = [...new FormData(form).values()];
    return values.some((value) => String(value).includes(wanted));
  }, text);

inChromium("a card of the home page", site.origin, (browser) => {
  test.each(CARDS)("hands over $text to $path within the tab", async (card) => {
    const page = await browser.open("/");
    const posted = postedBy(page);
    const send = async (text: string) => {
      await page.getByText("stays in your browser").waitFor();
      await page.getByLabel(card.field).fill(text);
      await page.getByLabel(card.field).press("Enter");
      await page.waitForURL(`**${card.path}`);
      await isReady(page);
    };
    await send("");
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await page.goto("/");
    await send(card.text);
    const last = card.text.split(" ").at(-1) ?? "";
    await eventually(() => has(page, last), true);
    expect(posted).toEqual([]);
    // It is taken once: a reload keeps the draft that it has become.
    await page.reload();
    await isReady(page);
    await eventually(() => has(page, last), true);
  });

  test("takes nothing from a form that is in the tab already: undo brings it back", async () => {
    const page = await browser.open(MAIL);
    await control(page, "filters[0].from").fill("ada@site.example");
    await control(page, "filters[0].label").fill("Mine");
    const mine = async () => JSON.stringify(await shownInput(page))?.includes("Mine");
    await eventually(mine, true);
    await page.goto("/");
    await page.getByText("stays in your browser").waitFor();
    await page.getByLabel("Sender").fill("news@shop.example, @longreads.example");
    await page.getByRole("button", { name: "Filter it" }).click();
    await page.waitForURL(`**${MAIL}`);
    await eventually(() => focused(page), "filters[0].label");
    const senders = ["news@shop.example", "@longreads.example"];
    expect(await textsOf(page, "filters[0].from")).toEqual(senders);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await eventually(mine, true);
  });

  test("promises nothing where scripts do not run", async () => {
    const page = await browser.open("/", { javaScriptEnabled: false });
    expect(await page.getByText("stays in your browser").isVisible()).toBe(false);
    await page.getByLabel("Sender").fill("a@shop.example; @shop.example");
    await page.getByRole("button", { name: "Filter it" }).click();
    await page.waitForURL(`**${MAIL}`);
    expect(await textsOf(page, "filters[0].from")).toEqual(["a@shop.example", "@shop.example"]);
    expect(await status(page).textContent()).toContain("Choose what happens to it");
    expect(await page.locator("#outcome .sentence").textContent()).toBe(
      "Mail from a@shop.example or @shop.example …",
    );
    expect(await page.locator(".error, [aria-invalid=true]").count()).toBe(0);
  });
});
