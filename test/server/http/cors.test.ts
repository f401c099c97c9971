import { describe, expect, test } from "bun:test";
import { asQuery, COST, jsonPost, MCP, MCP_INPUT } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const allowedOrigin = async (path: string, init: RequestInit = {}) => {
  const headers = { ...init.headers, Origin: "https://agent.test" };
  const response = await server.fetch(path, { ...init, headers });
  return { status: response.status, origin: response.headers.get("access-control-allow-origin") };
};

const large = "x".repeat(16_385);
const wrongType = jsonPost(MCP_INPUT, "text/plain");

describe("scripts of any site may read", () => {
  test.each<[number, string, string, RequestInit]>([
    [200, "the list", "/api/tools", {}],
    [200, "a description", MCP, {}],
    [200, "a result by GET", MCP + asQuery(MCP_INPUT), {}],
    [200, "a result by POST", MCP, jsonPost(MCP_INPUT)],
    [200, "the headers", MCP, { method: "HEAD" }],
    [204, "the preflight", MCP, { method: "OPTIONS" }],
    [200, "the health check", "/api/health", {}],
    [200, "the catalog", "/.well-known/api-catalog", {}],
    [200, "the OpenAPI document", "/openapi.json", {}],
    [400, "a wrong query", `${COST}?input={`, {}],
    [400, "a wrong body", COST, jsonPost("{")],
    [404, "that there is no such tool", "/api/tools/zz", {}],
    [404, "that there is no such tool, by POST", "/api/tools/zz", jsonPost("{}")],
    [405, "a wrong method on the list", "/api/tools", { method: "PUT" }],
    [405, "a wrong method on a tool", COST, { method: "PUT" }],
    [405, "a wrong method on the health check", "/api/health", { method: "POST" }],
    [405, "a wrong method on the catalog", "/.well-known/api-catalog", { method: "POST" }],
    [405, "a wrong method on the document", "/openapi.json", { method: "POST" }],
    [413, "that a query is too large", COST + asQuery(large), {}],
    [413, "that a body is too large", COST, jsonPost(large)],
    [415, "a wrong type", COST, wrongType],
  ])("%d %s", async (status, _, path, init) => {
    expect(await allowedOrigin(path, init)).toEqual({ status, origin: "*" });
  });

  test("304", async () => {
    const { headers } = await server.fetch(COST);
    const known = { "If-None-Match": headers.get("etag") ?? "" };
    expect(await allowedOrigin(COST, { headers: known })).toEqual({ status: 304, origin: "*" });
  });
});

describe("scripts of any site may send JSON and what they trace by", () => {
  test.each(["/api/tools", MCP, COST, "/openapi.json", "/.well-known/api-catalog"])(
    "to %s",
    async (path) => {
      const response = await server.fetch(path, {
        method: "OPTIONS",
        headers: {
          Origin: "https://agent.test",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "content-type,traceparent",
        },
      });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "*",
        "access-control-max-age": "86400",
      });
    },
  );
});

describe("scripts of other sites may not read", () => {
  test.each(["/zz", "/api/zz", "/api", "/api/toolsx", "/.well-known/zz", "/docs/zz"])(
    "404 at %s",
    async (path) => {
      expect(await allowedOrigin(path)).toEqual({ status: 404, origin: null });
    },
  );
});

test("no answer lets scripts send cookies, or depends on the origin", async () => {
  for (const init of [{}, { method: "OPTIONS" }, jsonPost("{}")]) {
    const { headers } = await server.fetch(MCP, init);
    expect(headers.has("access-control-allow-credentials")).toBe(false);
    expect(headers.get("vary") ?? "").not.toMatch(/origin|\*/i);
  }
});
