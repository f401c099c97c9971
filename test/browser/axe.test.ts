import { expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { inChromium } from "./support/browser.ts";
import { openDetails } from "./support/in-page.ts";
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

inChromium("axe finds nothing wrong", site.origin, (browser) => {
  /** The findings in each look of a page, after some steps. */
  const violations = async (path: string, prepare = async (_: Page) => {}) => {
    const found = LOOKS.map(async (look) => {
      const page = await browser.open(path, look);
      await prepare(page);
      const inLight = await violationsOf(page, RULES);
      await page.emulateMedia({ colorScheme: "dark" });
      const inDark = await violationsOf(page, ["color-contrast"]);
      return { width: look.viewport.width, inLight, inDark };
    });
    const looks = await Promise.all(found);
    return looks.filter(({ inLight, inDark }) => inLight.length + inDark.length > 0);
  };

  test.each([...PAGES, NO_PAGE])("with %s", async (path) => {
    if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
    expect(await violations(path)).toEqual([]);
  });

  test.each(PROBLEMS)("with a problem on $path and all details opened", async (problem) => {
    const { path, name, bad } = problem;
    const found = await violations(path, async (page) => {
      await control(page, name).fill(bad);
      await control(page, name).press("Enter");
      await notes(page, name).waitFor();
      await openDetails(page);
    });
    expect(found).toEqual([]);
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
