import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import newsletters from "../examples/newsletters.json" with { type: "json" };
import notifications from "../examples/project-notifications.json" with { type: "json" };
import receipts from "../examples/receipts-and-travel.json" with { type: "json" };
import { callTool } from "../src/index.ts";
import { CHROMIUM } from "./chromium.ts";

/*
 * The pictures of the documents: pages as the real server shows them in Chromium, light and dark.
 * `npm run images` writes them to docs/images/.
 */

const root = join(import.meta.dir, "..");

interface Picture {
  /** Of the files, `NAME-light.webp` and `NAME-dark.webp`. */
  readonly name: string;
  readonly path: string;
  /** What the form holds, as a link to the page carries it. */
  readonly input?: object;
  readonly height: number;
  /** What a visitor does before the picture is taken. */
  prepare(page: Page): Promise<void>;
}

const WIDTH = 1180;

/** What somebody's export has: filters that forward, delete, repeat or conflict. */
const exported = [
  ...newsletters.filters,
  ...notifications.filters,
  ...receipts.filters,
  { from: ["@shoes.example"], label: "Shops", never_spam: true },
  { from: ["@bank.example"], subject: ["statement"], forward_to: "tax@office.example" },
];

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
      // What a visitor types: the page then no longer says that a link has filled it in.
      await page.getByRole("textbox", { name: "Optional name" }).fill("Bills");
      await page.getByRole("heading", { name: "Bills" }).waitFor();
    },
  },
  {
    name: "checkup",
    path: "/tools/mail-filter-generator",
    height: 980,
    async prepare(page) {
      const made = callTool("mail_filter_generator", { filters: exported });
      if (!made.ok) throw new Error(made.error.message);
      const { file } = made.value;
      await page.locator("[data-open]").setInputFiles({
        name: file.name,
        mimeType: file.media_type,
        buffer: Buffer.from(file.content),
      });
      await page.getByRole("heading", { name: "Checkup" }).waitFor();
      await page.locator("[data-try]").setInputFiles(join(root, "examples/mail.mbox"));
      await page.getByRole("heading", { name: "What your filters do with your mail" }).waitFor();
      await page.getByRole("button", { name: "Undo" }).waitFor({ state: "hidden" });
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
      await page.getByRole("tab", { name: "Cursor" }).click();
    },
  },
  {
    name: "home",
    path: "/",
    height: 1400,
    async prepare() {},
  },
];

const scratch = mkdtempSync(join(tmpdir(), "handtools-screenshots-"));
const server = Bun.spawn([process.execPath, "cli/main.ts", "serve", "--port", "0"], {
  cwd: root,
  env: {
    ...process.env,
    // The pages show it, and never the port.
    BASE_URL: "https://tools.example.com",
    DATABASE_URL: `file:${join(scratch, "handtools.sqlite")}`,
  },
  stdout: "pipe",
  stderr: "ignore",
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const origin = await originOf(server.stdout);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  for (const picture of pictures) {
    for (const scheme of ["light", "dark"] as const) await take(picture, origin, scheme);
  }
} finally {
  await browser.close();
  server.kill();
  await server.exited;
  rmSync(scratch, { recursive: true });
}

async function take(picture: Picture, origin: string, colorScheme: "light" | "dark") {
  const { name, path, input, height } = picture;
  const viewport = { width: WIDTH, height };
  const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: 1.5 });
  const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  await page.goto(`${origin}${path}${query}`);
  await page.locator("form[data-live]:not([data-ready])").waitFor({ state: "detached" });
  await picture.prepare(page);
  await page.getByRole("heading", { level: 1 }).click();
  // Playwright itself takes PNG and JPEG, which are three times the size.
  const client = await page.context().newCDPSession(page);
  const { data } = await client.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    clip: { ...viewport, x: 0, y: 0, scale: 1.5 },
  });
  writeFileSync(join(root, `docs/images/${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
  await page.close();
}

async function originOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  for await (const part of output) {
    said += decoder.decode(part, { stream: true });
    const [, port] = /listening on 127\.0\.0\.1 port (\d+)/.exec(said) ?? [];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error("the server has not started");
}
