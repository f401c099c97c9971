import { describe, expect, test } from "bun:test";
import { inChromium } from "./support/browser.ts";
import { openDetails } from "./support/in-page.ts";
import {
  COST,
  control,
  eventually,
  MAIL,
  MAIL_EXAMPLE,
  MCP,
  MCP_EXAMPLE,
  NO_PAGE,
  NOT_FOUND,
  notes,
  PAGES,
  shareHash,
  unfold,
} from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

const WIDTHS = [320, 390, 768, 1280, 1920];

/** Nowhere may the words be broken. */
const LONG = "x".repeat(200);

/** The pages as they are, and with the longest words that they have to bear. */
const SIGHTS = [
  ...PAGES.map((path) => ({ sight: path, path })),
  {
    sight: `${MAIL} with long words`,
    path: `${MAIL}${shareHash({ filters: [{ name: LONG.slice(120), from: [LONG, `${LONG.slice(20)}@x.example`], label: LONG }] })}`,
  },
  { sight: `${MAIL} with errors`, path: `${MAIL}?filters[0].from=-${LONG}` },
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

  const withSecret = `${MCP_EXAMPLE}&env[0].key=GITHUB_PERSONAL_ACCESS_TOKEN&env[0].value=x`;
  test.each(["/", "/docs", NO_PAGE, withSecret])(
    "%s fits a phone with letters of twice the size",
    async (path) => {
      if (path === NO_PAGE) browser.expectConsoleError(NOT_FOUND);
      const page = await browser.open(path, { viewport: { width: 390, height: 844 } });
      await openDetails(page);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      await eventually(() => page.evaluate(widthOfContent), { width: 390, wide: undefined });
      const isInBox = (e: Element) =>
        e.getBoundingClientRect().right <= (e.parentElement?.getBoundingClientRect().right ?? 0);
      const senders = page.locator(".mail > strong");
      for (const sender of await senders.all()) expect(await sender.evaluate(isInBox)).toBe(true);
    },
  );

  describe.each([
    { at: "a desk", options: { viewport: { width: 1280, height: 800 } } },
    {
      at: "a phone",
      options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ])("at $at", ({ options }) => {
    test.each([MAIL, COST, MCP])("%s has hints that cover nothing", async (path) => {
      const page = await browser.open(path, options);
      await unfold(page);
      expect(await page.evaluate(hintsThatCover)).toEqual([]);
    });

    test("a hint covers nothing below rows of which one has a message", async () => {
      const page = await browser.open(MAIL_EXAMPLE, options);
      await control(page, "filters[0].from").fill("-news");
      await control(page, "filters[0].label").focus();
      await notes(page, "filters[0].from[2]").locator(".error").waitFor();
      expect(await page.evaluate(hintsThatCover)).toEqual([]);
    });
  });

  test("in colours of the user a choice, the current page and the chart keep their marks", async () => {
    const page = await browser.open("/docs", { forcedColors: "active" });
    const outlines = await page
      .locator(".segments > label")
      .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).outlineStyle));
    expect(outlines).toEqual(["solid", "none", "none"]);
    const styleOf = (path: string, name: "borderBottomWidth" | "fill") =>
      page.locator(path).evaluate((element, name) => getComputedStyle(element)[name], name);
    expect(await styleOf("header [aria-current]", "borderBottomWidth")).toBe("3px");
    await page.goto("/");
    expect(await styleOf(".chart .area", "fill")).toBe("none");
  });

  test.each([768, 1440])("at %i the last row of cards is full", async (width) => {
    const page = await browser.open("/", { viewport: { width, height: 800 } });
    const right = (path: string) =>
      page.locator(path).evaluate((e) => e.getBoundingClientRect().right);
    expect(await right(".cards > :last-child")).toBeCloseTo(await right(".cards"), 0);
  });

  test.each(["/", MAIL_EXAMPLE])("%s has no motion for who wants none", async (path) => {
    const page = await browser.open(path, { reducedMotion: "reduce" });
    expect(await page.evaluate(movingElements)).toEqual([]);
  });
});

/** The width of the page, and the elements that are wider than the window. */
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

/** The hints that, while their field has the focus, cover another one or its ring, or leave their item. */
function hintsThatCover(): readonly string[] {
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const controls = [...document.querySelectorAll<HTMLElement>(".fields :is(input, select)")];
  const others = [
    ...document.querySelectorAll(".tool-form :is(input, select, button, label, legend)"),
  ].filter(isShown);
  return controls.filter(isShown).flatMap((control) => {
    control.focus();
    const hint = control.closest(".field")?.querySelector(":scope > .slot > .hint");
    if (!hint || !isShown(hint) || getComputedStyle(hint).visibility === "hidden") return [];
    const { top, right, bottom, left } = hint.getBoundingClientRect();
    const covered = others.filter((other) => {
      const box = other.getBoundingClientRect();
      const isBeside = box.bottom <= top + 1 || box.top >= bottom - 1;
      return !isBeside && box.left < right && box.right > left;
    });
    const item = control.closest(".item")?.getBoundingClientRect();
    const isOutside = item !== undefined && (bottom > item.bottom || left < item.left);
    const ring = control.getBoundingClientRect().bottom + 2;
    return covered.length > 0 || isOutside || top < ring
      ? [`${control.id}: ${hint.textContent}`]
      : [];
  });
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
