import { expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { faultsOfTabStops, openDetails } from "./support/in-page.ts";
import {
  COST,
  control,
  MAIL_EXAMPLE,
  MCP,
  NO_PAGE,
  NOT_FOUND,
  notes,
  PAGES,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A phone and a desk. */
const LOOKS = ([390, 1280] as const).map(
  (width) => ({ viewport: { width, height: 800 }, reducedMotion: "reduce" }) as const,
);

/** An input that each tool rejects. */
const PROBLEMS = [
  { path: MAIL_EXAMPLE, name: "filters[0].label", bad: "/" },
  { path: COST, name: "zaps[0].runs_per_month", bad: "often" },
  { path: MCP, name: "name", bad: "!" },
];

inChromium("nobody is left out", site.origin, (browser) => {
  /** What is wrong with a page in each look, after some steps. */
  const faultsOf = async (path: string, prepare: (page: Page) => Promise<unknown>) => {
    const found = LOOKS.map(async (look) => {
      const page = await browser.open(path, look);
      const byKeyboard = await prepare(page);
      await openDetails(page);
      const small = await page.evaluate(smallTexts);
      const inLight = await violationsOf(page, RULES);
      await page.emulateMedia({ colorScheme: "dark" });
      const inDark = await violationsOf(page, ["color-contrast"]);
      return { width: look.viewport.width, byKeyboard, small, inLight, inDark };
    });
    return await Promise.all(found);
  };
  const none = LOOKS.map(({ viewport: { width } }) => ({
    ...{ width, byKeyboard: [], small: [], inLight: [], inDark: [] },
  }));

  test.each([...PAGES, NO_PAGE])(
    "with %s: axe has no finding, the focus is seen wherever it is, and no letter is tiny",
    async (path) => {
      if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
      expect<unknown>(await faultsOf(path, faultsOfTabStops)).toEqual(none);
    },
  );

  test.each(PROBLEMS)("with a problem on $path", async ({ path, name, bad }) => {
    const found = await faultsOf(path, async (page) => {
      await control(page, name).fill(bad);
      await control(page, name).press("Enter");
      await notes(page, name).waitFor();
      return [];
    });
    expect<unknown>(found).toEqual(none);
  });
});

/** The broken rules, with their places. */
async function violationsOf(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  // The line at the bottom of a phone covers what is scrolled beneath it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // Only these are reported in full, which halves the work.
  const options = { runOnly: [...rules], resultTypes: ["violations" as const] };
  const { violations } = await axe.options(options).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
  );
}

/** The texts whose letters are smaller than 12 pixels. */
const smallTexts = () =>
  [...document.querySelectorAll("main *")]
    .filter(
      (element) =>
        element.checkVisibility() &&
        [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        ) &&
        Number.parseFloat(getComputedStyle(element).fontSize) < 12,
    )
    .map(({ textContent }) => textContent);
