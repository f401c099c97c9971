import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import { control, eventually, MAIL, shareHash } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const FILTERS = Array.from({ length: 40 }, (_, index) => ({
  from: [`a${index % 39}@x.example`],
  label: `L${index % 4}`,
  ...(index % 10 === 0 && { forward_to: "me@x.example" }),
  ...(index % 20 === 5 && { delete: true }),
}));

inChromium("a checkup of an export", site.origin, (browser) => {
  const open = () =>
    browser.openAlone(`${MAIL}${shareHash({ filters: FILTERS })}`, clipboard.permitted);

  test("counts each kind, and a count shows its filters", async () => {
    const page = await open();
    const rows = page.locator("#checkup-list li");
    await eventually(() => rows.count(), 40);
    for (const [kind, count] of [
      ["forward", 4],
      ["delete", 2],
    ] as const) {
      await page.getByRole("radio", { name: `${count} ${kind}` }).check();
      await eventually(() => rows.filter({ visible: true }).count(), count);
    }
    await page.getByRole("radio", { name: "all", exact: true }).check();
    await eventually(() => rows.filter({ visible: true }).count(), 40);
  });

  test("is searched, by label too", async () => {
    const page = await open();
    const rows = page.locator("#checkup-list li");
    await page.getByLabel("Search the filters").fill("a17@x L1");
    await eventually(() => rows.filter({ visible: true }).count(), 1);
    expect(await page.locator("#checkup-list h4").filter({ visible: true }).count()).toBe(1);
  });

  test("of a file counts what could be merged and what does nothing, until it changes", async () => {
    const page = await browser.openAlone(MAIL);
    const entry = (from: string, action: string, value: string) =>
      `<entry><apps:property name='from' value='${from}'/><apps:property name='${action}' value='${value}'/></entry>`;
    const entries = [
      ...["a@x.example", "b@x.example"].map((from) => entry(from, "label", "A")),
      ...["c@x.example", "d@x.example"].map((from) => entry(from, "shouldTrash", "true")),
      entry("e@x.example", "forwardTo", "me@x.example"),
      entry("f@x.example", "label", ""),
    ];
    await page.locator(".open input").setInputFiles({
      name: "mailFilters.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(
        `<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>${entries.join("")}</feed>`,
      ),
    });
    const rows = page.locator("#checkup-list li").filter({ visible: true });
    for (const [kind, count, words] of [
      ["could be merged", 4, "a@x.example"],
      ["do nothing", 1, "Filter 6 of the file does nothing in Gmail"],
    ] as const) {
      await page.getByRole("radio", { name: `${count} ${kind}` }).check();
      expect(await rows.count()).toBe(count);
      expect(await rows.first().textContent()).toContain(words);
    }
    await page.locator('button[value="remove filters[4]"]').click();
    await page.getByRole("radio", { name: "4 could be merged" }).waitFor();
    await control(page, "filters[0].label").fill("B");
    await page.getByRole("radio", { name: "2 could be merged" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(".bar [value=undo]").click();
    await page.getByRole("radio", { name: "2 could be merged" }).waitFor();
    expect(await page.getByRole("radio", { name: "1 do nothing" }).count()).toBe(1);
  });

  test("leads to a filter, and Download stays in view", async () => {
    const page = await open();
    await page.locator("#checkup-list li a").nth(15).click();
    await eventually(async () => (await focused(page)).startsWith("filters["), true);
    expect(await page.locator("#result a[download]").isVisible()).toBe(true);
  });

  test("is copied as text, and printed", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Copy: the checkup" }).click();
    await eventually(
      async () =>
        (await clipboard.read(page)).split("\n")[0]?.startsWith("40 filters: 4 forward, 2 delete"),
      true,
    );
    expect((await clipboard.read(page)).split("\n- ").length).toBe(41);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#checkup-list li").filter({ visible: true }).count()).toBe(40);
    expect(await page.getByText("4 forward", { exact: true }).isVisible()).toBe(true);
  });
});
