import { writeFileSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import newsletters from "../examples/newsletters.json" with { type: "json" };
import notifications from "../examples/project-notifications.json" with { type: "json" };
import receipts from "../examples/receipts-and-travel.json" with { type: "json" };
import { callTool } from "../src/index.ts";
import { startServer } from "../test/server/support/servers.ts";
import { CHROMIUM } from "./chromium.ts";

/* `npm run images` writes the screenshots in docs/images/. */

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly height: number;
  readonly input?: object;
  /** Acts as a visitor before the screenshot. */
  prepare?(page: Page): Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: "mail-filter",
    path: "/tools/mail-filter-generator",
    input: {
      filters: [
        {
          from: ["@shop.example", "billing@hosting.example"],
          subject: ["invoice", "your order"],
          label: "Money/Bills",
          skip_inbox: true,
        },
      ],
    },
    height: 920,
    async prepare(page) {
      // After typing, the page no longer says that a link has filled it in.
      await page.getByRole("textbox", { name: "Name of Filter 1" }).fill("Bills");
      await page.getByText("1 filter ready").waitFor();
    },
  },
  {
    name: "export",
    path: "/tools/mail-filter-generator",
    height: 880,
    async prepare(page) {
      // An export with filters that forward, delete, repeat or conflict.
      const made = callTool("mail_filter_generator", {
        filters: [
          ...[...newsletters.filters, ...notifications.filters, ...receipts.filters],
          { from: ["@shoes.example"], label: "Shops", never_spam: true },
          { from: ["@bank.example"], subject: ["statement"], forward_to: "tax@office.example" },
        ],
      });
      if (!made.ok) throw new Error(made.error.message);
      const { file } = made.value;
      await page.locator(".open [type=file]").setInputFiles({
        name: file.name,
        mimeType: file.media_type,
        buffer: Buffer.from(file.content),
      });
      await page.locator("#find").waitFor();
    },
  },
  {
    name: "mcp-config",
    path: "/tools/mcp-config-generator",
    input: { name: "server", command: "npx", args: ["-y", "my-server", "/home/me/notes"] },
    height: 800,
    async prepare(page) {
      await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("files");
      await page.getByRole("radio", { name: "macOS" }).check();
      await page.getByRole("radio", { name: "Cursor" }).check();
    },
  },
  { name: "home", path: "/", height: 1000 },
];

// The pages show this origin.
const server = await startServer(undefined, { BASE_URL: "https://tools.example.com" });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
for (const picture of pictures) {
  for (const scheme of ["light", "dark"] as const) {
    const image = await take(picture, scheme);
    const file = `../docs/images/${picture.name}-${scheme}.webp`;
    writeFileSync(new URL(file, import.meta.url), image);
  }
}
await browser.close();
server.signal("SIGTERM");
await server.exited();

async function take(
  { path, input, height, prepare }: Picture,
  colorScheme: "light" | "dark",
): Promise<Buffer> {
  const viewport = { width: 1180, height };
  await using context = await browser.newContext({ colorScheme, viewport, deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  await page.goto(`${server.base}${path}${query}`);
  await page.locator("#tool-form:not([data-ready])").waitFor({ state: "detached" });
  await prepare?.(page);
  // Moves the focus away from the form.
  await page.getByRole("heading", { level: 1 }).click();
  // Playwright itself supports only PNG and JPEG, which are three times as large.
  const client = await context.newCDPSession(page);
  const { data } = await client.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    clip: { ...viewport, x: 0, y: 0, scale: 1.5 },
  });
  return Buffer.from(data, "base64");
}
