import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { libraryResult, PATHS } from "../support/http.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const server = runningServer();

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
});

test("GET /api/tools lists the description of each tool", async () => {
  const response = await server.fetch("/api/tools");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const each = Object.values(PATHS).map(async (path) => JSON.parse(await server.text(path)));
  expect(await response.json()).toEqual({ tools: await Promise.all(each) });
});
