import { afterAll, afterEach, describe, setDefaultTimeout } from "bun:test";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { CHROMIUM } from "../../../scripts/chromium.ts";

const TEST_MS = 120_000;

/**
 * Tests in a real Chromium. A test fails too when the browser complains (`ConsoleErrors`).
 *
 * @param origin of the site, `http://127.0.0.1:40000`.
 * @param flags more flags for Chromium.
 */
export function inChromium(
  name: string,
  origin: string,
  suite: (browser: TestBrowser) => void,
  flags: readonly string[] = [],
): void {
  describe(name, () => {
    setDefaultTimeout(TEST_MS);
    const browser = new TestBrowser(origin, flags);
    afterEach(() => browser.endTest());
    afterAll(() => browser.closeProfiles());
    suite(browser);
  });
}

/** Under them it talks to nobody of its own accord. */
const QUIET_FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** By their flags. All files of a process share them, and they end with it. */
const started = new Map<string, Promise<Browser>>();

function start(flags: readonly string[]): Promise<Browser> {
  const args = [...QUIET_FLAGS, ...flags];
  const browser =
    started.get(`${args}`) ?? chromium.launch({ executablePath: CHROMIUM, headless: true, args });
  started.set(`${args}`, browser);
  return browser;
}

/** Waits until the script of a tool's page runs. */
export const isReady = (page: Page): Promise<unknown> =>
  page.locator("#tool-form:not([data-ready])").waitFor({ state: "detached" });

/** Long, for a busy machine. Playwright says which step did not come. */
const STEP_MS = 30_000;

/** A Chromium that visits one site. What a test opens in it ends with the test. */
class TestBrowser {
  readonly #origin: string;
  readonly #flags: readonly string[];
  readonly #consoleErrors = new ConsoleErrors();
  /** The profiles that tests share, by their options. */
  readonly #shared = new Map<string, Promise<BrowserContext>>();
  readonly #open: (Page | BrowserContext)[] = [];

  constructor(origin: string, flags: readonly string[]) {
    this.#origin = origin;
    this.#flags = flags;
  }

  /** A page of the site. Its profile may be the one of earlier tests, which is faster. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const profile = this.#shared.get(key) ?? this.#newSharedProfile(options);
    this.#shared.set(key, profile);
    const page = await (await profile).newPage();
    this.#open.push(page);
    await page.goto(path);
    if (options.javaScriptEnabled !== false) await isReady(page);
    return page;
  }

  /** A page in a profile of its own, for a test that changes the clock or the network. */
  async openAlone(path: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await (await this.newContext(options)).newPage();
    await page.goto(path);
    if (options?.javaScriptEnabled !== false) await isReady(page);
    return page;
  }

  /** A profile of its own. Relative addresses in it are the site's. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const profile = await this.#newProfile(options);
    this.#open.push(profile);
    return profile;
  }

  /** Expects a console error that the test causes: any other one fails it, and so does its absence. */
  expectConsoleError(pattern: RegExp): void {
    this.#consoleErrors.expect(pattern);
  }

  /** @throws when the browser reported an error that the test does not expect. */
  async endTest(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((opened) => opened.close()));
    this.#consoleErrors.settle();
  }

  async closeProfiles(): Promise<void> {
    await Promise.all([...this.#shared.values()].map(async (profile) => (await profile).close()));
  }

  /** A profile whose window stays open: a page takes half the time as a further tab. */
  async #newSharedProfile(options: BrowserContextOptions): Promise<BrowserContext> {
    const profile = await this.#newProfile(options);
    await profile.newPage();
    return profile;
  }

  async #newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
    const chromium = await start(this.#flags);
    const profile = await chromium.newContext({ baseURL: this.#origin, ...options });
    profile.setDefaultTimeout(STEP_MS);
    this.#consoleErrors.listen(profile, this.#origin);
    return profile;
  }
}

/**
 * The complaints of a browser about its pages: errors and warnings in the console,
 * breaches of the Content-Security-Policy (which are there too), errors that no script caught,
 * and requests to anybody but the site.
 */
class ConsoleErrors {
  readonly #heard: string[] = [];
  readonly #expected: RegExp[] = [];

  listen(context: BrowserContext, origin: string): void {
    context.on("console", (message) => {
      const { url } = message.location();
      if (/^(?:error|warning)$/.test(message.type()))
        this.#heard.push(`${message.text()} (${url})`);
    });
    context.on("weberror", (webError) => this.#heard.push(`${webError.error().stack}`));
    context.on("request", (request) => {
      const url = new URL(request.url());
      const isLocal = url.origin === origin || /^(?:data|blob):$/.test(url.protocol);
      if (!isLocal) this.#heard.push(`request to another origin: ${url}`);
    });
  }

  /** Expects a console error that the test causes. It must then occur. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Begins again. It throws when there was another complaint than those expected, or one of them was not heard. */
  settle(): void {
    const heard = this.#heard.splice(0);
    const expected = this.#expected.splice(0);
    const others = heard.filter((text) => !expected.some((pattern) => pattern.test(text)));
    const unheard = expected.filter((pattern) => !heard.some((text) => pattern.test(text)));
    if (others.length > 0) throw new Error(`The browser reported errors:\n${others.join("\n")}`);
    if (unheard.length > 0)
      throw new Error(`The browser should have reported: ${unheard.join(", ")}`);
  }
}
