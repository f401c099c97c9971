import type { Locator, Page } from "playwright-core";

/* What is on a tool's page. Its controls are named by their path in the input, `zaps[0].name`. */

export const control = (page: Page, name: string): Locator => page.locator(`[id="${name}"]`);

/** The remarks beside a control. */
export const notes = (page: Page, name: string): Locator => page.locator(`[id="${name}:notes"]`);

/** The sentence above the result. */
export const status = (page: Page): Locator => page.locator("#status");

export const result = (page: Page): Locator => page.locator("#result");

/** A button that changes rows, by what it does: `add zaps`, `remove zaps[1]`. */
export const rowButton = (page: Page, command: string): Locator =>
  page.locator(`button[name="do"][value="${command}"]`);

/** The input that the result on the page is for, without what may be secret; undefined without one. */
export async function shownInput(page: Page): Promise<unknown> {
  const link = page.locator("#share");
  if ((await link.count()) === 0) return undefined;
  const href = (await link.getAttribute("href")) ?? "";
  return JSON.parse(Buffer.from(href.split("#v1.")[1] ?? "", "base64url").toString());
}

/** Whether the result is marked as older than the form. */
export const isStale = (page: Page): Promise<boolean> =>
  result(page).evaluate((element) => element.hasAttribute("data-stale"));

/** The id of the element that has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id ?? "");
