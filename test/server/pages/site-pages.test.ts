import { describe, expect, test } from "bun:test";
import { automationCostContract, tools } from "../../../schemas/index.ts";
import { readServerConfig } from "../../../server/config.ts";
import { toolPagePath } from "../../../server/paths.ts";
import { callTool, type PriceBook, priceBook } from "../../../src/index.ts";
import { elementsOf } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";
import { signupPorts } from "../support/signup.ts";

const SERVERS = `# Servers

\`\`\`json
{ "mcpServers": { "far": { "url": "https://far.example/mcp" }, "near": { "command": "uvx" } } }
\`\`\``;

describe("the home page", async () => {
  const server = runningServer();
  const elements = await elementsOf(await server.text("/"));

  const cards = elements.filter(
    ({ tag, attributes }) => tag === "form" && attributes.class === "ask",
  );

  test("has the first field of each tool, which is never in a URL", () => {
    expect(cards.map(({ attributes }) => [attributes.method, attributes.action])).toEqual(
      tools.map((tool) => ["post", toolPagePath(tool)]),
    );
    expect(cards.map(({ text }) => text)).toEqual(["Filter it", "Find the plan", "Convert it"]);
    const links = elements.filter(({ tag }) => tag === "h2").map(({ text }) => text);
    for (const tool of tools) expect(links).toContain(tool.title);
  });

  test.each([
    ["/tools/mail-filter-generator", "filters[0].from", "news@shop.example", /value="news@shop/],
    ["/tools/mail-filter-generator", "filters[0].from", "a@x.example, @y.example", /value="@y/],
    ["/tools/automation-cost-calculator", "zaps[0].runs_per_month", "1500", /value="1500"/],
    ["/tools/mcp-config-generator", "paste", "npx -y @acme/notes-mcp", /value="@acme\/notes-mcp"/],
    ["/tools/mcp-config-generator", "paste", "https://mcp.example/mcp", /value="https:\/\/mcp/],
    ["/tools/mcp-config-generator", "paste", "what is this", /<textarea[^>]*>what is this</],
    ["/tools/mcp-config-generator", "paste", "what is this", /No MCP server found\. Paste a /],
    ["/tools/mcp-config-generator", "paste", SERVERS, /2 servers, all in one file/],
  ])("without scripts %s takes %s: %s", async (path, name, text, shown) => {
    const response = await server.fetch(path, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ [name]: text }),
    });
    expect(await response.text()).toMatch(shown);
  });

  test("goes by the operator's prices", async () => {
    const { name, example_input } = automationCostContract;
    const [first, ...others] = priceBook.professional;
    const dearer = { ...first, annual: { ...first?.annual, cents: 3_500 } };
    const own: PriceBook = JSON.parse(
      JSON.stringify({ ...priceBook, professional: [dearer, ...others] }),
    );
    expect(callTool(name, example_input, { priceBook: own })).toMatchObject({
      ok: true,
      value: { cheapest: { monthly_price: 39 } },
    });
    const priceOn = async (site: typeof server) =>
      (await elementsOf(await site.text("/"))).find(
        ({ attributes }) => attributes.class === "price",
      )?.text;
    expect(await priceOn(server)).toBe("$27.65a month");
    expect(await priceOn(runningServer({ priceBook: own }))).toBe("$39.00a month");
  });

  const waysOf = (page: typeof elements) =>
    page
      .slice(page.findIndex(({ attributes }) => attributes.class === "ways stack"))
      .flatMap(({ tag, text }) => (tag === "code" ? text : []));

  const WAYS = [`${BASE_URL}/mcp`, `curl '${BASE_URL}/api/tools'`];

  test("the home page has a line of code for each way that works for the reader", () => {
    expect(waysOf(elements)).toEqual(WAYS);
  });

  test("the home page shows a command and the library when the package is published", async () => {
    const page = await elementsOf(
      await runningServer({ config: readServerConfig({ NPM_PACKAGE: "@me/tools" }) }).text("/"),
    );
    expect(waysOf(page)).toEqual([
      ...WAYS,
      "npx @me/tools example mail-filter | npx @me/tools mail-filter -",
      'import { createMailFilters } from "@me/tools";',
    ]);
    expect(page.some(({ attributes }) => attributes.href?.endsWith("/package/@me/tools"))).toBe(
      true,
    );
  });

  test("the footer links to the source and the privacy policy when the operator says where they are", async () => {
    const sourceUrl = "https://code.test/tools?a=1&b=2";
    const privacyUrl = "https://privacy.test/";
    const linksOf = async (site: typeof server) =>
      (await elementsOf(await site.text("/docs")))
        .filter(({ tag, text }) => tag === "a" && /^(?:Source|Privacy)$/.test(text))
        .map(({ attributes }) => attributes.href);
    expect(await linksOf(server)).toEqual([]);
    const signup = { ...signupPorts(), privacyUrl };
    expect(
      await linksOf(runningServer({ config: readServerConfig({ SOURCE_URL: sourceUrl }), signup })),
    ).toEqual([sourceUrl, privacyUrl]);
  });

  test("the home page leads an agent to a text where it cannot connect", async () => {
    const page = await elementsOf(
      await runningServer({ config: readServerConfig({ MCP: "off" }) }).text("/"),
    );
    expect(waysOf(page)).toEqual([`curl '${BASE_URL}/api/tools'`]);
    const ways = page.find(({ attributes }) => attributes.class === "ways stack");
    expect(ways?.text).toContain("/llms.txt");
  });

  test("the home page tells search engines what site it is", () => {
    const data = elements.find(({ attributes }) => attributes.type === "application/ld+json");
    expect(JSON.parse(data?.text ?? "")).toMatchObject({
      "@type": "WebSite",
      name: "Handtools",
      url: `${BASE_URL}/`,
    });
  });
});

test("an unknown page has ways on", async () => {
  const asBrowser = { headers: { Accept: "text/html" } };
  const page = await (await runningServer().fetch("/no-such-page", asBrowser)).text();
  const elements = await elementsOf(page);
  const [main, footer] = ["main", "footer"].map((name) =>
    elements.findIndex(({ tag }) => tag === name),
  );
  const hrefs = elements.slice(main, footer).map(({ attributes }) => attributes.href);
  expect(hrefs).toContain("/docs");
  for (const tool of tools) expect(hrefs).toContain(toolPagePath(tool));
});
