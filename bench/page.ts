import { chromium } from "playwright-core";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { CHROMIUM } from "../scripts/chromium.ts";
import { toolPagePath } from "../server/paths.ts";
import { someFilters } from "./library.ts";
import { handtools } from "./server.ts";
import { printRow } from "./table.ts";

/** What the page of the Gmail filters loads, and what a keystroke in it takes with 20 filters. */
export async function measurePage(): Promise<void> {
  await using server = await handtools();
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const input = encodeURIComponent(JSON.stringify(someFilters(20)));
  const path = `${toolPagePath(mailFilterContract)}?input=${input}`;
  await page.goto(`http://127.0.0.1:${server.port}${path}`, { waitUntil: "networkidle" });
  const loaded = await page.evaluate<readonly { name: string; encodedBodySize: number }[]>(
    'performance.getEntriesByType("resource").map((entry) => entry.toJSON())',
  );
  const bytes = loaded
    .filter(({ name }) => /\.(?:js|css)$/.test(name))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  printRow("scripts and styles of a tool's page, compressed", bytes / 1_000, "<= 60 kB");

  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const busyMs = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  };
  await page.getByRole("textbox").and(page.locator(":visible")).first().fill("");
  const before = await busyMs();
  for (const key of TYPED) {
    await page.keyboard.press(key);
    await Bun.sleep(PAUSE_MS);
  }
  const keystroke = ((await busyMs()) - before) / TYPED.length;
  // Its field does not count as a text of the page, and the result does.
  await page.getByText(TYPED).first().waitFor({ state: "attached" });
  printRow("a keystroke with 20 filters, which has one frame", keystroke, "<= 16.7 ms");
}

const TYPED = "quarterlyreports";
/** What follows a keystroke later is part of it. */
const PAUSE_MS = 150;
