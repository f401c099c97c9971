import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { describeTool } from "../../src/describe-tool.ts";
import { callTool, openApi } from "../../src/index.ts";
import { compile } from "../schemas/json-schema-validator.ts";
import { dereference, isObject, objectsIn } from "./document-parts.ts";

const baseUrl = "https://tools.example";
const document = openApi({ baseUrl });

/** Whether a value fits a schema of the document, which may refer to its components. */
function fitter(schema: unknown): (value: unknown) => boolean {
  const whole = dereference(schema, document);
  if (!isObject(whole)) throw new TypeError("The document has no such schema");
  return compile(whole);
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
      for (const key of keys) {
        const others = Object.entries(description).filter(([name]) => name !== key);
        expect(fits(Object.fromEntries(others))).toBe(false);
      }
    },
  );

  test("take the list of the tools", () => {
    const fits = fitter(schemas.ToolList);
    expect(fits({ tools: tools.map((tool) => describeTool(tool, baseUrl)) })).toBe(true);
    expect(fits({ tools: [{}] })).toBe(false);
    expect(fits({})).toBe(false);
  });

  test("take an error with a known code and a message, and nothing else", () => {
    const fits = fitter(schemas.Error);
    expect(fits({ error: { code: "not_found", message: "" } })).toBe(true);
    expect(fits({ error: { code: "teapot", message: "" } })).toBe(false);
    expect(fits({ error: { code: "not_found", message: "", issues: [] } })).toBe(false);
  });
});
