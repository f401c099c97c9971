import { afterAll, afterEach, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { CHROMIUM } from "./chromium.ts";
import { TestBrowser } from "./test-browser.ts";

const hasChromium = existsSync(CHROMIUM);

// CI installs it, and must not stay green without it.
if (!hasChromium && process.env.REQUIRE_CHROMIUM === "1") {
  throw new Error(`REQUIRE_CHROMIUM is set, and there is no Chromium at ${CHROMIUM}`);
}

const TEST_MS = 60_000;

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
    const browser = new TestBrowser(origin, flags);
    beforeAll(() => browser.start());
    afterEach(() => browser.endTest());
    afterAll(() => browser.stop());
    suite(browser);
  });
}
