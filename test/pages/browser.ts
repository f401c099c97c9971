import { afterAll, afterEach, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { CHROMIUM } from "./chromium.ts";
import { Complaints } from "./complaints.ts";

const hasChromium = existsSync(CHROMIUM);

// CI installs it, and must not stay green without it.
if (!hasChromium && process.env.REQUIRE_CHROMIUM === "1") {
  throw new Error(`REQUIRE_CHROMIUM is set, and there is no Chromium at ${CHROMIUM}`);
}

/** It talks to nobody of its own accord. */
const QUIET = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** A step that takes longer will not come; Playwright then says which one it was. */
const STEP_MS = 10_000;
const TEST_MS = 60_000;

export interface TestBrowser {
  /** A profile of its own, in which relative addresses are the site's. It ends with the test. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page of the site in a new profile. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Announces a complaint that the test provokes: any other fails it, and so does its absence. */
  expectComplaint(pattern: RegExp): void;
}

/**
 * Tests in a real Chromium, which is started once for them. A test fails too when the browser
 * complains (complaints.ts). Without Chromium they are skipped, and their name says so.
 *
 * @param origin of the site, `http://127.0.0.1:40000`.
 * @param flags more flags for Chromium.
 */
export function inChromium(
  name: string,
  origin: string,
  suite: (browser: TestBrowser) => void,
  flags: readonly string[] = [],
): void {
  const title = hasChromium ? name : `${name} (skipped: there is no Chromium at ${CHROMIUM})`;
  describe.skipIf(!hasChromium)(title, () => {
    setDefaultTimeout(TEST_MS);
    const complaints = new Complaints();
    let browser: Browser | undefined;
    const contexts: BrowserContext[] = [];

    beforeAll(async () => {
      const args = [...QUIET, ...flags];
      browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args });
    });
    afterAll(() => browser?.close());
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      complaints.settle();
    });

    const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
      if (!browser) throw new Error("A browser is there only while tests run");
      const context = await browser.newContext({ baseURL: origin, ...options });
      context.setDefaultTimeout(STEP_MS);
      complaints.listen(context, origin);
      contexts.push(context);
      return context;
    };
    suite({
      newContext,
      open: async (path, options) => {
        const page = await (await newContext(options)).newPage();
        await page.goto(path);
        return page;
      },
      expectComplaint: (pattern) => complaints.expect(pattern),
    });
  });
}
