import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { headline } from "../server/pages/home.tsx";
import { ToolBoard } from "../server/pages/not-found-page.tsx";
import { CHROMIUM } from "./chromium.ts";

/* `npm run images` draws the bitmaps from the site's icon, headline and colours. Look at the result. */

const PAGES = new URL("../server/pages/", import.meta.url);
const readPageFile = (path: string): string => readFileSync(new URL(path, PAGES), "utf8");

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
});
writeFileSync(new URL("images/share.png", PAGES), await draw(1_200, 630, sharedCard()));
writeFileSync(
  new URL("images/favicon.ico", PAGES),
  iconFile(await Promise.all([16, 32, 48].map(drawIcon))),
);
await browser.close();

function sharedCard(): string {
  return `<!doctype html>
<style>
${readPageFile("styles/tokens.css")}
body { box-sizing: border-box; height: 630px; margin: 0; padding: 56px 72px; background: var(--paper); color: var(--ink); font-family: var(--sans); }
body::after { content: ""; position: absolute; inset: auto 0 0; height: 34px; background:
  repeating-linear-gradient(to right, var(--edge) 0 2px, transparent 2px 120px) bottom left / 100% 34px no-repeat,
  repeating-linear-gradient(to right, var(--edge) 0 2px, transparent 2px 12px) bottom left / 100% 18px no-repeat; }
.brand { display: flex; gap: 18px; align-items: center; font: 600 38px/1 var(--mono); letter-spacing: -0.03em; }
.brand svg { width: 56px; }
h1 { margin: 64px 0 24px; font-size: 64px; font-weight: 700; letter-spacing: -0.035em; line-height: 1.08; text-wrap: balance; }
p { margin: 0; color: var(--quiet); font-size: 32px; }
.board { position: absolute; right: 72px; bottom: 66px; width: 340px; height: auto; }
.pegs { stroke: var(--edge); stroke-width: 4; stroke-linecap: round; }
.hung, .away { fill: var(--accent); }
</style>
<div class="brand">${readPageFile("images/icon.svg")} handtools</div>
<h1>${headline().replace(/ (?=\w+[,:])/g, "&nbsp;")}</h1>
<p>Free, without an account</p>
${renderToString(h(ToolBoard, null))}`;
}

async function drawIcon(size: number) {
  const style = "<style>body { margin: 0 } svg { display: block }</style>";
  const image = await draw(size, size, `<!doctype html>${style}${readPageFile("images/icon.svg")}`);
  return { size, image };
}

async function draw(width: number, height: number, markup: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "light" });
  await page.setContent(markup);
  return await page.screenshot({ omitBackground: true });
}

/** Composes an ICO file. Its images may be PNG since Windows Vista. */
function iconFile(icons: readonly Awaited<ReturnType<typeof drawIcon>>[]): Buffer {
  const header = Buffer.from([0, 0, 1, 0, icons.length, 0]);
  let offset = header.length + icons.length * 16;
  const entries = icons.map(({ size, image }) => {
    const entry = Buffer.alloc(16);
    // One colour plane, 32 bits a pixel.
    entry.set([size, size, 0, 0, 1, 0, 32, 0]);
    entry.writeUInt32LE(image.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += image.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...icons.map(({ image }) => image)]);
}
