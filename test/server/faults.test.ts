import { describe, expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { expectFailedFetch } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { asQuery, COST, jsonPost, PATHS } from "./tool-calls.ts";

const SECRET = "the-inside-of-the-server";
const fail = (): never => {
  throw new TypeError(SECRET);
};

/** Nothing in this service works but the health check. */
const server = runningServer({
  baseUrl: fail,
  settings: {
    automation_cost_calculator: {
      get price_book() {
        return fail();
      },
    },
  },
});

const healthy = runningServer();

const [, cost] = tools;
const input = JSON.stringify(cost.example_input);

const faultyCalls: readonly (readonly [string, string, RequestInit])[] = [
  ["the list of the tools", "/api/tools", {}],
  ["HEAD of the list", "/api/tools", { method: "HEAD" }],
  ["a description", COST, {}],
  ["a result by GET", COST + asQuery(input), {}],
  ["a result by POST", COST, jsonPost(input)],
  ["the OpenAPI document", "/openapi.json", {}],
  ["the catalog", "/.well-known/api-catalog", {}],
];

describe.each(faultyCalls)("a fault in %s", (_, path, init) => {
  test("gives 500, says nothing of it, and is logged once under the id that is told", async () => {
    server.lines.length = 0;
    const response = await server.fetch(path, init);
    const id = response.headers.get("x-request-id");
    const body = await response.text();
    expect(response.status).toBe(500);
    if (init.method !== "HEAD") {
      expect(body).toBe('{"error":{"code":"internal_error","message":"Request rejected"}}');
    }
    expect(JSON.stringify([...response.headers])).not.toContain(SECRET);

    const faults = server.lines.map((line) => JSON.parse(line)).filter(({ fault }) => fault);
    expect(faults).toEqual([
      {
        time: expect.any(String),
        level: "error",
        request_id: id,
        fault: expect.stringMatching(new RegExp(`^TypeError: ${SECRET}\n +at `)),
      },
    ]);
  });

  test("leaves the service running", async () => {
    await server.fetch(path, init);
    expect((await server.fetch("/api/health")).status).toBe(200);
  });
});

test("a fault is told to scripts of other sites too", async () => {
  const { headers } = await server.fetch(COST);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a refusal is no fault: it has no request id and nothing is logged of it but its line", async () => {
  const response = await healthy.fetch(PATHS.mcp_config_generator, jsonPost("{"));
  expect(response.headers.has("x-request-id")).toBe(false);
  await expectFailedFetch(response, "invalid_request");
  expect(healthy.lines).toHaveLength(1);
});
