import type { BrowserContextOptions, Page } from "playwright-core";

export const clipboard = {
  /** A profile that lets pages use the clipboard. */
  permitted: { permissions: ["clipboard-read", "clipboard-write"] } satisfies BrowserContextOptions,
  read: (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText()),
};
