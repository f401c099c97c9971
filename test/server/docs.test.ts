import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { endpointsOf } from "../../server/pages/docs/endpoint.ts";
import { openApi } from "../../src/openapi.ts";
import { elementsOf } from "./page-elements.ts";
import { BASE_URL, runningServer } from "./running-server.ts";

const server = runningServer();
const document = openApi({ baseUrl: BASE_URL });
const page = await server.text("/docs");
const elements = await elementsOf(page);

const textsOf = (tag: string) =>
  elements.filter((element) => element.tag === tag).map(({ text }) => text);

const attributesOf = (name: string): readonly string[] =>
  elements.flatMap(({ attributes }) => attributes[name] ?? []);

describe("the documentation has", () => {
  test.each(
    endpointsOf(document).map((endpoint) => [endpoint.operation.operationId, endpoint] as const),
  )("a section for %s", (id, { method, path, operation }) => {
    const heading = elements.find(({ attributes }) => attributes.id === id);
    expect(heading).toMatchObject({ tag: "h3", text: `${method} ${path}` });
    expect(textsOf("p")).toContain(operation.summary);
  });

  test("all nine operations", () => {
    expect(endpointsOf(document)).toHaveLength(9);
  });

  test.each(tools.map(({ function: name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`))(
    "every field of %sInput and of its result",
    (name) => {
      for (const schema of [`${name}Input`, `${name}Result`]) {
        const fields = Object.keys(document.components.schemas[schema]?.properties ?? {});
        expect(fields).not.toEqual([]);
        const table = elements.find(
          ({ attributes }) => attributes["aria-label"] === `Fields of ${schema}`,
        );
        for (const field of fields) expect(table?.text).toContain(field);
      }
    },
  );

  test("every error code with its status", () => {
    const table = elements.find(({ attributes }) => attributes["aria-label"] === "Errors");
    const codes =
      document.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
    expect(codes).toHaveLength(8);
    for (const code of codes) expect(table?.text).toContain(String(code));
  });

  const commands = textsOf("pre").filter((text) => text.startsWith("curl"));

  test.each(endpointsOf(document).map(({ path }) => path))("a command for %s", (path) => {
    expect(commands.some((command) => command.includes(`'${BASE_URL}${path}'`))).toBe(true);
  });

  const open = commands.filter((text) => /\/api\/(?:tools|health)/.test(text));

  test
    .skipIf(Bun.which("curl") === null)
    .each(open.map((text, index) => [`${index + 1} of ${open.length}`, text]))(
    "commands that run, %s",
    async (_, command) => {
      const local = command.replaceAll(BASE_URL, server.origin);
      const shell = Bun.spawn(["sh", "-c", `${local} --silent --show-error --fail-with-body`]);
      const output = await new Response(shell.stdout).json();
      expect(await shell.exited).toBe(0);
      if (/ --data(?:-urlencode)? /.test(command)) expect(output).toHaveProperty("warnings", []);
    },
  );
});

describe("the documentation as a page", () => {
  test("has one h1, and headings that skip no level", () => {
    const levels = elements
      .filter(({ tag }) => /^h[1-6]$/.test(tag))
      .map(({ tag }) => Number(tag.slice(1)));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  test("has ids once each, and no link within the page leads nowhere", () => {
    const ids = attributesOf("id");
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = attributesOf("href").filter((href) => href.startsWith("#"));
    expect(anchors.length).toBeGreaterThan(20);
    expect(anchors.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    const labels = attributesOf("aria-labelledby");
    expect(labels.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("has links to what exists only", async () => {
    const paths = attributesOf("href")
      .filter((href) => !href.startsWith("#"))
      .map((href) => href.replace(BASE_URL, ""));
    for (const path of new Set(paths)) {
      expect([path, (await server.fetch(path)).status]).toEqual([path, 200]);
    }
  });

  test("names rows and columns of every table", () => {
    expect(attributesOf("scope").length).toBe(textsOf("th").length);
    expect(textsOf("table").length).toBeGreaterThan(20);
  });

  test("has no script, no inline style and a policy that forbids both", async () => {
    expect(textsOf("script")).toEqual([]);
    expect(textsOf("style")).toEqual([]);
    expect(attributesOf("style")).toEqual([]);
    const { headers } = await server.fetch("/docs");
    expect(headers.get("content-security-policy")).toStartWith(
      "default-src 'none'; style-src 'self'",
    );
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("names the version of its style, which may be kept for good", async () => {
    const href = attributesOf("href").find((path) => path.startsWith("/styles.css")) ?? "";
    expect(href).toMatch(/^\/styles\.css\?v=[\w-]{8}$/);
    const style = await server.fetch(href);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(style.headers.get("cache-control")).toContain("immutable");
  });
});
