import { expect, test } from "bun:test";
import { automationCostContract, tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { callTool, priceBook } from "../../../src/index.ts";
import { elementsOf } from "../page-elements.ts";
import { BASE_URL, runningServer } from "../running-server.ts";

const server = runningServer();
const elements = await elementsOf(await server.text("/"));

const cardsOf = (page: typeof elements) =>
  page.filter(({ attributes }) => attributes.class === "tool-card");

test("the home page has a card for each tool, which leads to it", () => {
  const cards = cardsOf(elements);
  expect(cards).toHaveLength(tools.length);
  const headings = elements.slice(elements.indexOf(cards[0] ?? fail())).filter(isCardLink);
  expect(headings.map(({ text }) => text)).toEqual(tools.map(({ title }) => title));
});

const isCardLink = ({ tag, attributes }: (typeof elements)[number]): boolean =>
  tag === "a" && tools.some((tool) => toolPagePath(tool) === attributes.href);

test.each([
  ["a search", "from:(billing@acme.example OR @shop.example)"],
  ["a price", "Professional, $27.65 a month"],
  ["a config", '[mcp_servers.files]\ncommand = "npx"'],
])("the cards show what the examples give: %s", (_, text) => {
  expect(cardsOf(elements).filter((card) => card.text.includes(text))).toHaveLength(1);
});

test("the cards go by the operator's settings", async () => {
  const { name, example_input } = automationCostContract;
  const [first, ...others] = priceBook.professional;
  const dearer = { ...first, annual: { ...first?.annual, cents: 3_500 } };
  const price_book = { ...priceBook, professional: [dearer, ...others] };
  expect(callTool(name, example_input, { price_book })).toMatchObject({
    ok: true,
    value: { cheapest: { monthly_price: 39 } },
  });
  const site = runningServer({ settings: { [name]: { price_book } } });
  const [, card] = cardsOf(await elementsOf(await site.text("/")));
  expect(card?.text).toContain("Professional, $39.00 a month");
});

test("the home page has a line of code for each way to use the tools without it", () => {
  const lines = elements.filter(({ attributes }) => attributes.id?.startsWith("way-"));
  expect(lines.filter(({ tag }) => tag === "code").map(({ text }) => text)).toEqual([
    "npx handtools example mail-filter | npx handtools mail-filter -",
    `curl '${BASE_URL}/api/tools'`,
    "await document.modelContext?.getTools()",
  ]);
});

test("the home page has a signup of its own besides that of every page", () => {
  const sources = elements.filter(({ attributes }) => attributes.name === "ctaSource");
  expect(sources.map(({ attributes }) => attributes.value)).toEqual(["hero", "footer"]);
});

test("the home page tells search engines what site it is", () => {
  const data = elements.find(({ attributes }) => attributes.type === "application/ld+json");
  expect(JSON.parse(data?.text ?? "")).toMatchObject({
    "@type": "WebSite",
    name: "Handtools",
    url: `${BASE_URL}/`,
  });
});

function fail(): never {
  throw new Error("The page lacks what the test is about");
}
