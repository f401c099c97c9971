import { expect, test } from "bun:test";
import fc from "fast-check";
import { expectFailure, faultLog } from "../support/expect.ts";
import { COST, exchange, MCP, MCP_INPUT, type RawResponse, rawPost } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const { faults, log } = faultLog();
const server = runningServer({ log });

const RUNS = 2_000;

/** Texts near JSON: the example with a few characters cut out and a few put in. */
const nearJson = fc
  .array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 4,
  })
  .map((cuts) =>
    cuts.reduce((text, [at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    }, MCP_INPUT),
  );

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  nearJson.map((text) => Buffer.from(text)),
  fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
  fc.integer({ min: 16_380, max: 16_390 }).map((size) => Buffer.alloc(size, "1")),
);

/** A result or a documented error, and no internal error. */
function expectOrder(response: RawResponse): void {
  if (response.status !== 200) {
    const code = JSON.parse(response.body).error.code;
    expectFailure(response, code);
    expect(["invalid_request", "payload_too_large"]).toContain(code);
  }
  expect(faults).toEqual([]);
}

test("whatever the bytes of a body, the answer is a result or a refusal", async () => {
  const property = fc.asyncProperty(fc.constantFrom(MCP, COST), bodies, async (path, body) => {
    expectOrder(await exchange(server.port, rawPost(path, body)));
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);

/** What a target may have, and what it may not but often has. */
const queryParts = fc.constantFrom(
  ...["input", "=", "&", "%", "%7B", "%7b", "%zz", "%ff", "%00", "+", "?", "/", "{", "}", '"', "a"],
  ...["%69nput", "input=", "&input=", "%ED%A0%80", "%5cud800", "%22", "é", "😀", "\\", "1", "[]"],
);

test("whatever the query, the answer is a result, a description or a refusal", async () => {
  const queries = fc.array(queryParts, { maxLength: 12 }).map((parts) => parts.join(""));
  const hosts = fc.constantFrom("Host: a\r\n", "Host: a b\r\n", "Host:\r\n");
  const property = fc.asyncProperty(queries, hosts, async (query, host) => {
    expectOrder(await exchange(server.port, `GET ${MCP}?${query} HTTP/1.1\r\n${host}\r\n`));
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);

const pathParts = fc.constantFrom(
  ...["/", "/", "api", "tools", "health", ".", "..", "%2F", "%2e", "%", "%zz", ";", "*", ":", "@"],
  ...["mcp-config-generator", "//", "/api/tools/", "\\", "é", "✓", "?", "constructor", "__proto__"],
);

test("whatever the path, the answer is documented and no internal error", async () => {
  const paths = fc.array(pathParts, { maxLength: 8 }).map((parts) => `/${parts.join("")}`);
  const hosts = fc.constantFrom("Host: x\r\n", "Host: a b/c?d\r\n", "Host: a:99999\r\n");
  const property = fc.asyncProperty(paths, hosts, async (path, host) => {
    const response = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${host}\r\n`);
    if (response.status === 308) {
      // The dots of a path are resolved: /tools/. is /tools/.
      const { pathname, search } = new URL(`http://x${path}`);
      expect(response.headers.location).toBe(pathname.slice(0, -1) + search);
    } else if (response.status !== 200) expectFailure(response, "not_found");
    expect(faults).toEqual([]);
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);
