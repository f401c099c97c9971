import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { callTool, priceBook } from "../../src/index.ts";
import { BASE_URL, runningServer } from "./running-server.ts";
import { asQuery, jsonPost, libraryResult, PATHS } from "./tool-calls.ts";

const server = runningServer();
const settings = { price_book: { ...priceBook, as_of: "2020-02-29" } };
const withOldPrices = runningServer({ settings: { automation_cost_calculator: settings } });

const NINE_KEYS = [
  "name",
  "title",
  "description",
  "page",
  "endpoint",
  "usage",
  "input_schema",
  "example_input",
  "example_request",
];

describe.each(tools.map((tool) => [PATHS[tool.name], tool] as const))("%s", (path, tool) => {
  const input = JSON.stringify(tool.example_input);
  const wanted = libraryResult(tool, tool.example_input);

  test("GET without input describes the tool with the nine keys", async () => {
    const response = await server.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const description = JSON.parse(await response.text());
    expect(Object.keys(description)).toEqual(NINE_KEYS);
    expect(description).toMatchObject({
      name: tool.name,
      page: `${BASE_URL}/tools/${tool.segment}`,
      endpoint: `${BASE_URL}${path}`,
      input_schema: { type: "object", additionalProperties: false },
      example_input: tool.example_input,
    });
  });

  test("example_request runs and gives the library's result", async () => {
    const { example_request } = JSON.parse(await server.text(path));
    const response = await server.fetch(example_request.slice(BASE_URL.length));
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: wanted,
    });
  });

  test("GET and POST of an input give the library's result to the byte", async () => {
    for (const response of [
      await server.fetch(path + asQuery(input)),
      await server.fetch(path, jsonPost(input)),
    ]) {
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.text()).toBe(wanted);
    }
  });

  test.each([
    ["without input", ""],
    ["with input", asQuery(input)],
    ["with a wrong input", asQuery("{}")],
  ])("HEAD %s has the status and headers of GET and no body", async (_, query) => {
    const get = await server.fetch(path + query);
    const head = await server.fetch(path + query, { method: "HEAD" });
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe("");
    expect(withoutDate(head)).toEqual(withoutDate(get));
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(await get.text())));
  });

  test("OPTIONS answers a preflight", async () => {
    const response = await server.fetch(path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://agent.test",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "Content-Type",
      "access-control-max-age": "86400",
    });
  });
});

const withoutDate = ({ headers }: Response) => {
  const { date: _, ...rest } = Object.fromEntries(headers);
  return rest;
};

test("GET /api/tools lists the description of each tool", async () => {
  const response = await server.fetch("/api/tools");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const each = Object.values(PATHS).map(async (path) => JSON.parse(await server.text(path)));
  expect(await response.json()).toEqual({ tools: await Promise.all(each) });
});

test("HEAD /api/tools has the headers of GET and no body", async () => {
  const get = await server.fetch("/api/tools");
  const head = await server.fetch("/api/tools", { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(withoutDate(head)).toEqual(withoutDate(get));
  expect(await head.text()).toBe("");
});

test("absolute URLs come from the configured origin, never from the request", async () => {
  const response = await server.fetch("/api/tools", {
    headers: { Host: "evil.test", "X-Forwarded-Host": "evil.test", Forwarded: "host=evil.test" },
  });
  expect(await response.text()).not.toContain("evil");
});

test("a replaced price book is the one that counts", async () => {
  const [, { name, example_input }] = tools;
  const response = await withOldPrices.fetch(PATHS[name], jsonPost(JSON.stringify(example_input)));
  const outcome = callTool(name, example_input, settings);
  expect(JSON.parse(await response.text())).toEqual(outcome.ok && outcome.value);
});
