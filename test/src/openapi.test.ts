import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tools } from "../../schemas/index.ts";
import { describeTool } from "../../src/describe-tool.ts";
import { callTool, jsonSchema, openApi } from "../../src/index.ts";
import { compile } from "../schemas/from-schema.ts";
import {
  dereference,
  isObject,
  lookUp,
  objectsIn,
  operationsOf,
  pointerOf,
} from "../support/openapi.ts";

const baseUrl = "https://tools.example";
const document = openApi({ baseUrl });
const pointers = objectsIn(document).flatMap((object) => pointerOf(object) ?? []);

describe("the OpenAPI document", () => {
  test("is of OpenAPI 3.1.1 and describes version 1.0.0 of the service", () => {
    expect(document.openapi).toBe("3.1.1");
    expect(document.info.version).toBe("1.0.0");
    expect(document.info.license).toEqual({ name: "MIT", identifier: "MIT" });
    expect(document).not.toHaveProperty("jsonSchemaDialect");
  });

  test("has exactly the operations of the specification", () => {
    const operations = operationsOf(document);
    expect(
      operations.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`),
    ).toEqual([
      "listTools get /api/tools",
      "get_mail_filter_generator get /api/tools/mail-filter-generator",
      "run_mail_filter_generator post /api/tools/mail-filter-generator",
      "get_automation_cost_calculator get /api/tools/automation-cost-calculator",
      "run_automation_cost_calculator post /api/tools/automation-cost-calculator",
      "get_mcp_config_generator get /api/tools/mcp-config-generator",
      "run_mcp_config_generator post /api/tools/mcp-config-generator",
      "getHealth get /api/health",
      "createBetaSignup post /api/beta-signup",
    ]);
  });

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

  test("states the dialect of its schemas once for all", () => {
    expect(JSON.stringify(document)).not.toContain('"$schema"');
  });

  test("is the same at every call", () => {
    const again = openApi({ baseUrl: "https://tools.example" });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });

  test("changes with the base URL in its server only", () => {
    const { servers, ...rest } = openApi({ baseUrl: "http://localhost:3000" });
    expect(servers).toEqual([{ url: "http://localhost:3000" }]);
    expect({ ...rest, servers: document.servers }).toEqual(document);
  });

  test("is data that JSON carries without loss", () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
  });
});

describe("the OpenAPI document of a service without a signup", () => {
  const without = openApi({ baseUrl, signup: false });

  test("has every other operation as it is", () => {
    const { "/api/beta-signup": _, ...others } = document.paths;
    expect(without.paths).toEqual(others);
  });

  test("does not mention a signup, a newsletter or the shared secret", () => {
    expect(JSON.stringify(document)).toMatch(/signup.*INGEST_SECRET/i);
    expect(JSON.stringify(without)).not.toMatch(/sign-?up|newsletter|INGEST_SECRET/i);
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

/** UPDATE_GOLDEN=1 writes what the document says now; read the diff before you commit it. */
test("the OpenAPI document is the golden one", () => {
  const file = join(import.meta.dir, "../golden/openapi.json");
  const text = `${JSON.stringify(openApi({ baseUrl: "https://tools.example" }), null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, text);
  expect(existsSync(file) && readFileSync(file, "utf8")).toBe(text);
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

describe.each(tools.map((tool) => [tool.name, tool] as const))(
  "the operations of %s",
  (name, tool) => {
    const operations = new Map(operationsOf(document).map((each) => [each.operationId, each]));
    const operation = (id: string) => dereference(operations.get(id), document);
    const { $schema: _, ...input } = jsonSchema(tool.input);
    const { $schema: __, ...result } = jsonSchema(tool.output);

    test("take the input of its contract, as a text in the query and as a body", () => {
      expect(operation(`get_${name}`)).toHaveProperty(["parameters", 0], {
        name: "input",
        in: "query",
        required: false,
        description: expect.stringContaining("16 KiB"),
        schema: { type: "string", contentMediaType: "application/json", contentSchema: input },
        example: JSON.stringify(tool.example_input),
      });
      const content = ["content", "application/json", "schema"];
      expect(operation(`run_${name}`)).toHaveProperty(["requestBody", ...content], input);
      expect(operation(`run_${name}`)).toHaveProperty(["responses", "200", ...content], result);
    });

    test("ask for POST by those who send secrets, where there may be some", () => {
      const advice = "Send an input that holds secrets by POST";
      const { description = "" } = operations.get(`get_${name}`) ?? {};
      expect(description.includes(advice)).toBe(tool.sensitive);
    });
  },
);
