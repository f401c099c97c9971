import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { compareMailFilters, parseMailFilters } from "../../src/mail-filter/index.ts";
import { gmailExport } from "../src/mail-filter/gmail-export.ts";
import { inChromium, isReady } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import {
  control,
  eventually,
  MAIL,
  rowButton,
  shareHash,
  shownInput,
  status,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** Of 58 filters the last five have one label, so that they can be merged. */
const EXPORT = gmailExport(
  ...Array.from({ length: 58 }, (_, index) => ({
    from: `a${index}@x.example`,
    label: index < 53 ? `L${index}` : "Shops",
  })),
);

const DOWNLOAD = "#download";

const openFile = (page: Page, text: string | Buffer, name = "mailFilters.xml") =>
  page
    .locator(".start input[type=file]")
    .setInputFiles({ name, mimeType: "text/xml", buffer: Buffer.from(text) });

async function saved(page: Page, selector: string) {
  const coming = page.waitForEvent("download");
  await page.locator(selector).press("Enter");
  const file = await coming;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/** The filters of the whole file: there is no link to an opened export. */
async function shownFilters(page: Page) {
  await page.getByText("For another account").click();
  return parseMailFilters((await saved(page, "#whole-file a[download]")).text).filters;
}

const words = (page: Page) => status(page).locator(".summary").textContent();

const CHANGED = "1 changed";

inChromium("an opened export", site.origin, (browser) => {
  const open = async () => {
    const page = await browser.open(MAIL, clipboard.permitted);
    await openFile(page, EXPORT);
    await status(page).getByText("Read 58 filters.").waitFor();
    await page.getByRole("button", { name: "Undo: Read 58 filters.", exact: true }).waitFor();
    return page;
  };
  const edit = async (page: Page) => {
    await rowButton(page, "open filters[3]").click();
    await control(page, "filters[3].label").fill("Other");
    await eventually(() => words(page), CHANGED);
  };
  const openEdited = async () => {
    const page = await open();
    await edit(page);
    return page;
  };
  const view = (page: Page, name: string) =>
    page.locator(".views label").filter({ hasText: new RegExp(`^ ?${name}$`) });
  const shown = (page: Page) => page.locator("#filters > li").filter({ visible: true });

  test("gives what changed first, and what to delete, over a reload too", async () => {
    const page = await open();
    expect(await page.locator(".todo").textContent()).toBe("Your Gmail has 58 filters");
    expect(await page.locator(DOWNLOAD).count()).toBe(0);
    await edit(page);
    const list = await control(page, "filters[3].label").getAttribute("list");
    const labels = await page
      .locator(`[id="${list}"] option`)
      .evaluateAll((options) => options.map((option) => option.getAttribute("value")));
    expect([labels.length, labels.includes("Other"), labels.at(-1)]).toEqual([53, false, "Shops"]);
    // A link would import again what Gmail has.
    expect(await page.locator("#share").count()).toBe(0);
    await Bun.sleep(600);
    expect(new URL(page.url()).hash).toBe("");
    await page.reload();
    await isReady(page);
    await eventually(() => words(page), CHANGED);
    expect(await page.locator(".todo").textContent()).toBe("Import 1, then delete 1");
    expect(await page.locator(DOWNLOAD).textContent()).toBe("Download 1");
    const { name, text } = await saved(page, DOWNLOAD);
    expect(name).toBe("new-filters.xml");
    expect(text.match(/<entry>/g)).toHaveLength(1);
    expect(text).toContain('value="Other"');
    await eventually(() => focused(page), "gmail-settings");
    expect((await page.locator(":focus").boundingBox())?.y).toBeWithin(1, 720);
    const steps = await page.locator(".steps > li").allInnerTexts();
    expect(steps).toHaveLength(3);
    expect(steps[0]).toStartWith("Open Gmail’s filter settings");
    expect(steps[1]).toMatch(
      /^Import the file\.\s+Choose Import filters, .*"Apply new filters to/s,
    );
    expect(steps[2]).toStartWith("Delete this one by hand. An import replaces nothing.");
    expect((await page.locator("#gone").boundingBox())?.y).toBeWithin(1, 600);
    expect(await shownFilters(page)).toHaveLength(58);
    expect(await page.locator("#gone code").allTextContents()).toEqual(["from:(a3@x.example)"]);
    await page.getByRole("button", { name: "Copy the list" }).click();
    await eventually(() => clipboard.read(page), "from:(a3@x.example) -> label L3 · was changed");
  });

  test("has numbers that agree, and its old filters in the order of the file", async () => {
    const page = await openEdited();
    await rowButton(page, "open filters[1]").click();
    await rowButton(page, "remove filters[1]").click();
    // The focus goes to the next filter.
    await eventually(() => page.locator(":focus").getAttribute("value"), "open filters[2]");
    await rowButton(page, "add filters").click();
    await control(page, "filters[58].from").fill("new@x.example");
    await control(page, "filters[58].label").fill("New");
    await eventually(() => words(page), "1 changed, 1 added, 1 removed");
    expect(await page.locator(DOWNLOAD).textContent()).toBe("Download 2");
    expect(await page.locator(".todo").textContent()).toBe("Import 2, then delete 2");
    expect(await page.locator("#gone code").allTextContents()).toEqual(
      ["a1", "a3"].map((name) => `from:(${name}@x.example)`),
    );
    await view(page, "Changed 1").click();
    await eventually(() => page.locator("#filters > .closed:visible .mark.changed").count(), 1);
    await view(page, "Added 1").click();
    await eventually(() => page.locator("#filters > .closed:visible .mark.added").count(), 1);
  });

  test("ends the list to delete well, or gives a filter back", async () => {
    const page = await open();
    for (const name of ["filters[1]", "filters[2]"]) {
      await rowButton(page, `open ${name}`).click();
      await rowButton(page, `remove ${name}`).click();
    }
    expect(await page.locator("#gone small").allTextContents()).toEqual([
      "label L1 · was removed",
      "label L2 · was removed",
    ]);
    const end = "Done: your Gmail has 56 filters.";
    const title = () => page.locator(".todo").textContent();
    const ticks = page.locator("#gone input");
    await ticks.first().check();
    await page.locator(".to-delete").getByText("1 of 2 deleted.").waitFor();
    expect(await title()).toBe("Delete 2");
    await ticks.last().check();
    await eventually(title, end);
    await eventually(() => page.locator("#announcer").textContent(), end);
    // More to import is more to do.
    await rowButton(page, "open filters[3]").click();
    await control(page, "filters[3].label").fill("Other");
    await eventually(title, "Import 1, then delete 3");
    await ticks.last().check();
    await eventually(title, end);
    await rowButton(page, "undo").click();
    await eventually(title, "Delete 2");
    await page.getByRole("button", { name: "Put back from:(a1@x.example)" }).click();
    await eventually(() => words(page), "1 removed");
    await rowButton(page, "open filters[58]").waitFor({ state: "detached" });
    expect(await control(page, "filters[58].label").inputValue()).toBe("L1");
  });

  test("shows in forced colours what is chosen, and what is changed and not new", async () => {
    const page = await openEdited();
    await rowButton(page, "add filters").click();
    await control(page, "filters[58].from").fill("new@x.example");
    await control(page, "filters[58].label").fill("New");
    await rowButton(page, "close filters[58]").click();
    await page.emulateMedia({ forcedColors: "active" });
    const chosen = page.locator(".views label", { has: page.locator(":checked") });
    expect(await chosen.evaluate((label) => getComputedStyle(label).outlineStyle)).toBe("solid");
    const edges = () =>
      page
        .locator(".mark")
        .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).borderWidth));
    await eventually(edges, ["4px", "2px"]);
  });

  test("has a view of its domains without @, which one button fixes", async () => {
    const page = await browser.open(MAIL);
    const names = Array.from({ length: 6 }, (_, index) => `a${index}.example`);
    const forwarded = { from: "b@x.example", forwardTo: "me@x.example" };
    // An unchanged example gives way to the file.
    await page.getByRole("button", { name: "Show this example" }).click();
    await control(page, "filters[0].label").waitFor();
    await openFile(
      page,
      gmailExport(...names.map((from) => ({ from, label: "Shops" })), forwarded),
    );
    await rowButton(page, "open filters[0]").click();
    const note = page.locator('[id="filters[0].from[0]:notes"]').getByText("write @a0.example");
    await note.waitFor();
    await view(page, "To fix 6").click();
    await page.getByText("6 filters have a domain without @.").waitFor();
    expect(await shown(page).count()).toBe(6);
    await rowButton(page, "open filters[0]").click();
    await control(page, "filters[0].from").waitFor();
    // The note above the list says it.
    expect(await note.count()).toBe(0);
    await rowButton(page, "close filters[0]").click();
    // What works in Gmail already needs no advice.
    expect(await page.locator("#result .notes").count()).toBe(0);
    await page.getByRole("button", { name: "Fix all 6" }).click();
    await eventually(() => words(page), "6 added, 6 removed");
    expect((await shownFilters(page))[5]?.from).toEqual(["@a5.example"]);
    await rowButton(page, "open filters[6]").click();
    const title = control(page, "filters[6].name");
    expect(await title.getAttribute("placeholder")).toBe("from b@x.example");
    await control(page, "filters[6].label").fill("Sent on");
    await page.locator('[id="filters[6].forward_to:notes"] > *').waitFor();
  });

  test("has views of what could be better, and removes a repeat of which both are shown", async () => {
    const page = await browser.open(MAIL);
    const names = ["a.example", "@b.example", "@c.example", "@d.example", "@b.example"];
    await openFile(page, gmailExport(...names.map((from) => ({ from, label: `L${from}` }))));
    await view(page, "To fix 1").click();
    await eventually(() => shown(page).count(), 1);
    await view(page, "Same twice 2").click();
    await eventually(() => shown(page).count(), 2);
    await page.getByText("but you delete 1 more by hand").waitFor();
    // A view is no change.
    await page.getByRole("button", { name: "Remove 1 repeat" }).click();
    await eventually(() => words(page), "1 repeat removed");
    const gone = page.locator("#gone li");
    await eventually(() => gone.count(), 1);
    expect(await gone.innerText()).toContain("Gmail has it more than once: keep one");
    await rowButton(page, "undo").click();
    await eventually(() => words(page), "No changes");
  });

  test("is compared until it is closed, and again after Undo", async () => {
    const page = await openEdited();
    await rowButton(page, "clear").click();
    await eventually(() => words(page), "Start with a sender");
    await page.locator(".bar [value=undo]").click();
    await eventually(() => words(page), CHANGED);
    await openFile(page, "<html>", "page.html");
    await page
      .locator("#reading")
      .getByText(/^page.html is not Gmail's export .*it begins with <html>\. Export the filters/)
      .waitFor();
    expect(await words(page)).toBe(CHANGED);
  });

  test("opened again is open already; another one replaces the filters or is added", async () => {
    const page = await openEdited();
    await openFile(page, Buffer.from(`\uFEFF${EXPORT}`, "utf16le"));
    await page.locator("#reading.info").getByText("mailFilters.xml is open already.").waitFor();
    expect(await status(page).innerText()).toBe(CHANGED);
    const other = gmailExport({ from: "z@x.example", label: "Z" });
    await openFile(page, other, "other.xml");
    const question = page.getByText("other.xml has 1 filter. Replace yours, or add to them?");
    await question.waitFor();
    // The question says it: the bar does not say it again.
    expect(await status(page).innerText()).toBe(CHANGED);
    for (const keep of [
      () => page.getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
    ]) {
      await eventually(() => page.locator(":focus").getAttribute("value"), "close file");
      await keep();
      await eventually(() => question.count(), 0);
      expect(await words(page)).toBe(CHANGED);
      await openFile(page, other, "other.xml");
    }
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await eventually(() => words(page), "1 changed, 1 added");
    await openFile(page, gmailExport({ from: "y@x.example", label: "Y" }), "last.xml");
    // A broken file is no answer.
    await openFile(page, "<html>", "page.html");
    await page.locator("#reading").waitFor();
    await page.getByRole("button", { name: "Replace" }).click();
    await eventually(() => words(page), "No changes");
    expect(await page.locator(".start strong").textContent()).toBe("last.xml");
    expect(await shownFilters(page)).toHaveLength(1);
  });

  test("takes from another file what is new, and has its own name and number", async () => {
    const page = await open();
    const known = { from: "a1@x.example", label: "L1" };
    await openFile(page, gmailExport(known, { from: "z@x.example", label: "Z" }), "second.xml");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await status(page).getByText("From second.xml, 1 there already.").waitFor();
    expect(await words(page)).toBe("1 added");
    const start = page.locator(".start");
    expect(await start.locator("strong").textContent()).toBe("mailFilters.xml");
    expect(await start.getByText("58 filters", { exact: true }).count()).toBe(1);
    await page.getByPlaceholder("Search 59 filters").waitFor();
  });

  test("keeps its views while a filter is unfinished, and says what to do first", async () => {
    const page = await open();
    await rowButton(page, "add filters").click();
    await control(page, "filters[58].label").fill("Later");
    await rowButton(page, "close filters[58]").click();
    await eventually(() => words(page), "Fix 1 problem");
    await view(page, "Can be merged 5").click();
    expect(await page.getByRole("button", { name: "Merge 5 into 1" }).isDisabled()).toBe(true);
    expect(await page.locator(".bar .primary").count()).toBe(0);
    // Filters have no numbers in the list.
    expect(await page.locator("#problems").innerText()).toStartWith("Later: ");
    await openFile(page, gmailExport({ from: "z@x.example", label: "Z" }), "second.xml");
    await page.getByText("second.xml has 1 filter.").waitFor();
    expect(await view(page, "Can be merged 5").count()).toBe(1);
    await page.getByRole("link", { name: "finish this filter" }).click();
    await eventually(() => page.locator("#filters > .item:not(.closed)").count(), 1);
  });

  test("merges one group or all, each in the place of its first filter, and leaves repeats alone", async () => {
    const page = await browser.openAlone(MAIL);
    const senders = ["a", "b", "d", "c", "e", "e"].map((name) => `${name}@x.example`);
    await openFile(
      page,
      gmailExport(...senders.map((from, at) => ({ from, label: at < 4 ? `L${at % 2}` : "E" }))),
    );
    await view(page, "Can be merged 4").click();
    await eventually(
      () => shown(page).locator(".what").allInnerTexts(),
      ["from a@x.example, d@x.example", "from b@x.example, c@x.example"],
    );
    await page.getByText("but you delete 4 more by hand").waitFor();
    // A group is found by any of its filters; an open one is beside the others of its group.
    await page.locator("#find").fill("d@x");
    await eventually(() => shown(page).locator(".what").count(), 1);
    await page.locator("#find").fill("");
    await rowButton(page, "open filters[0]").click();
    await eventually(
      () => shown(page).locator(".what").allInnerTexts(),
      ["from b@x.example, c@x.example", "from d@x.example"],
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Merge 2 into 1" }).last().click();
    await eventually(() => words(page), "2 merged into 1");
    expect(await focused(page)).toBe("all-groups");
    await page.getByRole("button", { name: "Merge 2 into 1" }).click();
    await eventually(() => words(page), "4 merged into 2");
    expect(await shown(page).locator(".what").allInnerTexts()).toEqual([
      "from a@x.example, d@x.example",
      "from b@x.example, c@x.example",
      ...["from e@x.example", "from e@x.example"],
    ]);
    await view(page, "Same twice 2").click();
    await page.getByRole("button", { name: "Remove 1 repeat" }).click();
    await eventually(() => words(page), "4 merged into 2, 1 repeat removed");
    expect(await page.locator(".todo").textContent()).toBe("Import 2, then delete 5");
    const gone = await page.locator("#gone small").allTextContents();
    expect(gone.slice(0, 4).every((text) => text.endsWith(" · was merged"))).toBe(true);
    expect(await page.getByRole("button", { name: /^Put back/ }).count()).toBe(1);
  });

  test("keeps edits in a merge", async () => {
    const page = await openEdited();
    await view(page, "Can be merged 5").click();
    await eventually(async () => (await shown(page).count()) < 10, true);
    await page.getByText("exactly as before, but you delete 5 more by hand.").waitFor();
    expect(await page.locator("#gone li").count()).toBe(1);
    await page.getByRole("button", { name: "Merge 5 into 1" }).click();
    await page.locator(".bar").getByText("58 filters became 54.").waitFor();
    await page.locator(".bar [value=undo]").click();
    await eventually(() => words(page), CHANGED);
    expect(await page.locator(".bar [value=undo]:focus").count()).toBe(1);
    await page.getByRole("button", { name: "Merge 5 into 1" }).click();
    await page.locator(".bar").getByText("58 filters became 54.").waitFor();
    expect(await words(page)).toBe("1 changed, 5 merged into 1");
    expect(await focused(page)).toBe("summary");
    expect(await page.locator(DOWNLOAD).textContent()).toBe("Download 2");
    const filters = await shownFilters(page);
    expect(filters).toHaveLength(54);
    expect(filters[53]?.from).toEqual([53, 54, 55, 56, 57].map((n) => `a${n}@x.example`));
    const { only_in_gmail } = compareMailFilters({ filters }, EXPORT);
    expect(only_in_gmail).toHaveLength(6);
    expect(await page.locator("#gone li").count()).toBe(only_in_gmail.length);
    await page.reload();
    await isReady(page);
    await eventually(() => page.locator(DOWNLOAD).textContent(), "Download 2");
  });

  test("says what it could not read, as long as it is open", async () => {
    const page = await browser.open(MAIL);
    await openFile(
      page,
      gmailExport(
        { subject: "[JIRA-1]", label: "Jira" },
        { from: "f@x.example", label: "" },
        { from: "a@x.example", label: "A" },
      ),
    );
    // A search in one field is shown as that field.
    await eventually(() => shown(page).first().locator(".what").innerText(), "subject [JIRA-1]");
    await page.getByText("Not read: 1 more. An import leaves them in Gmail").waitFor();
    await page.getByText("Entry 2 (“f@x.example”) does nothing").waitFor();
  });
});

const FILTERS = Array.from({ length: 40 }, (_, index) => ({
  from: [`a${index % 39}@x.example`],
  label: `L${index % 4}`,
  ...(index % 10 === 0 && { forward_to: "me@x.example" }),
  ...(index % 20 === 5 && { delete: true }),
}));

inChromium("a long list of filters", site.origin, (browser) => {
  const open = () => browser.open(`${MAIL}${shareHash({ filters: FILTERS })}`, clipboard.permitted);
  /** The rows that are shown, without the open card. */
  const rows = (page: Page) => page.locator("#filters > .closed").filter({ visible: true });

  test("has a view of each kind, and a search by label too", async () => {
    const page = await open();
    await eventually(() => rows(page).count(), 39);
    const heights = await rows(page).evaluateAll((all) => all.map((row) => row.clientHeight));
    expect(new Set(heights).size).toBe(1);
    await rowButton(page, "close filters[0]").click();
    for (const [kind, count] of [
      ["Forwards mail", 4],
      ["Deletes mail", 2],
      ["All", 40],
    ] as const) {
      await page.getByRole("radio", { name: `${kind} ${count}` }).check();
      await eventually(() => rows(page).count(), count);
    }
    await page.getByLabel("Search the filters").fill("a17@x L1");
    await eventually(() => rows(page).count(), 1);
    // The others are still part of the form.
    expect(Object(await shownInput(page)).filters).toHaveLength(40);
  });

  test("has the result of a filter in its card, which Escape closes, and another view", async () => {
    const page = await open();
    await rowButton(page, "open filters[15]").click();
    await eventually(() => focused(page), "filters[15].from");
    await page.locator(".item .sentence").getByText("from a15@x.example").waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => page.locator(".item .sentence").count(), 0);
    await eventually(() => page.locator(":focus").getAttribute("value"), "open filters[15]");
    await page.keyboard.press("Enter");
    await page.locator(".item .sentence").waitFor();
    await page.getByRole("radio", { name: "Deletes mail 2" }).check();
    await eventually(() => page.locator("#filters > .item:not(.closed)").count(), 0);
    expect(await rows(page).count()).toBe(2);
  });

  test("has a message of several filters in one line, with their conditions", async () => {
    const page = await open();
    const line = page.locator("#result > .notes > li").filter({ hasText: "to Trash" });
    await eventually(() => line.count(), 1);
    expect(await line.textContent()).toStartWith(
      "from a5@x.example, Delete; from a25@x.example, Delete: ",
    );
    await line.getByRole("link").first().click();
    await eventually(() => focused(page), "filters[5].delete");
  });

  test("is searched by the / key, until that is switched off", async () => {
    const page = await open();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    await eventually(() => focused(page), "find");
    await page.getByText("Keys", { exact: true }).click();
    await page.getByLabel("/ searches a long list").uncheck();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    expect(await focused(page)).not.toBe("find");
  });

  test("is copied as sentences, and its rows are printed", async () => {
    const page = await open();
    await page.getByText("All 40 as sentences").click();
    await page.getByRole("button", { name: "Copy: Sentences" }).click();
    await eventually(async () => (await clipboard.read(page)).split("\n").length, 40);
    await page.emulateMedia({ media: "print" });
    expect(await rows(page).count()).toBe(39);
    expect(await page.locator("#filters .what").first().isVisible()).toBe(true);
  });
});
