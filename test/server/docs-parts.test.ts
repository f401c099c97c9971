import { describe, expect, test } from "bun:test";
import { fieldTable, limits, typeName } from "../../server/pages/docs/schema.ts";
import { curlGet, curlPost, inline, prose } from "../../server/pages/parts.ts";
import { elementsOf } from "./page-elements.ts";

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
