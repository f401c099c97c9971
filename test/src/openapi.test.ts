import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { describeTool } from "../../src/describe-tool.ts";
import { callTool } from "../../src/index.ts";
import { compile } from "../schemas/from-schema.ts";
import {
  dereference,
  isObject,
  lookUp,
  objectsIn,
  operationsOf,
  pointerOf,
  readDocument,
} from "../support/openapi.ts";

const baseUrl = "https://tools.example";
const document = readDocument({ baseUrl });
const pointers = objectsIn(document).flatMap((object) => pointerOf(object) ?? []);

describe("the OpenAPI document", () => {
  test("puts every operation under a described tag", () => {
    const tags = document.tags.map(({ name }) => name);
    const used = operationsOf(document).flatMap(({ tags }) => tags);
    expect([...new Set(used)]).toEqual(tags);
    for (const { description } of document.tags) expect(description).not.toBe("");
  });

  test("has no reference that leads nowhere, and no component that nothing refers to", () => {
    expect(pointers.filter((pointer) => lookUp(pointer, document) === undefined)).toEqual([]);
    const components = Object.entries(document.components).flatMap(([section, entries]) =>
      Object.keys(entries).map((name) => `#/components/${section}/${name}`),
    );
    const used = [...new Set(pointers), "#/components/securitySchemes/ingestSecret"];
    expect(used.sort()).toEqual(components.sort());
  });
});

describe("the OpenAPI document of a service without a signup", () => {
  const without = readDocument({ baseUrl, signup: false });

  test("has every other operation as it is", () => {
    const { "/api/beta-signup": _, ...others } = document.paths;
    expect(without.paths).toEqual(others);
  });

  test("has no tag without an operation, and no component that nothing refers to", () => {
    const used = operationsOf(without).flatMap(({ tags }) => tags);
    expect([...new Set(used)]).toEqual(without.tags.map(({ name }) => name));
    const components = Object.entries(without.components).flatMap(([section, entries]) =>
      Object.keys(entries).map((name) => `#/components/${section}/${name}`),
    );
    const referred = objectsIn(without).flatMap((object) => pointerOf(object) ?? []);
    expect([...new Set(referred)].sort()).toEqual(components.sort());
  });
});

const compiled = new Map<string, (value: unknown) => boolean>();

/** Checks values against a schema of the document, which may refer to its components. */
function fitter(schema: unknown): (value: unknown) => boolean {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known;
  const whole = dereference(schema, document);
  if (!isObject(whole)) throw new TypeError("The document has no such schema");
  const fits = compile(whole);
  compiled.set(key, fits);
  return fits;
}

describe("the examples of the OpenAPI document", () => {
  const bodies = objectsIn([document.paths, document.components.responses])
    .flatMap((object) => ("content" in object && isObject(object.content) ? object.content : []))
    .flatMap((content) => Object.values(content));

  test("fit their schemas", () => {
    const misfits = bodies.flatMap(({ schema, examples = {} }) => {
      const fits = fitter(schema);
      const values = Object.values(examples).map((example) => dereference(example, document));
      return values.filter(
        (example) => !isObject(example) || !("value" in example) || !fits(example.value),
      );
    });
    expect(misfits).toEqual([]);
  });

  test("are there for every body but the list of the tools", () => {
    expect(bodies.filter(({ examples }) => examples === undefined)).toEqual([
      { schema: { $ref: "#/components/schemas/ToolList" } },
    ]);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "of %s are a real run",
    (name, tool) => {
      const outcome = callTool(name, tool.example_input);
      const examples = Object.values(document.components.examples).map(({ value }) => value);
      expect(outcome.ok).toBe(true);
      expect(examples).toContainEqual(tool.example_input);
      expect(examples).toContainEqual(outcome.ok && outcome.value);
    },
  );
});

describe("the schemas of the OpenAPI document", () => {
  const { schemas } = document.components;

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "take the description of %s, and none without or beyond its nine keys",
    (_, tool) => {
      const fits = fitter(schemas.ToolDescription);
      const description = describeTool(tool, baseUrl);
      expect(fits(description)).toBe(true);
      expect(fits({ ...description, more: "" })).toBe(false);
      const keys = Object.keys(description);
      expect(keys).toHaveLength(9);
      for (const key of keys) expect(fits({ ...description, [key]: undefined })).toBe(false);
    },
  );

  const tool = describeTool(tools[0], baseUrl);
  const error = (fields: object) => ({ error: { code: "not_found", message: "", ...fields } });
  test.each<[keyof typeof schemas, unknown, boolean]>([
    ["ToolList", { tools: [tool] }, true],
    ["ToolList", { tools: [{}] }, false],
    ["ToolList", {}, false],
    ["Error", error({}), true],
    ["Error", error({ code: "teapot" }), false],
    ["Error", error({ issues: [] }), false],
  ])("%s takes %j: %p", (name, value, fits) => expect(fitter(schemas[name])(value)).toBe(fits));
});
