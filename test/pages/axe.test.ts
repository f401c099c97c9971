import { expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { inChromium } from "./browser.ts";
import { COST, MAIL, MCP, NO_PAGE, NOT_FOUND, PAGES } from "./pages.ts";
import { runningSite } from "./running-site.ts";
import { control, notes } from "./tool-page.ts";

const site = runningSite();

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Phone and desk. */
const WIDTHS = [390, 1280];

/** What each tool refuses. */
const PROBLEMS = [
  { path: MAIL, name: "filters[0].larger_than_mb", bad: "51" },
  { path: COST, name: "zaps[0].runs_per_month", bad: "often" },
  { path: MCP, name: "name", bad: "my server" },
];

inChromium("axe finds nothing wrong", site.origin, (browser) => {
  test.each([...PAGES, NO_PAGE])("with %s", async (path) => {
    if (path === NO_PAGE) browser.expectComplaint(NOT_FOUND);
    const page = await browser.open(path, { reducedMotion: "reduce" });
    expect(await violations(page)).toEqual([]);
  });

  test.each(PROBLEMS)("with a problem on $path and all details opened", async (problem) => {
    const { path, name, bad } = problem;
    const page = await browser.open(path, { reducedMotion: "reduce" });
    await control(page, name).fill(bad);
    await notes(page, name).locator(".error").waitFor();
    await unfold(page);
    expect(await violations(page)).toEqual([]);
  });
});

/** What breaks which rule, and where. Of the rules only the one of contrast tells light and dark apart. */
async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const axe = new AxeBuilder({ page }).setLegacyMode(true);
      const rules = colorScheme === "light" ? axe.withTags(RULES) : axe.withRules("color-contrast");
      const { violations } = await rules.analyze();
      const places = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
      );
      found.push(...places.map((place) => `${colorScheme}, ${width} wide: ${place}`));
    }
  }
  return found;
}

/** Opens all there is to open. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
