import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { runningServer } from "./running-server.ts";
import { asQuery, COST, jsonPost, MCP, PATHS } from "./tool-calls.ts";

const server = runningServer();

const example = (tool: (typeof tools)[number]) =>
  PATHS[tool.name] + asQuery(JSON.stringify(tool.example_input));
const [filters, cost, config] = tools;

const caching = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await server.fetch(path, init);
  return { status, control: headers.get("cache-control"), tag: headers.get("etag") };
};

const TAG = expect.stringMatching(/^"[\w-]{27}"$/);

describe("how long an answer may be kept", () => {
  test.each<[string, string, RequestInit, string, unknown]>([
    ["the list", "/api/tools", {}, "public, max-age=3600", TAG],
    ["a description", COST, {}, "public, max-age=3600", TAG],
    ["the description of a tool with secrets", MCP, {}, "public, max-age=3600", TAG],
    ["the catalog", "/.well-known/api-catalog", {}, "public, max-age=3600", TAG],
    ["the OpenAPI document", "/openapi.json", {}, "public, max-age=3600", TAG],
    ["a result", example(filters), {}, "private, no-cache", TAG],
    ["the headers of a result", example(cost), { method: "HEAD" }, "private, no-cache", TAG],
    [
      "a result by POST",
      COST,
      jsonPost(JSON.stringify(cost.example_input)),
      "private, no-cache",
      null,
    ],
    ["a result with secrets", example(config), {}, "no-store", null],
    ["its headers", example(config), { method: "HEAD" }, "no-store", null],
    ["it by POST", MCP, jsonPost(JSON.stringify(config.example_input)), "no-store", null],
    ["a wrong query", `${COST}?input={`, {}, "no-store", null],
    ["a wrong body", MCP, jsonPost("{"), "no-store", null],
    ["a path that there is not", "/api/tools/zz", {}, "no-store", null],
    ["a wrong method", COST, { method: "PUT" }, "no-store", null],
  ])("%s", async (_, path, init, control, tag) => {
    expect(await caching(path, init)).toMatchObject({ control, tag });
  });
});

describe.each([
  ["a description", COST],
  ["the list", "/api/tools"],
  ["a result", example(cost)],
])("of %s", (_, path) => {
  const conditional = async (condition: (tag: string) => string, method = "GET") => {
    const { tag } = await caching(path);
    const headers = { "If-None-Match": condition(tag ?? "none") };
    return server.fetch(path, { method, headers });
  };

  test.each<[string, (tag: string) => string]>([
    ["its tag", (tag) => tag],
    ["its tag made weak", (tag) => `W/${tag}`],
    ["its tag in a list", (tag) => `"a", W/"b" ,${tag}`],
    ["a list that begins with it", (tag) => `W/${tag},"a"`],
    ["anything", () => "*"],
  ])("whoever has %s gets 304, by GET and HEAD", async (_, condition) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await conditional(condition, method);
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      const { tag, control } = await caching(path);
      expect(response.headers.get("etag")).toBe(tag);
      expect(response.headers.get("cache-control")).toBe(control);
    }
  });

  test.each<[string, (tag: string) => string]>([
    ["another tag", () => '"a"'],
    ["the tag without quotes", (tag) => tag.slice(1, -1)],
    ["a part of the tag", (tag) => `${tag.slice(0, 9)}"`],
    ["an empty tag", () => '""'],
    ["nothing", () => ""],
  ])("whoever has %s gets it whole, by GET and HEAD", async (_, condition) => {
    const whole = await (await server.fetch(path)).text();
    const response = await conditional(condition);
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: whole,
    });
    expect((await conditional(condition, "HEAD")).status).toBe(200);
  });
});

test("a result with secrets is never answered with 304", async () => {
  const response = await server.fetch(example(config), { headers: { "If-None-Match": "*" } });
  expect(response.status).toBe(200);
});

test("a wrong input is told whatever the client has", async () => {
  const response = await server.fetch(`${COST}?input={`, { headers: { "If-None-Match": "*" } });
  expect(response.status).toBe(400);
});

test("different results have different tags, the same has the same", async () => {
  const tagOf = async (runs: number) => {
    const input = JSON.stringify({ zaps: [{ action_steps: 1, runs_per_month: runs }] });
    return (await caching(COST + asQuery(input))).tag;
  };
  expect(await tagOf(5)).not.toBe(await tagOf(6));
  expect(await tagOf(5)).toBe(await tagOf(5));
});
