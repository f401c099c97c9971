import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { DOCS_PATHS } from "../../../server/pages/docs/docs.tsx";
import { toolPagePath } from "../../../server/paths.ts";
import { elementsOf, type PageElement } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const server = runningServer();
const asBrowser = (path: string) => server.fetch(path, { headers: { Accept: "text/html" } });
const elementsAt = async (path: string) => elementsOf(await (await asBrowser(path)).text());

const metaOf = (elements: readonly PageElement[], name: string) =>
  elements.flatMap(({ attributes }) =>
    attributes.name === name || attributes.property === name ? (attributes.content ?? []) : [],
  );

describe("the navigation marks", () => {
  test.each([
    ["/", undefined],
    ["/tools/mail-filter-generator", "Gmail filter"],
    ["/tools/mail-filter-generator?do=clear", "Gmail filter"],
    ["/docs", "API"],
    ["/docs/service", "API"],
    ["/no-such-page", undefined],
  ])("on %s: %p", async (path, text) => {
    const marked = (await elementsAt(path)).filter(
      ({ attributes }) => attributes["aria-current"] === "page",
    );
    expect(marked.map((link) => link.text)).toEqual(text === undefined ? [] : [text]);
  });
});

test("a link to a page is shown with the page's own title, text and address", async () => {
  const elements = await elementsAt("/docs");
  expect(metaOf(elements, "og:title")).toEqual(["API"]);
  expect(metaOf(elements, "og:description")).toEqual(metaOf(elements, "description"));
  expect(metaOf(elements, "og:url")).toEqual([`${BASE_URL}/docs`]);
});

/** The width and height of a PNG, from its header. */
const sizeOf = (png: Buffer, offset = 0): readonly number[] => [
  png.readUInt32BE(offset + 16),
  png.readUInt32BE(offset + 20),
];

const PNG = "\x89PNG\r\n\x1a\n";

test("a link to a page is shown with an image of the size that is said", async () => {
  const elements = await elementsAt("/");
  const [url = ""] = metaOf(elements, "og:image");
  expect(url).toStartWith(`${BASE_URL}/assets/`);
  const response = await server.fetch(url.slice(BASE_URL.length));
  expect(response.headers.get("content-type")).toBe("image/png");
  const image = Buffer.from(await response.arrayBuffer());
  expect(image.toString("latin1", 0, 8)).toBe(PNG);
  expect(sizeOf(image)).toEqual([1_200, 630]);
  const said = ["og:image:width", "og:image:height"].flatMap((name) => metaOf(elements, name));
  expect(said).toEqual(sizeOf(image).map(String));
  expect(image.length).toBeLessThan(100_000);
  expect(metaOf(elements, "twitter:card")).toEqual(["summary_large_image"]);
});

