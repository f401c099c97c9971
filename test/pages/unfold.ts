import type { Page } from "playwright-core";

/** Opens all there is to open on a page. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
