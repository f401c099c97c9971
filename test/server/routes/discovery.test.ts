import { describe, expect, test } from "bun:test";
import { SaxesParser } from "saxes";
import { tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const server = runningServer();

/** The pages for people, spelt out: they are what search engines keep. */
const PAGES = [
  "/",
  "/tools/mail-filter-generator",
  "/tools/automation-cost-calculator",
  "/tools/mcp-config-generator",
  "/docs",
];

const pathOf = (href: string): string => {
  expect(href).toStartWith(`${BASE_URL}/`);
  return href.slice(BASE_URL.length);
};

/** The media type without its parameters. */
const typeOf = (response: Response): string | undefined =>
  response.headers.get("content-type")?.split(";")[0];

interface Target {
  readonly href: string;
  readonly type: string;
}

async function expectToResolve({ href, type }: Target): Promise<void> {
  const response = await server.fetch(pathOf(href));
  expect([href, response.status, typeOf(response)]).toEqual([href, 200, type]);
}

/** The links of a Link header, by relation (RFC 8288); all must have this form. */
function parseLinks(header: string | null): Readonly<Record<string, Target>> {
  const links = (header ?? "").split(/, (?=<)/).map((link) => {
    const [, href, rel, type] = /^<([^<>]+)>; rel="([a-z-]+)"; type="([^"]+)"$/.exec(link) ?? [];
    if (!href || !rel || !type) throw new Error(`not a link: ${link}`);
    return [rel, { href, type }] as const;
  });
  return Object.fromEntries(links);
}

describe("the API catalog", () => {
  const path = "/.well-known/api-catalog";

  interface Context {
    readonly anchor: string;
    readonly [relation: string]: string | readonly Target[];
  }

  const readCatalog = async (): Promise<{ linkset: readonly Context[] }> =>
    JSON.parse(await server.text(path));

  const targets = async (): Promise<readonly Target[]> =>
    (await readCatalog()).linkset
      .flatMap(({ anchor: _, ...relations }) => Object.values(relations))
      .flatMap((links) => (typeof links === "string" ? [] : links));

  test("is a linkset: its sole member, lists of targets, absolute URLs", async () => {
    const catalog = await readCatalog();
    expect(Object.keys(catalog)).toEqual(["linkset"]);
    for (const { anchor, ...relations } of catalog.linkset) {
      expect(anchor).toStartWith(`${BASE_URL}/`);
      for (const links of Object.values(relations)) expect(links).toBeArray();
    }
    for (const { href } of await targets()) expect(new URL(href).href).toBe(href);
  });

  test("leads to every tool, the description, the documentation and the health check", async () => {
    const hrefs = (await targets()).map(({ href }) => pathOf(href));
    expect(hrefs.sort()).toEqual(
      ["/api/tools", "/openapi.json", "/docs", "/api/health", ...tools.map(toolPath)].sort(),
    );
  });

  test("has links that answer 200 with the stated type", async () => {
    for (const target of await targets()) await expectToResolve(target);
  });
});

describe("a page's Link header", () => {
  test.each([...PAGES, "/no-such-page"])("of %s leads to the API", async (path) => {
    const response = await server.fetch(path, { headers: { Accept: "text/html" } });
    const links = parseLinks(response.headers.get("link"));
    expect(Object.keys(links)).toEqual([
      "api-catalog",
      "service-desc",
      "service-doc",
      "status",
      "describedby",
    ]);
    for (const link of Object.values(links)) await expectToResolve(link);
    const page = await response.text();
    for (const [rel, { href, type }] of Object.entries(links)) {
      expect(page).toContain(`<link rel="${rel}" href="${href}" type="${type}"/>`);
    }
  });
});

describe("llms.txt", () => {
  test("begins with one H1 and a summary, and has sections of links (llmstxt.org)", async () => {
    const text = await server.text("/llms.txt");
    expect(text).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/);
    expect(text.match(/^# /gm)).toHaveLength(1);
    const sections = text.split(/^## [^\n]+\n\n/m).slice(1);
    expect(sections).toHaveLength(3);
    for (const section of sections) {
      for (const line of section.trim().split("\n")) {
        expect(line).toMatch(/^- \[[^\]]+\]\(https:[^)]+\)(?:: .+)?$/);
      }
    }
  });

  test.each([true, false])("names the MCP endpoint if there is one: %p", async (mcp) => {
    const text = await runningServer({ mcp }).text("/llms.txt");
    expect(text.includes(`${BASE_URL}/mcp (`)).toBe(mcp);
  });

  test("has links that answer 200", async () => {
    const links = [...(await server.text("/llms.txt")).matchAll(/\]\(([^)]+)\)/g)];
    expect(links.length).toBe(2 * tools.length + 3);
    for (const [, href = ""] of links) expect((await server.fetch(pathOf(href))).status).toBe(200);
  });
});

describe("robots.txt and the sitemap", () => {
  test("the sitemap is well-formed and has all pages", async () => {
    const parser = new SaxesParser({ xmlns: true });
    const pages: string[] = [];
    let inLocation = false;
    parser.on("opentag", ({ local, uri }) => {
      expect(uri).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
      inLocation = local === "loc";
    });
    parser.on("text", (text) => {
      if (inLocation) pages.push(text);
    });
    parser.on("closetag", () => {
      inLocation = false;
    });
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(await server.text("/sitemap.xml")).close();
    expect(pages).toEqual(PAGES.map((path) => `${BASE_URL}${path}`));
    for (const href of pages) await expectToResolve({ href, type: "text/html" });
  });
});
