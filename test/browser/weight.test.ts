import { afterAll, expect, test } from "bun:test";
import type { Request } from "playwright-core";
import { tools } from "../../schemas/index.ts";
import { toolPagePath } from "../../server/links.ts";
import { inChromium } from "./support/browser.ts";
import { PAGES } from "./support/page.ts";
import { runningSite } from "./support/site.ts";

const site = runningSite();

/** For HTML, style and scripts, as they are sent. */
const MOST_BYTES = 60_000;

const TYPES = ["document", "stylesheet", "script"];

inChromium("a page with all that it loads at once", site.origin, (browser) => {
  const table: string[] = [];

  test.each(PAGES)("%s has less than 60 kB", async (path) => {
    const page = await (await browser.newContext()).newPage();
    const requests: Request[] = [];
    const note = (request: Request) => requests.push(request);
    page.on("requestfinished", note);
    // A tool's page loads the rest later.
    page.once("load", () => page.off("requestfinished", note));
    await page.goto(path);
    const bytes = await Promise.all(TYPES.map((type) => bytesOf(requests, type)));
    const sum = bytes.reduce((total, size) => total + size, 0);
    table.push(
      [...bytes, sum]
        .map((size) => String(size).padStart(7))
        .join("")
        .concat(`  ${path}`),
    );
    expect(bytes.every((size) => size > 0)).toBe(true);
    expect(sum).toBeLessThan(MOST_BYTES);
  });

  test.each(tools.map(toolPagePath))(
    "%s has less than 90 kB before its first use",
    async (path) => {
      const page = await (await browser.newContext()).newPage();
      const requests: Request[] = [];
      page.on("requestfinished", (request) => requests.push(request));
      await page.goto(path);
      await page.locator("form[data-ready]").waitFor();
      await page.waitForLoadState("networkidle");
      const sizes = await Promise.all(requests.map((request) => request.sizes()));
      const sum = sizes.reduce(
        (total, one) => total + one.responseBodySize + one.responseHeadersSize,
        0,
      );
      expect(sum).toBeGreaterThan(MOST_BYTES);
      expect(sum).toBeLessThan(90_000);
    },
  );

  afterAll(() => {
    process.stdout.write(`bytes: HTML, style, scripts, together\n${table.join("\n")}\n`);
  });
});

async function bytesOf(requests: readonly Request[], type: string): Promise<number> {
  const sizes = await Promise.all(
    requests.filter((request) => request.resourceType() === type).map((request) => request.sizes()),
  );
  return sizes.reduce((total, { responseBodySize }) => total + responseBodySize, 0);
}
