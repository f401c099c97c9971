import { describe, expect, test } from "bun:test";
import { elementsOf, type PageElement } from "../page-elements.ts";
import { BASE_URL, runningServer } from "../running-server.ts";

const server = runningServer();
const elementsAt = async (path: string) =>
  elementsOf(await (await server.fetch(path, { headers: { Accept: "text/html" } })).text());

const metaOf = (elements: readonly PageElement[], name: string) =>
  elements.flatMap(({ attributes }) =>
    attributes.name === name || attributes.property === name ? (attributes.content ?? []) : [],
  );

describe("the navigation marks", () => {
  test.each([
    ["/", undefined],
    ["/tools", "Tools"],
    ["/tools/mail-filter-generator", "Gmail filter generator"],
    ["/tools/mail-filter-generator?do=clear", "Gmail filter generator"],
    ["/docs", "API"],
    ["/no-such-page", undefined],
  ])("on %s: %p", async (path, text) => {
    const marked = (await elementsAt(path)).filter(
      ({ attributes }) => attributes["aria-current"] === "page",
    );
    expect(marked.map((link) => link.text)).toEqual(text === undefined ? [] : [text]);
  });
});

test("a link to a page is shown with the page's own title, text and address", async () => {
  const elements = await elementsAt("/tools");
  expect(metaOf(elements, "og:title")).toEqual(["Tools"]);
  expect(metaOf(elements, "og:description")).toEqual(metaOf(elements, "description"));
  expect(metaOf(elements, "og:url")).toEqual([`${BASE_URL}/tools`]);
});

test("an address that is none is not shown as one", async () => {
  const elements = await elementsAt("/no-such-page");
  expect(metaOf(elements, "og:url")).toEqual([]);
  expect(elements.filter(({ attributes }) => attributes.rel === "canonical")).toEqual([]);
});

test("the window has the colours of the paper", async () => {
  const elements = await elementsAt("/");
  const style = elements.find(({ attributes }) => attributes.rel === "stylesheet");
  const css = await server.text(style?.attributes.href ?? "");
  const colours = metaOf(elements, "theme-color");
  expect(colours).toHaveLength(2);
  for (const colour of colours) expect(css).toContain(colour);
});

test("the first link leads past the navigation to the main part", async () => {
  const elements = await elementsAt("/docs");
  const [first] = elements.filter(({ tag }) => tag === "a");
  expect(first?.attributes.href).toBe("#main");
  expect(elements.find(({ tag }) => tag === "main")?.attributes.id).toBe("main");
});
