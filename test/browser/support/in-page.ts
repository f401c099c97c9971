import type { BrowserContextOptions, Page } from "playwright-core";

/*
 * Steps and questions of the tests within a page, by scripts that run there. `page.ts` has none that
 * need the DOM's types, because Lighthouse's run, which is checked without them, imports it.
 */

/** The id of the element that has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id ?? "");

/** Presses the Tab key until the focus is on the element; fails when it goes round without it. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`No Tab key leads to ${selector}`);
}

/** Replaces the text of the focused control. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Problems of the elements where the Tab key stops, from the page's start to its end. */
export async function faultsOfTabStops(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const fault = await page.evaluate(faultOfFocus);
    if (fault === undefined) return stop > 0 ? faults : ["the Tab key leads nowhere"];
    if (fault !== "") faults.push(fault);
  }
  return [...faults, "the Tab key comes to no end"];
}

/** Opens all folds of a page. */
export const openDetails = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

export const clipboard = {
  /** A profile that lets pages use the clipboard. */
  permitted: { permissions: ["clipboard-read", "clipboard-write"] } satisfies BrowserContextOptions,
  read: (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText()),
  write: (page: Page, text: string): Promise<void> =>
    page.evaluate((written) => navigator.clipboard.writeText(written), text),
};

/** Stops the page's clock: from now on its time passes by `page.clock.runFor()` alone. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  // Later than a slow machine needs to get here.
  await page.clock.pauseAt(10_000);
}

/** More stops than any page has. */
const MOST_STOPS = 300;

/** The problem of the focused element; undefined without one. */
function faultOfFocus(): string | undefined {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  // A switch may show it around its words, a card around all of it, a list around its box.
  const styles = [
    getComputedStyle(element),
    getComputedStyle(element, "::after"),
    ...[element.closest("label, .tokens")].flatMap((label) =>
      label ? [getComputedStyle(label)] : [],
    ),
  ];
  const isShown = styles.some(
    ({ outlineStyle, outlineWidth }) =>
      outlineStyle === "auto" || (outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2),
  );
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const name = `<${element.localName} id="${element.id}">${element.textContent?.slice(0, 20)}`;
  if (!isShown) return `${name} does not show the focus`;
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth)
    return `${name} is out of sight`;
  const seen = document.elementFromPoint(
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  );
  // An element drawn over it may be beside it, as the tick of a switch.
  const isSeen = seen !== null && (element.parentElement?.contains(seen) || seen.contains(element));
  return isSeen ? "" : `${name} is covered by <${seen?.localName} class="${seen?.className}">`;
}
