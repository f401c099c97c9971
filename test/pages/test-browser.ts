import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { CHROMIUM, QUIET_FLAGS } from "./chromium.ts";
import { Complaints } from "./complaints.ts";

/** A step that takes longer will not come; Playwright then says which one it was. */
const STEP_MS = 10_000;

/** A Chromium that visits one site. What a test opens in it ends with the test. */
export class TestBrowser {
  readonly #origin: string;
  readonly #flags: readonly string[];
  readonly #complaints = new Complaints();
  /** The profiles that tests share, by their options. */
  readonly #shared = new Map<string, Promise<BrowserContext>>();
  readonly #open: (Page | BrowserContext)[] = [];
  #browser: Browser | undefined;

  constructor(origin: string, flags: readonly string[]) {
    this.#origin = origin;
    this.#flags = flags;
  }

  /** A page of the site. Its profile may be the one of earlier tests, which is faster. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const profile = this.#shared.get(key) ?? this.#newProfile(options);
    this.#shared.set(key, profile);
    const page = await (await profile).newPage();
    this.#open.push(page);
    await page.goto(path);
    return page;
  }

  /** A page in a profile of its own, for a test that changes the clock or the network. */
  async openAlone(path: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await (await this.newContext(options)).newPage();
    await page.goto(path);
    return page;
  }

  /** A profile of its own. Relative addresses in it are the site's. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const profile = await this.#newProfile(options);
    this.#open.push(profile);
    return profile;
  }

  /** Announces a complaint that the test provokes: any other fails it, and so does its absence. */
  expectComplaint(pattern: RegExp): void {
    this.#complaints.expect(pattern);
  }

  async start(): Promise<void> {
    const args = [...QUIET_FLAGS, ...this.#flags];
    this.#browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args });
  }

  /** @throws when the browser complained of what a test did. */
  async endTest(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((opened) => opened.close()));
    this.#complaints.settle();
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  async #newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
    if (!this.#browser) throw new Error("A browser is there only while tests run");
    const profile = await this.#browser.newContext({ baseURL: this.#origin, ...options });
    profile.setDefaultTimeout(STEP_MS);
    this.#complaints.listen(profile, this.#origin);
    return profile;
  }
}
