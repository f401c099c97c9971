import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, isReady } from "./support/browser.ts";
import { clipboard } from "./support/in-page.ts";
import {
  COST,
  COST_EXAMPLE,
  control,
  eventually,
  MAIL,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  readingError,
  rowButton,
  shareHash,
  shownInput,
  status,
  textsOf,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** A filter with a rare field, which is shown because it is filled in. */
const LARGE = `${MAIL}?filters[0].larger_than_mb=20&filters[0].label=Large`;

const LABEL = "filters[0].label";

/** The offer above everything else, which goes away. */
const undo = (page: Page) => page.locator(".bar").getByRole("button", { name: "Undo" });

const press = (page: Page, command: string) => rowButton(page, command).click();

const openFile = (page: Page, name: string, text: string) =>
  page
    .locator(".open input")
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function paste(page: Page, field: string, text: string): Promise<void> {
  await clipboard.write(page, text);
  await control(page, field).press("ControlOrMeta+V");
}

const EXPORT = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:apps="http://schemas.google.com/apps/2006"><entry><category term="filter"/><apps:property name="from" value="read@x.example"/><apps:property name="label" value="Read"/></entry></feed>`;

/** The ways to replace what is in a form. */
const REPLACED: readonly { how: string; done: string; act: (page: Page) => Promise<void> }[] = [
  { how: "removing a filter", done: "Removed.", act: (page) => press(page, "remove filters[0]") },
  { how: "remove", done: "Removed.", act: (page) => press(page, "remove filters[0].from[0]") },
  { how: "open", done: "Read 1 filter.", act: (page) => openFile(page, "mailFilters.xml", EXPORT) },
  {
    how: "paste",
    done: "Pasted.",
    act: (page) => paste(page, "filters[0].from", "one@x.example\ntwo@x.example"),
  },
  {
    how: "a link",
    done: "Opened the link.",
    act: (page) =>
      page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        shareHash({ filters: [{ from: ["b@x.example"], star: true }] }),
      ),
  },
];

inChromium("what is replaced", site.origin, (browser) => {
  const open = async () => {
    const page = await browser.open(MAIL_EXAMPLE, clipboard.permitted);
    await control(page, LABEL).fill("Mine");
    await eventually(async () => JSON.stringify(await shownInput(page)).includes("Mine"), true);
    return page;
  };

  test.each(REPLACED)("by $how comes back by Ctrl+Z, also after Redo", async ({ done, act }) => {
    const page = await open();
    const before = await shownInput(page);
    const isReplaced = async () => !Bun.deepEquals(await shownInput(page), before);
    await act(page);
    await page.locator(".bar", { hasText: done }).waitFor();
    await eventually(isReplaced, true);
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => shownInput(page), before);
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await eventually(isReplaced, true);
    // The focused control may be gone.
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => shownInput(page), before);
    expect(await control(page, LABEL).inputValue()).toBe("Mine");
  });

  test("comes back step by step, with the focus", async () => {
    const page = await open();
    const before = await shownInput(page);
    await rowButton(page, "remove filters[0].subject[1]").focus();
    await page.keyboard.press("Enter");
    await rowButton(page, "remove filters[0].subject[0]").press("Enter");
    await eventually(() => textsOf(page, "filters[0].subject"), []);
    await page.keyboard.press("ControlOrMeta+Z");
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => shownInput(page), before);
    const button = rowButton(page, "remove filters[0].subject[1]");
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("a field's own undo goes first, and the button does not lose what was typed", async () => {
    const page = await open();
    await press(page, "remove filters[0]");
    await eventually(() => control(page, LABEL).inputValue(), "");
    await control(page, "filters[0].from").pressSequentially("a");
    await page.keyboard.press("ControlOrMeta+Z");
    await eventually(() => control(page, "filters[0].from").inputValue(), "");
    expect(await control(page, LABEL).inputValue()).toBe("");
    await control(page, "filters[0].from").pressSequentially("b@x.example");
    const below = (intent: string) => page.locator(`.bar [value=${intent}]`).click();
    for (const intent of ["undo", "undo"]) await below(intent);
    await eventually(() => control(page, LABEL).inputValue(), "Mine");
    for (const intent of ["redo", "redo"]) await below(intent);
    await eventually(() => textsOf(page, "filters[0].from"), ["b@x.example"]);
  });

  test.each([
    [COST_EXAMPLE, "zaps[0].name"],
    [MCP_EXAMPLE, "name"],
  ])(
    "%s: what is typed after Clear goes into the first field, and back by the button that is there for it",
    async (path, name) => {
      const page = await browser.open(path);
      expect(await undo(page).count()).toBe(0);
      await press(page, "clear");
      await eventually(() => control(page, name).inputValue(), "");
      await page.keyboard.type("typed");
      expect(await control(page, name).inputValue()).toBe("typed");
      for (const _ of ["typed", "cleared"]) await undo(page).click();
      await eventually(() => undo(page).count(), 0);
    },
  );
});

inChromium("what is typed", site.origin, (browser) => {
  test.each([
    { path: LARGE, name: "filters[0].larger_than_mb", text: "51" },
    { path: COST, name: "zaps[0].runs_per_month", text: "1.5" },
    { path: MCP, name: "name", text: "my server" },
  ])("$path: is there after a reload, unfinished or not", async ({ path, name, text }) => {
    const page = await browser.open(path);
    await control(page, name).fill(text);
    await page.reload();
    await isReady(page);
    await eventually(() => control(page, name).inputValue(), text);
  });

  test("is there after a trip to another page, by Back and by a link", async () => {
    const page = await browser.open(MAIL);
    await control(page, LABEL).fill("Kept");
    await page.goto(COST);
    await page.goBack();
    await isReady(page);
    await eventually(() => control(page, LABEL).inputValue(), "Kept");
    await page.goto("/tools");
    await page.goto(MAIL);
    await isReady(page);
    await eventually(() => control(page, LABEL).inputValue(), "Kept");
  });

  test("is kept when a phone puts the page aside, for its tab only", async () => {
    const page = await browser.open(MAIL);
    await control(page, LABEL).fill("Kept");
    await page.evaluate(() =>
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
    );
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("Kept");
    const other = await page.context().newPage();
    await other.goto(MAIL);
    await isReady(other);
    expect(await control(other, LABEL).inputValue()).toBe("");
  });

  test("a link goes before it, and it comes back by Undo", async () => {
    const page = await browser.open(MAIL);
    await control(page, LABEL).fill("Kept");
    await page.goto("/tools");
    await page.goto(
      `${MAIL}${shareHash({ filters: [{ from: ["b@x.example"], label: "Linked" }] })}`,
    );
    await isReady(page);
    await eventually(() => control(page, LABEL).inputValue(), "Linked");
    await undo(page).click();
    await eventually(() => control(page, LABEL).inputValue(), "Kept");
  });

  test("of a server no secret stays in the tab, and the page says so", async () => {
    const page = await browser.open(MCP, clipboard.permitted);
    await paste(
      page,
      "name",
      JSON.stringify({ name: "pasted", command: "npx", args: ["-y"], note: "raw-text" }),
    );
    await eventually(() => control(page, "name").inputValue(), "pasted");
    for (const [place, text] of Object.entries({
      args: "--token\nopensesame",
      "env[0].key": "API_KEY",
      "env[0].value": "swordfish",
    })) {
      await control(page, place).fill(text);
    }
    await page.reload();
    await isReady(page);
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    for (const secret of ["swordfish", "opensesame", "raw-text"])
      expect(kept).not.toContain(secret);
    expect(await control(page, "env[0].key").inputValue()).toBe("API_KEY");
    expect(await control(page, "command").inputValue()).toBe("npx");
    const lost = page.getByText(/^Contains the placeholder "YOUR_/);
    // An argument, and a variable.
    await eventually(() => lost.count(), 2);
    await control(page, "env[0].value").fill("swordfish");
    await eventually(() => lost.count(), 1);
    expect(await page.locator(".privacy").textContent()).toContain(
      "except the values of variables",
    );
  });
});

inChromium("what cannot be taken", site.origin, (browser) => {
  test.each([
    [
      MAIL,
      "mailFilters.xml",
      "PK\u0003\u0004",
      "mailFilters.xml is a ZIP archive. Unpack it and use the mailFilters.xml in it. Nothing was changed.",
    ],
    [MAIL, "mailFilters.xml", "<html/>", "> Export. Nothing was changed."],
    [COST, "tasks.csv", "Name,Last run\nLead,3", "Nothing was changed."],
  ])("%s: a file is an error, and the form stays: %s %j", async (path, name, text, words) => {
    const page = await browser.open(path);
    const before = await shownInput(page);
    await openFile(page, name, text);
    const notice = readingError(page);
    await notice.waitFor();
    expect(await notice.textContent()).toEndWith(words);
    expect(await shownInput(page)).toEqual(before);
  });

  test("20,000 lines in a list are counted and not drawn", async () => {
    const page = await browser.open(MAIL, clipboard.permitted);
    const before = await shownInput(page);
    const lines = Array.from({ length: 20_000 }, (_, index) => `person${index}@site.example`);
    await paste(page, "filters[0].from", lines.join("\n"));
    const notice = readingError(page).getByText("20,000 lines; a list takes at most 1,000");
    await notice.waitFor();
    expect(await shownInput(page)).toEqual(before);
  });

  test("a file that is dragged over the page lands where a frame is drawn", async () => {
    const page = await browser.open(MAIL);
    const frame = () =>
      page.evaluate(() => getComputedStyle(document.body, "::after").borderTopStyle);
    const drag = (type: string, text: string) =>
      page.evaluate(
        ([kind = "", content = ""]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content], "mailFilters.xml"));
          document.body.dispatchEvent(
            new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }),
          );
        },
        [type, text],
      );
    expect(await frame()).toBe("none");
    await drag("dragover", EXPORT);
    expect(await frame()).toBe("dashed");
    await drag("drop", EXPORT);
    expect(await frame()).toBe("none");
    await status(page).getByText("Read 1 filter.").waitFor();
  });
});
