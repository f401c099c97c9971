import { existsSync } from "node:fs";
import { COST, MAIL, MCP, PAGES } from "../../browser/support/page.ts";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { type Engine, press, type, until } from "./engine.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

/*
 * The main path of every page in other engines than Chromium's, with real input:
 * `npm run test:engines`. It uses those of Firefox and WebKitGTK that are installed, in Debian the
 * packages firefox-esr, webkit2gtk-driver and xvfb.
 */

const FIREFOX = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";
const WEBKIT = "/usr/bin/WebKitWebDriver";
const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

interface Path {
  readonly name: string;
  readonly page: string;
  walk(engine: Engine): Promise<void>;
}

const field = (name: string): string => `[id="${name}"]`;
const READY = `!document.querySelector("form[data-live]:not([data-ready])")`;
const says = (selector: string, words: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.innerText.includes(${JSON.stringify(words)})`;

const PATHS: readonly Path[] = [
  {
    name: "a card leads to its tool",
    page: "/",
    async walk(engine) {
      await press(engine, ".tool-card .button");
      await until(engine, `location.pathname === ${JSON.stringify(MAIL)}`);
    },
  },
  {
    name: "the signup brings its challenge",
    page: "/",
    async walk(engine) {
      await type(engine, "#hero-email", "ada@site.test");
      await until(engine, `document.querySelector(".signup .challenge input[type=checkbox]")`);
    },
  },
  {
    name: "a filter is made from nothing",
    page: `${MAIL}?do=clear`,
    async walk(engine) {
      await type(engine, field("filters[0].from[0]"), "news@shop.example");
      await until(engine, says("#status", "Now choose what should happen"));
      await type(engine, field("filters[0].label"), "News");
      await until(engine, says("#status", "1 filter, ready to import"));
      await until(engine, says("#search-0", "news@shop.example"));
    },
  },
  {
    name: "a cost follows the typing",
    page: COST,
    async walk(engine) {
      await type(engine, field("zaps[0].runs_per_month"), "10,000");
      await until(engine, says("#status", "20,180 tasks a month"));
    },
  },
  {
    name: "a config follows the typing",
    page: MCP,
    async walk(engine) {
      await type(engine, field("name"), "notes");
      await until(engine, says("#result", "notes"));
    },
  },
  {
    name: "the documentation shows a part at a time",
    page: "/docs",
    async walk(engine) {
      await press(engine, '.contents a[href="#errors"]');
      await until(engine, says(".contents [aria-current]", "Errors"));
      await until(
        engine,
        `[...document.querySelectorAll(".part")].filter((part) => part.offsetHeight > 0).length === 1`,
      );
    },
  },
];

const checks = new Checks();
const server = await startServer();
try {
  const engines: readonly (() => Promise<Engine>)[] = [
    ...(existsSync(FIREFOX) ? [() => startFirefox(FIREFOX)] : []),
    ...(existsSync(WEBKIT) ? [() => startWebKit(WEBKIT, BROWSER)] : []),
  ];
  for (const start of engines) await walkIn(await start());
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
checks.close();

async function walkIn(engine: Engine): Promise<void> {
  const origin = `http://localhost:${server.port}`;
  try {
    for (const page of PAGES) {
      await engine.open(`${origin}${page}`);
      // Whoever leaves a page that still loads its tool makes Firefox complain.
      await until(engine, READY);
      const overhang = "document.documentElement.scrollWidth - innerWidth";
      const wide = await engine.evaluate(`Math.max(0, ${overhang})`);
      checks.same(`${engine.name}: ${page} is as wide as the window`, String(wide), "0");
    }
    for (const { name, page, walk } of PATHS) {
      await engine.open(`${origin}${page}`);
      await until(engine, READY);
      const problem = await walk(engine).then(
        () => "",
        (error) => String(error),
      );
      checks.add(`${engine.name}: ${name}`, [problem, ...engine.complaints()].join("\n").trim());
    }
  } finally {
    await engine.close();
  }
}
