import { describe, expect, test } from "bun:test";
import { automationCostContract, tools } from "../../../schemas/index.ts";
import { readConfig } from "../../../server/config.ts";
import { toolPagePath } from "../../../server/links.ts";
import { callTool, type PriceBook, priceBook } from "../../../src/index.ts";
import { elementsOf } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";
import { signupPorts } from "../support/signup.ts";

describe("the home page", async () => {
  const server = runningServer();
  const elements = await elementsOf(await server.text("/"));

  const cardsOf = (page: typeof elements) =>
    page.filter(({ attributes }) => attributes.class === "tool-card");

  test("the home page has a card for each tool, which leads to it", () => {
    const cards = cardsOf(elements);
    expect(cards).toHaveLength(tools.length);
    const links = elements.slice(elements.indexOf(cards[0] ?? fail())).filter(isCardLink);
    expect(links.map(({ attributes }) => attributes.href)).toEqual(
      tools.flatMap((tool) => [toolPagePath(tool), toolPagePath(tool)]),
    );
    const actions = links.filter(({ attributes }) => attributes.class === "button primary");
    expect(actions.map(({ text }) => text)).toEqual([
      "Make a filter",
      "Find the cheapest plan",
      "Make a config",
    ]);
  });

  const isCardLink = ({ tag, attributes }: (typeof elements)[number]): boolean =>
    tag === "a" && tools.some((tool) => toolPagePath(tool) === attributes.href);

  test.each([
    ["mail and its label", "Money/Bills"],
    ["a price", "Professional, $27.65 a month"],
    ["a server for its clients", "npx -y @modelcontextprotocol/server-filesystem"],
  ])("the cards show what the examples give: %s", (_, text) => {
    expect(cardsOf(elements).filter((card) => card.text.includes(text))).toHaveLength(1);
  });

  test("the cards go by the operator's prices", async () => {
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
    const site = runningServer({ priceBook: own });
    const [, card] = cardsOf(await elementsOf(await site.text("/")));
    expect(card?.text).toContain("Professional, $39.00 a month");
  });

  const waysOf = (page: typeof elements) =>
    page
      .slice(page.findIndex(({ attributes }) => attributes.class === "ways"))
      .flatMap(({ tag, text }) => (tag === "code" ? text : []));

  const WAYS = [`${BASE_URL}/mcp`, `curl '${BASE_URL}/api/tools'`];

  test("the home page has a line of code for each way that works for the reader", () => {
    expect(waysOf(elements)).toEqual(WAYS);
  });

  test("the home page shows a command and the library when the package is published", async () => {
    const page = await elementsOf(
      await runningServer({ config: readConfig({ NPM_PACKAGE: "@me/tools" }) }).text("/"),
    );
    expect(waysOf(page)).toEqual([
      ...WAYS,
      "npx @me/tools example mail-filter | npx @me/tools mail-filter -",
      'import { mailFilter } from "@me/tools";',
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
      await linksOf(runningServer({ config: readConfig({ SOURCE_URL: sourceUrl }), signup })),
    ).toEqual([sourceUrl, privacyUrl]);
  });

  test("the home page leads an agent to a text where it cannot connect", async () => {
    const page = await elementsOf(
      await runningServer({ config: readConfig({ MCP: "off" }) }).text("/"),
    );
    expect(waysOf(page)).toEqual([`curl '${BASE_URL}/api/tools'`]);
    const ways = page.find(({ attributes }) => attributes.class === "ways");
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

function fail(): never {
  throw new Error("The page lacks what the test is about");
}
