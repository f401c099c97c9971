import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM } from "./chromium.ts";

/*
 * The pictures of the README: the page of a tool with a result, light and dark, as the real server
 * shows it in Chromium. `npm run screenshots` writes docs/images/.
 */

const root = join(import.meta.dir, "..");

const PAGE = "/tools/mail-filter-generator";

/** What the form holds, as a link to the page carries it. */
const INPUT = {
  filters: [
    {
      from: ["@shop.example", "billing@hosting.example"],
      subject: ["invoice", "your order"],
      label: "Money/Bills",
      skip_inbox: true,
    },
  ],
};

const VIEWPORT = { width: 1180, height: 730 };

const server = Bun.spawn([process.execPath, "cli/main.ts", "serve", "--port", "0"], {
  cwd: root,
  env: { ...process.env, SIGNUP: "off" },
  stdout: "pipe",
  stderr: "ignore",
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const address = `${await originOf(server.stdout)}${PAGE}?input=${encodeURIComponent(JSON.stringify(INPUT))}`;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ colorScheme, viewport: VIEWPORT, deviceScaleFactor: 1.5 });
    await page.goto(address);
    await page.locator("form[data-live]:not([data-ready])").waitFor({ state: "detached" });
    // What a visitor types: the page then no longer says that a link has filled it in.
    await page.getByRole("textbox", { name: "Optional name" }).fill("Bills");
    await page.getByRole("heading", { name: "Bills" }).waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    // Playwright itself takes PNG and JPEG, which are three times the size.
    const client = await page.context().newCDPSession(page);
    const { data } = await client.send("Page.captureScreenshot", {
      format: "webp",
      quality: 80,
      clip: { ...VIEWPORT, x: 0, y: 0, scale: 1.5 },
    });
    writeFileSync(
      join(root, `docs/images/mail-filter-${colorScheme}.webp`),
      Buffer.from(data, "base64"),
    );
  }
} finally {
  await browser.close();
  server.kill();
}

/** The address that the server says it has. */
async function originOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  for await (const part of output) {
    said += decoder.decode(part, { stream: true });
    const [origin] = /http:\/\/localhost:\d+/.exec(said) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error("the server has not started");
}
