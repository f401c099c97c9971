import { describe, expect, test } from "bun:test";
import { openApi } from "../../src/index.ts";
import { lookUp, objectsIn, operationsOf, pointerOf } from "./document-parts.ts";

const document = openApi({ baseUrl: "https://tools.example" });
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
