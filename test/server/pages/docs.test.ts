import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { curlGet, curlPost } from "../../../server/pages/curl.ts";
import { listOperations } from "../../../server/pages/docs/document.ts";
import { fieldTable, limits, typeName } from "../../../server/pages/docs/schema.ts";
import { inline, prose } from "../../../server/pages/parts.ts";
import { openApi } from "../../../src/openapi.ts";
import { hasProgram } from "../../support/programs.ts";
import { elementsOf } from "../support/expect.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

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
    listOperations(document).map((operation) => [operation.operationId, operation] as const),
  )("a section for %s", (id, { method, path, summary }) => {
    const heading = elements.find(({ attributes }) => attributes.id === id);
    expect(heading).toMatchObject({ tag: "h2", text: `${method} ${path}` });
    expect(textsOf("p")).toContain(summary);
  });

  test("two operations for each tool, their list, the health check and the signup", () => {
    expect(listOperations(document)).toHaveLength(2 * tools.length + 3);
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

  test.each(listOperations(document).map(({ path }) => path))("a command for %s", (path) => {
    expect(commands.some((command) => command.includes(`'${BASE_URL}${path}'`))).toBe(true);
  });

  const open = commands.filter((text) => /\/api\/(?:tools|health)/.test(text));

  test
    .if(hasProgram("curl"))
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

describe("the documentation tells how", async () => {
  const told = async (service: Parameters<typeof runningServer>[0]) => {
    const page = await elementsOf(await runningServer(service).text("/docs"));
    return page
      .filter(({ tag, attributes }) => tag === "code" && attributes.id !== undefined)
      .flatMap(({ attributes, text }) =>
        /^(?:mcp|filters)-/.test(attributes.id ?? "") ? text : [],
      );
  };
  const MCP = [`${BASE_URL}/mcp`, `claude mcp add --transport http handtools ${BASE_URL}/mcp`];

  test("agents connect", async () => {
    expect(await told({})).toEqual(MCP);
  });

  test("existing filters are read, compared and imported, where the command works", async () => {
    expect(await told({ npmPackage: "@me/tools", mcp: false })).toEqual([
      "npx @me/tools mail-filter read mailFilters.xml > filters.json",
      "npx @me/tools mail-filter diff mailFilters.xml filters.json",
      "npx @me/tools mail-filter missing mailFilters.xml filters.json > new.xml",
    ]);
  });
});

describe("the documentation as a page", () => {
  test("has links to its own sections", () => {
    const anchors = attributesOf("href").filter((href) => href.startsWith("#"));
    expect(anchors.length).toBeGreaterThan(20);
  });

  test("names rows and columns of every table", () => {
    expect(attributesOf("scope").length).toBe(textsOf("th").length);
    expect(textsOf("table").length).toBeGreaterThan(20);
  });
});

describe("prose()", () => {
  test.each([
    ["One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>\n"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>\n"],
    ["a < b & `c`", "<p>a &lt; b &amp; <code>c</code></p>\n"],
  ])("of %j", (text, markup) => {
    expect(prose(text).markup).toBe(markup);
  });
});

describe("inline()", () => {
  test("lets a long name break after its punctuation", () => {
    expect(inline("`a_b.c`").markup).toBe("<code>a_<wbr>b.<wbr>c</code>");
  });

  test("takes no markup from a code", () => {
    expect(inline("`<b>`").markup).toBe("<code>&lt;b&gt;</code>");
  });
});

describe("limits()", () => {
  test.each([
    [{ type: "string", minLength: 1 }, ["at least 1 character"]],
    [{ type: "string", maxLength: 80 }, ["at most 80 characters"]],
    [{ type: "integer", minimum: 0, maximum: 10_000_000 }, ["0 to 10,000,000"]],
    [{ type: "number", exclusiveMinimum: 0, maximum: 50 }, ["at most 50", "more than 0"]],
    [{ enum: ["a", "b"], default: "a" }, ["one of `a`, `b`", "`a` by default"]],
    [{ type: "boolean", default: false }, ["`false` by default"]],
    [
      { type: "array", minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 200 } },
      ["1 to 20 items", "each 1 to 200 characters"],
    ],
    [
      { propertyNames: { pattern: "^A$" }, additionalProperties: { maxLength: 9 } },
      ["name matches `^A$`", "value at most 9 characters"],
    ],
    [{ type: "object", additionalProperties: false }, []],
  ])("of %j", (schema, words) => {
    expect(limits(schema)).toEqual(words);
  });
});

describe("typeName()", () => {
  test.each([
    [{ type: "string" }, "string"],
    [{ type: "array", items: { type: "array", items: { type: "object" } } }, "object[][]"],
    [{ additionalProperties: { type: "string" } }, "map of string"],
    [{ const: "USD" }, "&quot;USD&quot;"],
    [{ anyOf: [{ type: "object" }, { type: "null" }] }, "object or null"],
    [{ $ref: "#/components/schemas/Thing" }, '<a href="#Thing">Thing</a>'],
  ])("of %j", (schema, markup) => {
    expect(typeName(schema).markup).toBe(markup);
  });
});

describe("fieldTable()", () => {
  test("names the fields within objects, lists and alternatives by their paths", async () => {
    const leaf = { type: "object", properties: { b: { type: "string" } } };
    const { markup } = fieldTable("Thing", {
      properties: {
        object: { ...leaf, required: ["b"] },
        list: { type: "array", items: leaf },
        either: { anyOf: [leaf, { type: "null" }] },
      },
      required: ["list"],
    });
    const elements = await elementsOf(markup);
    const rows = elements.filter(({ attributes }) => attributes.scope === "row");
    expect(rows.map(({ text }) => text)).toEqual([
      "object object",
      "object.b string, required",
      "list object[], required",
      "list[].b string",
      "either object or null",
      "either.b string",
    ]);
  });
});

describe("a curl command", () => {
  test.each([
    ["GET", curlGet("http://x.test/a")],
    ["GET with a parameter", curlGet("http://x.test/a", { name: "input", json: "it's $HOME" })],
    ["POST", curlPost("http://x.test/a", "it's $HOME")],
  ])("by %s reaches curl as it was meant", async (_, command) => {
    const shell = Bun.spawn(["sh", "-c", `curl() { printf '%s\\n' "$@"; }; ${command}`]);
    const words = (await new Response(shell.stdout).text()).trimEnd().split("\n");
    expect(words).toContain("http://x.test/a");
    if (command.includes("--data-urlencode")) expect(words).toContain(`input="it's $HOME"`);
    if (command.includes("--data ")) expect(words).toContain(`"it's $HOME"`);
  });
});
