import { COST_EXAMPLE } from "../../browser/support/page.ts";
import { startServer } from "../../server/support/servers.ts";
import { runChecks } from "../runner.ts";
import { type Driven, firefox, webkit } from "./webdriver.ts";

/*
 * One walk of each tool and the signup in the engines beside Chromium, as Debian has them:
 * `npm run test:integration engines`. It needs firefox-esr, webkit2gtk-driver and xvfb.
 */

const ENTER = "\uE007";

type Walk = (browser: Driven, origin: string) => Promise<void>;

const WALKS: Readonly<Record<string, Walk>> = {
  async "a Gmail filter of a preset and a typed label, ready to import"(browser, origin) {
    await browser.open(`${origin}/tools/mail-filter-generator`);
    await press(browser, "Receipts");
    await until(browser, textOf("#status"), /^1 filter/);
    await typeInto(browser, '[name$=".label"]', "Papers");
    await until(browser, textOf("#result"), /Papers/);
  },
  async "the cheapest plan for more runs"(browser, origin) {
    await browser.open(`${origin}${COST_EXAMPLE}`);
    await typeInto(browser, '[name$=".runs_per_month"]', "7777");
    await until(browser, textOf("#status"), /15,734 tasks a month/);
    await until(browser, textOf("#answer"), /\$\d/);
  },
  async "a config of a pasted command line"(browser, origin) {
    await browser.open(`${origin}/tools/mcp-config-generator`);
    await typeInto(browser, "#paste", `npx -y my-own-server${ENTER}`);
    await until(browser, textOf("#result"), /my-own-server/);
  },
  async "a signup with its challenge"(browser, origin) {
    await browser.open(origin);
    await typeInto(browser, "[name=email]", "ada@example.com");
    await typeInto(browser, "[name=name]", "Ada Lovelace");
    await until(
      browser,
      'document.querySelector(".signup button:enabled")?.textContent',
      /Sign up/,
    );
    await press(browser, "Sign up");
    await until(browser, textOf(".thanks"), /You are on the list/);
  },
};

const textOf = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent`;

async function press(browser: Driven, words: string): Promise<void> {
  const button = `[...document.querySelectorAll("button")].find((one) => one.textContent.trim() === ${JSON.stringify(words)})`;
  await until(browser, `${button}?.textContent`, /./);
  // The page has taken over the form once it has answered.
  await until(browser, "document.readyState", /complete/);
  await browser.evaluate(`void ${button}.click()`);
}

async function typeInto(browser: Driven, selector: string, text: string): Promise<void> {
  const control = `document.querySelector(${JSON.stringify(selector)})`;
  await until(browser, `${control}?.tagName`, /INPUT|TEXTAREA/);
  // A text that was typed before the page's script ran is read once it changes again.
  await until(browser, 'document.querySelector("#tool-form:not([data-ready])")', /null/);
  await browser.evaluate(`(${control}.focus(), ${control}.select())`);
  await browser.type(text);
}

/** Waits until an expression in the page gives such a text, for ten seconds at most. */
async function until(browser: Driven, expression: string, wanted: RegExp): Promise<void> {
  let last: unknown;
  for (let times = 0; times < 100; times += 1) {
    last = await browser.evaluate(expression);
    if (wanted.test(String(last))) return;
    await Bun.sleep(100);
  }
  throw new Error(
    `${expression} is ${JSON.stringify(last)?.slice(0, 500)}, and not like ${wanted}`,
  );
}

const server = await startServer();
const origin = `http://localhost:${server.port}`;
try {
  await runChecks(
    Object.entries({ Firefox: firefox, WebKit: webkit }).flatMap(([name, start]) =>
      Object.entries(WALKS).map(([title, walk]) => ({
        title: `${name}: ${title}`,
        async run() {
          await using browser = await start();
          await walk(browser, origin);
        },
      })),
    ),
  );
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
