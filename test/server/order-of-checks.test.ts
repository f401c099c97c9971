import { expect, test } from "bun:test";
import type { FailureCode } from "../../schemas/index.ts";
import { expectFailedFetch } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { asQuery, MCP, MCP_INPUT } from "./tool-calls.ts";

const server = runningServer();

const LARGE = "x".repeat(16_385);
const NOWHERE = "/api/tools/no-such-tool";

/** Each request breaks the rule it is answered with, and rules that are checked later. */
test.each<[string, string, string, string | undefined, string, FailureCode]>([
  ["path before all", "PUT", NOWHERE, "text/plain", LARGE, "not_found"],
  ["path before type", "POST", NOWHERE, "text/plain", LARGE, "not_found"],
  ["method before type", "PUT", MCP, "text/plain", LARGE, "method_not_allowed"],
  ["method before size", "PATCH", MCP, "application/json", LARGE, "method_not_allowed"],
  ["method before JSON", "DELETE", MCP, "application/json", "{", "method_not_allowed"],
  ["type before size", "POST", MCP, "text/plain", LARGE, "unsupported_media_type"],
  ["type before JSON", "POST", MCP, "text/plain", "{", "unsupported_media_type"],
  ["type before the schema", "POST", MCP, undefined, "{}", "unsupported_media_type"],
  ["size before JSON", "POST", MCP, "application/json", LARGE, "payload_too_large"],
  ["size before UTF-8", "POST", MCP, "application/json", "ä".repeat(8_193), "payload_too_large"],
  ["JSON before the schema", "POST", MCP, "application/json", "{", "invalid_request"],
  ["the schema at last", "POST", MCP, "application/json", "{}", "invalid_request"],
])("%s: %s %s", async (_, method, path, type, body, code) => {
  const request = {
    method,
    headers: type ? { "Content-Type": type } : {},
    body: Buffer.from(body),
  };
  await expectFailedFetch(server.fetch(path, request), code);
});

test("size before JSON, in a GET", async () => {
  await expectFailedFetch(server.fetch(MCP + asQuery(LARGE)), "payload_too_large");
});

test("twice before size, in a GET", async () => {
  const twice = `${MCP}${asQuery(LARGE)}&input={}`;
  await expectFailedFetch(server.fetch(twice), "invalid_request", "input must be given once");
});

test("a POST does not look at the query", async () => {
  const response = await server.fetch(`${MCP}?input=%zz&input={`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: MCP_INPUT,
  });
  expect(response.status).toBe(200);
});
