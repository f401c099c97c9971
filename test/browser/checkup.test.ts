import { expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { clipboard, focused } from "./support/in-page.ts";
import { eventually, MAIL, shareHash } from "./support/page.ts";
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
      expect(await rows.filter({ visible: true }).count()).toBe(count);
    }
    await page.getByRole("radio", { name: "all", exact: true }).check();
    expect(await rows.filter({ visible: true }).count()).toBe(40);
  });

  test("is searched, by label too", async () => {
    const page = await open();
    const rows = page.locator("#checkup-list li");
    await page.getByLabel("Search the filters").fill("a17@x L1");
    await eventually(() => rows.filter({ visible: true }).count(), 1);
    expect(await page.locator("#checkup-list h4").filter({ visible: true }).count()).toBe(1);
  });

  test("leads to a filter, and Download stays in view", async () => {
    const page = await open();
    await page.locator("#checkup-list li a").nth(15).click();
    await eventually(async () => (await focused(page)).startsWith("filters["), true);
    expect(await page.locator("[data-file]").isVisible()).toBe(true);
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
