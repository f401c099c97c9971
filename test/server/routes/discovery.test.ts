import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { readServerConfig } from "../../../server/config.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

/* test/requests/pages.http has the answers; here their links are followed. */

const server = runningServer();

/** Expects a link of ours to lead to something of the stated media type. */
async function expectToResolve(href: string, type: string): Promise<void> {
  expect(href).toStartWith(`${BASE_URL}/`);
  const { status, headers } = await server.fetch(href.slice(BASE_URL.length));
  const found = headers.get("content-type")?.split(";")[0];
  expect([href, status, found]).toEqual([href, 200, type]);
}

test("each target of the API catalog answers with its type", async () => {
  const catalog = await server.text("/.well-known/api-catalog");
  const targets = [...catalog.matchAll(/\{"href":"([^"]+)","type":"([^"]+)"/g)];
  expect(targets.length).toBe(4 + tools.length);
  for (const [, href = "", type = ""] of targets) await expectToResolve(href, type);
});

describe("a page's Link header", () => {
  test.each(["/", "/tools/mail-filter-generator", "/no-such-page"])(
    "of %s leads to the API, as the elements of the page do",
    async (path) => {
      const response = await server.fetch(path, { headers: { Accept: "text/html" } });
      const page = await response.text();
      const header = response.headers.get("link") ?? "";
      const links = [...header.matchAll(/<([^<>]+)>; rel="([a-z-]+)"; type="([^"]+)"/g)];
      expect(links.length).toBe(5);
      for (const [, href = "", rel = "", type = ""] of links) {
        await expectToResolve(href, type);
        expect(page).toContain(`<link rel="${rel}" href="${href}" type="${type}"/>`);
      }
    },
  );
});

describe("llms.txt", () => {
  test("begins with one H1 and a summary, and has sections of links (llmstxt.org)", async () => {
    const text = await server.text("/llms.txt");
    expect(text).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/);
    expect(text.match(/^# /gm)).toHaveLength(1);
    const sections = text.split(/^## [^\n]+\n\n/m).slice(1);
    expect(sections).toHaveLength(3);
    const lines = sections.flatMap((section) => section.trim().split("\n"));
    expect(lines).toHaveLength(2 * tools.length + 3);
    for (const line of lines) {
      const [, href = ""] = /^- \[[^\]]+\]\((https:[^)]+)\)(?:: .+)?$/.exec(line) ?? [];
      expect([href, (await server.fetch(href.slice(BASE_URL.length))).status]).toEqual([href, 200]);
    }
  });

  test.each(["/llms.txt", "/api/tools"])("%s says how a call names its clients", async (path) => {
    const text = await server.text(path);
    expect(text).toContain("add clients=zed,opencode to the URL's query; over MCP, pass a list");
    expect(text).toContain(", zed, lm-studio, ");
  });

  test.each(["on", "off"])("names the MCP endpoint if there is one: %p", async (MCP) => {
    const text = await runningServer({ config: readServerConfig({ MCP }) }).text("/llms.txt");
    expect(text.includes(`${BASE_URL}/mcp (`)).toBe(MCP === "on");
  });
});

test("each page of the sitemap answers", async () => {
  const pages = (await server.text("/sitemap.xml")).matchAll(/<loc>(.*?)<\/loc>/g);
  for (const [, href = ""] of pages) await expectToResolve(href, "text/html");
});
