import { describe, expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { openDetails } from "./support/in-page.ts";
import {
  ALL_DOCS,
  COST,
  eventually,
  MAIL,
  MCP,
  NO_PAGE,
  NOT_FOUND,
  PAGES,
  shareHash,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const WIDTHS = [320, 390, 768, 1280, 1920];

/** Nowhere may the words be broken. */
const LONG = "x".repeat(200);

/** The pages as they are, and with the longest words that they have to bear. */
const SIGHTS = [
  ...PAGES.map((path) => ({ sight: path, path })),
  { sight: ALL_DOCS, path: ALL_DOCS },
  {
    sight: `${MAIL} with long words`,
    path: `${MAIL}${shareHash({ filters: [{ name: LONG.slice(120), from: [LONG, `${LONG.slice(20)}@x.example`], label: LONG }] })}`,
  },
  { sight: `${MAIL} with errors`, path: `${MAIL}?filters[0].from[0]=-${LONG}` },
  {
    sight: `${COST} with long words`,
    path: `${COST}${shareHash({ zaps: [{ name: LONG, action_steps: 100, runs_per_month: 10_000_000 }] })}`,
  },
  {
    sight: `${MCP} with long words`,
    path: `${MCP}${shareHash({ name: LONG.slice(136), command: LONG, args: [LONG], env: { [LONG.slice(100)]: LONG } })}`,
  },
];

inChromium("a page", site.origin, (browser) => {
  test.each([...PAGES, NO_PAGE])("%s shows all of it without a console error", async (path) => {
    if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
    const page = await browser.open(path);
    await openDetails(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    const icon = (await page.locator("link[rel=icon][type]").getAttribute("href")) ?? "";
    const answer = await site.fetch(icon);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("image/svg+xml");
  });

  test.each(SIGHTS)("$sight is as wide as the window", async ({ path }) => {
    const page = await browser.open(path);
    // An input in the hash is asked for when the page is there.
    if (path.includes("#")) await page.waitForLoadState("networkidle");
    await openDetails(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(() => page.evaluate(widthOfContent), { width, wide: undefined });
    }
  });

  describe("for who wants no motion", () => {
    test.each(PAGES)("%s has none", async (path) => {
      const page = await browser.open(path, { reducedMotion: "reduce" });
      expect(await page.evaluate(movingElements)).toEqual([]);
    });
  });
});

/** How wide the page is, and what makes it wider than the window. */
function widthOfContent() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isHeld = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).overflowX !== "visible" || isHeld(element.parentElement));
  const wide = [...document.body.querySelectorAll("*")].find(
    (element) =>
      element.getBoundingClientRect().right > clientWidth + 1 && !isHeld(element.parentElement),
  );
  return { width: scrollWidth, wide: wide?.outerHTML.slice(0, 200) };
}

function movingElements(): readonly string[] {
  const seconds = (times: string) =>
    Math.max(...times.split(",").map((time) => Number.parseFloat(time)));
  return [...document.querySelectorAll("*")]
    .filter((element) => {
      const style = getComputedStyle(element);
      const isMoving =
        seconds(style.transitionDuration) > 0.01 ||
        (style.animationName !== "none" && seconds(style.animationDuration) > 0.01);
      return isMoving || style.scrollBehavior === "smooth";
    })
    .map((element) => element.outerHTML.slice(0, 100));
}
