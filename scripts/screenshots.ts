import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import newsletters from "../examples/newsletters.json" with { type: "json" };
import notifications from "../examples/project-notifications.json" with { type: "json" };
import receipts from "../examples/receipts-and-travel.json" with { type: "json" };
import { callTool } from "../src/index.ts";
import { CHROMIUM } from "./chromium.ts";

/*
 * Pages as the real server shows them in Chromium. `npm run images` writes the pictures of the
 * documents to docs/images/, light and dark. `npm run screenshots` writes every state of the pages,
 * in every look, to screenshots/: to be looked at after a change, and not committed.
 */

const root = join(import.meta.dir, "..");

interface State {
  /** The first part of a file's name, before the look. */
  readonly name: string;
  readonly path: string;
  /** The input in the form, as a link to the page carries it. */
  readonly input?: object;
  /** The visitor's actions before the picture is taken. */
  prepare?(page: Page): Promise<void>;
}

interface Picture extends State {
  readonly height: number;
}

const WIDTH = 1180;

/** An export with filters that forward, delete, repeat or conflict. */
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
      // After typing, the page no longer says that a link has filled it in.
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
      await page.locator(".undo button").waitFor({ state: "hidden" });
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
  },
];

/** The states that no document shows. */
const others: readonly State[] = [
  { name: "mail-filter-start", path: "/tools/mail-filter-generator" },
  {
    name: "mail-filter-problem",
    path: "/tools/mail-filter-generator",
    input: { filters: [{ from: ["a b@c"], larger_than_mb: 99 }, {}] },
  },
  {
    name: "mail-filter-empty",
    path: "/tools/mail-filter-generator",
    prepare: (page) => page.getByRole("button", { name: "Empty", exact: true }).click(),
  },
  { name: "cost-start", path: "/tools/automation-cost-calculator" },
  {
    name: "cost-problem",
    path: "/tools/automation-cost-calculator",
    input: { automations: [{ name: "A Zap", runs_per_month: -1, action_steps: 0 }] },
  },
  { name: "mcp-config-start", path: "/tools/mcp-config-generator" },
  {
    name: "mcp-config-remote",
    path: "/tools/mcp-config-generator",
    input: {
      name: "api",
      url: "https://mcp.example.com/mcp",
      headers: { Authorization: "Bearer ${API_TOKEN}" },
    },
  },
  { name: "tools", path: "/tools" },
  { name: "docs", path: "/docs" },
  { name: "not-found", path: "/nothing" },
];

/** How a page is looked at. */
const looks: Readonly<Record<string, BrowserContextOptions & { readonly print?: true }>> = {
  light: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  "390": { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "320-dark": { viewport: { width: 320, height: 640 }, isMobile: true, colorScheme: "dark" },
  forced: { viewport: { width: 1280, height: 800 }, forcedColors: "active" },
  print: { viewport: { width: 794, height: 1123 }, print: true },
};

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
  if (process.argv.includes("--all")) await takeAll(origin);
  else await takePictures(origin);
} finally {
  await browser.close();
  server.kill();
  await server.exited;
  rmSync(scratch, { recursive: true });
}

async function takePictures(origin: string) {
  mkdirSync(join(root, "docs/images"), { recursive: true });
  for (const picture of pictures) {
    for (const colorScheme of ["light", "dark"] as const) {
      const viewport = { width: WIDTH, height: picture.height };
      const page = await open(origin, picture, { colorScheme, viewport, deviceScaleFactor: 1.5 });
      // Playwright itself takes PNG and JPEG, which are three times the size.
      const client = await page.context().newCDPSession(page);
      const { data } = await client.send("Page.captureScreenshot", {
        format: "webp",
        quality: 80,
        clip: { ...viewport, x: 0, y: 0, scale: 1.5 },
      });
      const file = join(root, `docs/images/${picture.name}-${colorScheme}.webp`);
      writeFileSync(file, Buffer.from(data, "base64"));
      await page.context().close();
    }
  }
}

async function takeAll(origin: string) {
  for (const state of [...pictures, ...others]) {
    for (const [look, { print = false, ...options }] of Object.entries(looks)) {
      const page = await open(origin, state, options);
      if (print) await page.emulateMedia({ media: "print" });
      const path = join(root, "screenshots", `${state.name}-${look}.png`);
      await page.screenshot({ path, fullPage: true });
      await page.context().close();
    }
  }
}

/** A page in a state, with the focus where it shows nothing. */
async function open(origin: string, state: State, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const query = state.input ? `?input=${encodeURIComponent(JSON.stringify(state.input))}` : "";
  await page.goto(`${origin}${state.path}${query}`);
  await page.locator("form[data-live]:not([data-ready])").waitFor({ state: "detached" });
  await state.prepare?.(page);
  await page.getByRole("heading", { level: 1 }).click();
  return page;
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
