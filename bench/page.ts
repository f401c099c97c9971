import { type Browser, chromium, type Page } from "playwright-core";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { CHROMIUM } from "../scripts/chromium.ts";
import { toolPagePath } from "../server/paths.ts";
import { createMailFilters } from "../src/mail-filter/index.ts";
import { someFilters } from "./library.ts";
import { handtools } from "./server.ts";
import { medianRatio, printRow } from "./table.ts";

/** What the page of the Gmail filters loads, when it shows a result, and what a keystroke takes. */
export async function measurePage(): Promise<void> {
  await using server = await handtools();
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const url = `http://127.0.0.1:${server.port}${toolPagePath(mailFilterContract)}`;
  const linked = `${url}?input=${encodeURIComponent(JSON.stringify(someFilters(20)))}`;
  const page = await browser.newPage();
  await page.goto(linked, { waitUntil: "networkidle" });
  const loaded = await page.evaluate<readonly { name: string; encodedBodySize: number }[]>(
    'performance.getEntriesByType("resource").map((entry) => entry.toJSON())',
  );
  const bytes = loaded
    .filter(({ name }) => /\.(?:js|css)$/.test(name))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  printRow("scripts and styles of a tool's page, compressed", bytes / 1_000, "<= 62 kB");
  const turn = (ours: boolean) => () => firstPaint(browser, linked, ours);
  printRow(
    "the first result of a page on a slow phone, against the page without our script",
    await medianRatio({ warmUps: 1, turns: 9 }, turn(true), turn(false)),
    "<= 1.3",
  );
  printRow(
    "a keystroke with 20 filters, which has a frame",
    await keystroke(page, TYPED),
    "<= 16.7 ms",
  );
  // Another context, since the first has a draft.
  const empty = await browser.newPage();
  await empty.goto(url, { waitUntil: "networkidle" });
  const { file } = createMailFilters(someFilters(1_000), { limits: "extended" });
  const opened = { name: file.name, mimeType: file.media_type, buffer: Buffer.from(file.content) };
  await empty.locator(".open input").setInputFiles(opened);
  await empty.getByText("Read 1,000 filters.").first().waitFor({ state: "attached" });
  printRow("the same with 1,000, which has three", await keystroke(empty, "1 changed"), "<= 50 ms");
}

/** Milliseconds to the paint that has the result, which the server has rendered. */
async function firstPaint(browser: Browser, url: string, withScript: boolean): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    if (!withScript) await page.route(/\.js$/, (route) => route.abort());
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", SLOW_4G);
    await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(url, { waitUntil: "networkidle" });
    const painted = await page.waitForFunction(
      'performance.getEntriesByName("first-contentful-paint")[0]?.startTime',
    );
    return Number(await painted.jsonValue());
  } finally {
    await context.close();
  }
}

/** As Lighthouse has it: 1.6 Mbit/s. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};

/** Milliseconds of the main thread for a key that is typed as the label of the first filter. */
async function keystroke(page: Page, said: string): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const busyMs = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  };
  const open = page.locator('[value="open filters[0]"]');
  if ((await open.count()) > 0) await open.click();
  await page.locator('[name="filters[0].label"]').fill("");
  const before = await busyMs();
  for (const key of TYPED) {
    await page.keyboard.press(key);
    await Bun.sleep(PAUSE_MS);
  }
  const taken = ((await busyMs()) - before) / TYPED.length;
  // Its field does not count as a text of the page, and what the page says of it does.
  await page.getByText(said).first().waitFor({ state: "attached" });
  return taken;
}

const TYPED = "quarterlyreports";
/** What follows a keystroke later is part of it. */
const PAUSE_MS = 150;
