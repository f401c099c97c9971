import type { Page } from "playwright-core";

/**
 * Keeps back what the server answers to a page's form.
 *
 * @param path of the page.
 * @returns for each question asked so far, what lets its answer go.
 */
export async function holdAnswers(page: Page, path: string): Promise<readonly (() => void)[]> {
  const held: (() => void)[] = [];
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      await new Promise<void>((letGo) => held.push(letGo));
      await route.fulfill({ response });
    },
  );
  return held;
}
