import type { BrowserContext } from "playwright-core";

/**
 * What a browser has to say against the pages that it shows: errors and warnings in the console,
 * breaches of the Content-Security-Policy (which stand there too), errors that no script caught,
 * and requests to anybody but the site.
 */
export class Complaints {
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

  /** Announces a complaint that the test provokes. It has to come then. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Begins anew. It throws when there was another complaint than those expected, or one of them was not heard. */
  settle(): void {
    const heard = this.#heard.splice(0);
    const expected = this.#expected.splice(0);
    const others = heard.filter((text) => !expected.some((pattern) => pattern.test(text)));
    const unheard = expected.filter((pattern) => !heard.some((text) => pattern.test(text)));
    if (others.length > 0) throw new Error(`The browser complains:\n${others.join("\n")}`);
    if (unheard.length > 0) throw new Error(`The browser should complain: ${unheard.join(", ")}`);
  }
}
