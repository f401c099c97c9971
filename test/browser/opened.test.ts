import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { compareMailFilters } from "../../src/mail-filter/index.ts";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { inChromium, isReady } from "./support/browser.ts";
import { control, eventually, MAIL, rowButton, shownInput, status } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** Of 58 filters the last five have one label, so that they can be merged. */
const EXPORT = gmailExport(
  ...Array.from({ length: 58 }, (_, index) => ({
    from: `a${index}@x.example`,
    label: index < 53 ? `L${index}` : "Shops",
  })),
);

const DOWNLOAD = "#result a[download]";

const openFile = (page: Page, text: string | Buffer) =>
  page
    .locator(".open input")
    .setInputFiles({ name: "mailFilters.xml", mimeType: "text/xml", buffer: Buffer.from(text) });

async function saved(page: Page, name: string | RegExp) {
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

const words = (page: Page) => status(page).locator(".summary").textContent();

inChromium("an opened export", site.origin, (browser) => {
  const open = async () => {
    const page = await browser.openAlone(MAIL);
    await openFile(page, EXPORT);
    await status(page).getByText("Read 58 filters.").waitFor();
    return page;
  };
  const openEdited = async () => {
    const page = await open();
    await rowButton(page, "open filters[3]").click();
    await control(page, "filters[3].label").fill("Other");
    await eventually(
      () => words(page),
      "1 changed filter to import, 1 old filter to delete in Gmail.",
    );
    return page;
  };

  test("has nothing to download until it changes, but the whole for another account", async () => {
    const page = await open();
    expect(await words(page)).toBe("Nothing to import: your Gmail has 58 filters already.");
    expect(await page.locator(DOWNLOAD).allTextContents()).toEqual(["the whole file, 58 filters"]);
    const { name, text } = await saved(page, "the whole file");
    expect(name).toBe("mailFilters.xml");
    expect(text.match(/<entry>/g)).toHaveLength(58);
  });

  test("gives what changed first, and names what to delete, over a reload too", async () => {
    const page = await openEdited();
    await page.reload();
    await isReady(page);
    await eventually(
      () => words(page),
      "1 changed filter to import, 1 old filter to delete in Gmail.",
    );
    expect(await page.locator(DOWNLOAD).first().textContent()).toBe("Download 1 changed filter");
    const { name, text } = await saved(page, "Download 1 changed filter");
    expect(name).toBe("new-filters.xml");
    expect(text.match(/<entry>/g)).toHaveLength(1);
    expect(text).toContain('value="Other"');
    expect(await page.locator("#gone").textContent()).toBe("from:(a3@x.example) -> label L3");
    const steps = await page.locator("#import-steps li").allTextContents();
    expect(steps[1]).toStartWith(
      "The other filters are already in your Gmail: this file has only the",
    );
    expect(steps.at(-1)).toBe("Only then delete by hand what is listed below: 1 old filter.");
  });

  test("gets one line for its domains without @, which one button fixes", async () => {
    const page = await browser.openAlone(MAIL);
    const names = Array.from({ length: 6 }, (_, index) => `a${index}.example`);
    const forwarded = { from: "b@x.example", forwardTo: "me@x.example" };
    await openFile(
      page,
      gmailExport(...names.map((from) => ({ from, label: "Shops" })), forwarded),
    );
    await page.getByText("6 filters name a domain without @, which").waitFor();
    // What works in Gmail already needs no advice.
    expect(await page.locator("#result .notes, .closed .notes > *").count()).toBe(0);
    await page.getByRole("button", { name: "Fix all" }).click();
    await eventually(
      () => words(page),
      "6 changed filters to import, 6 old filters to delete in Gmail.",
    );
    expect(Object(await shownInput(page)).filters[5].from).toEqual(["@a5.example"]);
    expect(await page.getByRole("button", { name: "Fix all" }).count()).toBe(0);
    await rowButton(page, "open filters[6]").click();
    await control(page, "filters[6].label").fill("Sent on");
    await page.locator("#result .notes").getByText("Filter 7, Forward to").waitFor();
  });

  test("suggests the labels of the other filters", async () => {
    const page = await openEdited();
    const list = await control(page, "filters[3].label").getAttribute("list");
    const labels = await page
      .locator(`[id="${list}"] option`)
      .evaluateAll((options) => options.map((option) => option.getAttribute("value")));
    expect(labels).toHaveLength(53);
    expect(labels).not.toContain("Other");
    expect(labels.at(-1)).toBe("Shops");
  });

  test("unfolds the steps once the file is saved", async () => {
    const page = await openEdited();
    const steps = page.locator("#import-steps li").first();
    expect(await steps.isVisible()).toBe(false);
    await saved(page, "Download 1 changed filter");
    await steps.waitFor();
    const settings = page.getByRole("link", { name: "Open Gmail’s filter settings" });
    expect(await settings.getAttribute("href")).toEndWith("#settings/filters");
    await control(page, "filters[3].label").fill("Another");
    await settings.waitFor({ state: "detached" });
  });

  test("is compared until the form is emptied, and again after Undo", async () => {
    const page = await openEdited();
    await rowButton(page, "clear").click();
    await page.locator(".bar [value=undo]").click();
    await eventually(
      () => words(page),
      "1 changed filter to import, 1 old filter to delete in Gmail.",
    );
    await openFile(page, "<html>");
    await status(page).getByText("it begins with <html>").waitFor();
    expect(await words(page)).toStartWith("1 changed filter to import");
    await page.getByRole("button", { name: "Receipts", exact: true }).click();
    await eventually(
      () => words(page),
      "1 new and 1 changed filter to import, 1 old filter to delete in Gmail.",
    );
  });

  test("keeps edits in a merge, which has the new filters first and one download", async () => {
    const page = await openEdited();
    await page.getByRole("button", { name: "Merge 5 of them into 1" }).click();
    const merged = "2 new filters to import, 6 old filters to delete in Gmail.";
    await eventually(() => words(page), merged);
    await page.locator(".bar").getByText("58 filters became 54.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      "Download 2 new filters",
    );
    const input = await shownInput(page);
    expect(Object(input).filters).toHaveLength(54);
    expect(Object(input).filters[0].from).toHaveLength(5);
    expect(await page.locator(DOWNLOAD).allTextContents()).toEqual(["Download 2 new filters"]);
    expect(await page.locator(".offer button").count()).toBe(0);
    expect((await page.locator("#gone").textContent())?.split("\n")).toEqual(
      compareMailFilters(Object(input), EXPORT).only_in_gmail.slice(),
    );
    await page.reload();
    await isReady(page);
    await eventually(() => words(page), merged);
    expect(await page.locator(".offer button").count()).toBe(0);
  });

  test("may be in UTF-16", async () => {
    const page = await browser.openAlone(MAIL);
    await openFile(page, Buffer.from(`\uFEFF${EXPORT}`, "utf16le"));
    await status(page).getByText("Read 58 filters.").waitFor();
  });
});