test("the site has an icon where browsers look for one unasked", async () => {
  const response = await server.fetch("/favicon.ico");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
  const icon = Buffer.from(await response.arrayBuffer());
  const entries = Array.from({ length: icon.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
  const images = entries.map((entry) => icon.readUInt32LE(entry + 12));
  expect(images.map((image) => icon.toString("latin1", image, image + 8))).toEqual(
    images.map(() => PNG),
  );
  const sizes = [16, 32, 48].map((size) => [size, size]);
  expect(images.map((image) => sizeOf(icon, image))).toEqual(sizes);
  expect(entries.map((entry) => [icon[entry], icon[entry + 1]])).toEqual(sizes);
});

test("a text that is not an address is not shown as one", async () => {
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

const PAGES = ["/", ...tools.map(toolPagePath), ...DOCS_PATHS];
const NOWHERE = "/no-such-page";

/** The tools' pages in their other states: blank, rejected, and with warnings. */
const STATES = [
  "/tools/mail-filter-generator?do=clear",
  "/tools/mail-filter-generator?filters[0].from=-a&filters[2].label=b&filters[2].to=",
  "/tools/mail-filter-generator?filters[0].from=Bob+<b@x.example>&filters[0].delete=on&do=add+filters",
  "/tools/automation-cost-calculator?zaps[0].action_steps=x&billing=weekly",
  "/tools/automation-cost-calculator?zaps[0].action_steps=9&zaps[0].runs_per_month=9999999",
  "/tools/mcp-config-generator?name=a+b&env[0].key=1&env[1].key=A&env[2].key=A",
  "/tools/mcp-config-generator?name=a&url=http://x.example/mcp%23f&headers[0].key=B&headers[0].value=c",
  '/tools/mcp-config-generator?input={"name":"a","command":"b\\nc","args":["$HOME",""]}',
];

const valuesOf = (elements: readonly PageElement[], name: string): readonly string[] =>
  elements.flatMap(({ attributes }) => attributes[name] ?? []);

/** The attributes that name other elements by their ids. */
const REFERENCES = ["for", "aria-labelledby", "aria-describedby", "aria-controls", "data-copy"];

describe.each([...PAGES, NOWHERE, ...STATES])("%s", (path) => {
  test("has ids once each, and names no other", async () => {
    const elements = await elementsAt(path);
    const ids = valuesOf(elements, "id");
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const anchors = valuesOf(elements, "href").filter((href) => href.startsWith("#"));
    const named = [
      ...anchors.map((href) => decodeURIComponent(href.slice(1))),
      ...REFERENCES.flatMap((name) => valuesOf(elements, name)).flatMap((value) =>
        value.split(" "),
      ),
    ];
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("has nothing inline that its policy forbids", async () => {
    const elements = await elementsAt(path);
    const scripts = elements.filter(({ tag }) => tag === "script");
    const inline = scripts.filter(({ attributes }) => attributes.src === undefined);
    expect(inline.filter(({ attributes }) => attributes.type !== "application/ld+json")).toEqual(
      [],
    );
    expect(elements.filter(({ tag }) => tag === "style")).toEqual([]);
    const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
  });

  test("loads from its own server alone", async () => {
    const elements = await elementsAt(path);
    const loaded = elements.filter(
      ({ tag, attributes }) =>
        tag !== "link" || attributes.rel === "stylesheet" || attributes.rel === "icon",
    );
    const sources = [
      ...valuesOf(loaded, "src"),
      ...valuesOf(loaded, "srcset"),
      ...loaded.filter(({ tag }) => tag === "link").map(({ attributes }) => attributes.href ?? ""),
    ];
    expect(sources.length).toBeGreaterThan(2);
    expect(sources.filter((source) => !source.startsWith("/assets/"))).toEqual([]);
  });

  test("has one h1, and headings that skip no level", async () => {
    const levels = (await elementsAt(path)).flatMap(({ tag }) =>
      /^h[1-6]$/.test(tag) ? [Number(tag.slice(1))] : [],
    );
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    const skips = levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1);
    expect(skips).toEqual([]);
  });

  test("has links to what exists only", async () => {
    const hrefs = valuesOf(await elementsAt(path), "href").map((href) =>
      href.replace(BASE_URL, ""),
    );
    const own = hrefs
      .filter((href) => href.startsWith("/"))
      .map((href) => href.split("#")[0] ?? "");
    expect(own.length).toBeGreaterThan(5);
    for (const href of new Set(own)) {
      expect([href, (await server.fetch(href)).status]).toEqual([href, 200]);
    }
  });
});

describe.each(PAGES)("%s", (path) => {
  test("says what it is, and where", async () => {
    const elements = await elementsAt(path);
    const meta = elements.find(({ attributes }) => attributes.name === "description");
    expect(meta?.attributes.content?.length).toBeWithin(20, 300);
    const canonical = elements.find(({ attributes }) => attributes.rel === "canonical");
    expect(canonical?.attributes.href).toBe(`${BASE_URL}${path}`);
    expect(elements.find(({ tag }) => tag === "title")?.text).toEndWith(" – Handtools");
  });
});

test("no two pages have the same title or description", async () => {
  const heads = await Promise.all(
    PAGES.map(async (path) => {
      const elements = await elementsAt(path);
      const meta = elements.find(({ attributes }) => attributes.name === "description");
      return [elements.find(({ tag }) => tag === "title")?.text, meta?.attributes.content];
    }),
  );
  expect(new Set(heads.flat()).size).toBe(2 * PAGES.length);
});
