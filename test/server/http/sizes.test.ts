import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "../../../schemas/index.ts";
import { expectFailedFetch, expectFailure } from "../support/expect.ts";
import {
  asQuery,
  chunk,
  chunkedHead,
  chunkedPost,
  exchange,
  fullyEncoded,
  inputOfBytes,
  MCP,
  MCP_INPUT,
  openConnection,
  PATHS,
  rawPost,
} from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const LIMIT = 16_384;
const TOO_LARGE = "the input may have at most 16384 bytes";

const FILLERS = [
  ["of one byte", "a"],
  ["of two bytes", "é"],
  ["of four bytes", "😀"],
] as const;

const get = (query: string) => `GET ${MCP}?input=${query} HTTP/1.1\r\nHost: a\r\n\r\n`;

const WAYS: readonly (readonly [string, (input: string) => string | Uint8Array])[] = [
  ["POST with a Content-Length", (input) => rawPost(MCP, input)],
  ["POST in one chunk", (input) => chunkedPost(MCP, input, input.length * 4)],
  ["POST in chunks of 1,000 bytes", (input) => chunkedPost(MCP, input, 1_000)],
  ["GET raw", get],
  ["GET with encoded text", (input) => get(encodeURIComponent(input))],
  ["GET with each byte encoded", (input) => get(fullyEncoded(input))],
];

/** One filter that becomes some hundred entries, because both lists are split. */
const MANY_ENTRIES = JSON.stringify({
  filters: [
    {
      from: Array.from({ length: 20 }, (_, index) => domains(index * 8, 8)),
      to: Array.from({ length: 20 }, (_, index) => domains(index * 8, 8)),
      has_words: ["a", "b", "c", "d", "e", "f"].map((letter) => letter.repeat(190)),
      label: "Many",
    },
  ],
});

function domains(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `@${(from + index).toString(36)}.test`).join(
    " ",
  );
}

test("a result of more than 1,000,000 bytes is rejected by its field", async () => {
  const path = PATHS.mail_filter_generator;
  for (const request of [
    rawPost(path, MANY_ENTRIES),
    `GET ${path}${asQuery(MANY_ENTRIES)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]) {
    expectFailure(
      await exchange(server.port, request),
      "invalid_request",
      "filters[0].from: makes a result of more than 1,000,000 bytes; shorten it, or send the filters in several requests",
    );
  }
});

describe.each(WAYS)("%s", (_, request) => {
  test.each(FILLERS)("takes 16,384 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT, filler);
    expect(Buffer.byteLength(input)).toBe(LIMIT);
    const { status, body } = await exchange(server.port, request(input));
    expect({ status, name: JSON.parse(body).name }).toEqual({ status: 200, name: "files" });
  });

  test.each(FILLERS)("rejects 16,385 bytes in characters %s", async (_, filler) => {
    const input = inputOfBytes(LIMIT + 1, filler);
    expectFailure(await exchange(server.port, request(input)), "payload_too_large", TOO_LARGE);
  });

  test("rejects four times as much", async () => {
    const input = "x".repeat(4 * LIMIT);
    expectFailure(await exchange(server.port, request(input)), "payload_too_large", TOO_LARGE);
  });
});

describe("answered before the body has come", () => {
  const head = (length: string) =>
    `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test.each(["16385", "1048577", "99999999999", String(Number.MAX_SAFE_INTEGER)])(
    "an announced length of %s",
    async (length) => {
      expectFailure(await exchange(server.port, head(length)), "payload_too_large", TOO_LARGE);
    },
  );

  test("an endless chunked body", async () => {
    const connection = await openConnection(server.port);
    connection.send(chunkedHead(MCP));
    for (let sent = 0; sent <= LIMIT; sent += 4_096) {
      connection.send(chunk("x".repeat(4_096)));
    }
    expectFailure(await connection.response(), "payload_too_large", TOO_LARGE);
    connection.end();
  });

  test("a huge length with a wrong type", async () => {
    const request = head("99999999999").replace("application/json", "text/plain");
    expectFailure(await exchange(server.port, request), "unsupported_media_type");
  });

  test("a huge length for an unknown path", async () => {
    const request = head("99999999999").replace(MCP, "/api/zz");
    expectFailure(await exchange(server.port, request), "not_found");
  });
});

const LARGE = "x".repeat(16_385);
const NOWHERE = "/api/tools/no-such-tool";

/** Each request breaks the rule it is answered with, and rules that are checked later. */
test.each<[string, string, string, string | undefined, string, ErrorCode]>([
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

const ALLOWED: Readonly<Record<string, string>> = {
  "/api/tools": "GET, HEAD, OPTIONS",
  "/api/health": "GET, HEAD",
  "/.well-known/api-catalog": "GET, HEAD, OPTIONS",
  "/openapi.json": "GET, HEAD, OPTIONS",
  "/schemas/mail-filter.json": "GET, HEAD",
  ...Object.fromEntries(Object.values(PATHS).map((path) => [path, "GET, HEAD, POST, OPTIONS"])),
};

const NEVER = ["PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "QUERY", "SEARCH"];

describe.each(Object.entries(ALLOWED))("%s allows %s", (path, allow) => {
  const allowed = allow.split(", ");
  const rejected = [...NEVER, "POST", "OPTIONS"].filter((method) => !allowed.includes(method));

  test.each(rejected)("and not %s", async (method) => {
    const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    const response = await exchange(server.port, request);
    expectFailure(response, "method_not_allowed", `use ${allow}`);
    expect(response.headers.allow).toBe(allow);
  });

  test.each(allowed)("and %s", async (method) => {
    const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    const response = await exchange(server.port, request, method);
    expect(response.status).not.toBe(405);
    expect(response.headers).not.toHaveProperty("allow");
  });
});

test.each([...NEVER, "POST", "OPTIONS"])("%s of an unknown path gives 404", async (method) => {
  const request = `${method} /api/zz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
  expectFailure(await exchange(server.port, request), "not_found");
});

describe("what is longer than programs send, and would take long to read, is not read:", () => {
  const LONG = ",".repeat(1_025);
  const get = (path: string, headers: Record<string, string>) =>
    server.fetch(path, { headers, redirect: "manual", decompress: false });

  test("codings that an answer may have", async () => {
    const { status, headers } = await get("/docs", { "Accept-Encoding": `gzip${LONG}` });
    expect([status, headers.get("content-encoding")]).toEqual([200, null]);
  });

  test("versions that the client has", async () => {
    const known = (await get("/docs", { "Accept-Encoding": "" })).headers.get("etag");
    const sent = { "Accept-Encoding": "", "If-None-Match": `${known}${LONG}` };
    expect((await get("/docs", sent)).status).toBe(200);
  });

  test("the type of a body", async () => {
    const type = `application/json;${'""'.repeat(600)}`;
    const request = { method: "POST", headers: { "Content-Type": type }, body: MCP_INPUT };
    await expectFailedFetch(server.fetch(MCP, request), "unsupported_media_type");
  });

  test.each([MCP, "/tools/mail-filter-generator/file"])("parameters of %s", async (path) => {
    const most = await get(`${path}?${"a&".repeat(999)}input={`, {});
    expect(most.status).toBe(400);
    const more = get(`${path}?${"%&".repeat(1_000)}input={`, {});
    const problem = "the query may have at most 1000 parameters";
    await expectFailedFetch(more, "payload_too_large", problem);
  });

  test.each(["/tools/", "/tools/mail-filter-generator/file"])("the query of %s", async (path) => {
    const other = { "Sec-Fetch-Site": "cross-site" };
    const most = await get(`${path}?${"a".repeat(65_536)}`, other);
    expect(most.headers.get("location")).toEndWith("a".repeat(65_536));
    const more = get(`${path}?${"a".repeat(65_537)}`, other);
    await expectFailedFetch(more, "payload_too_large", "the query is too long to redirect");
  });
});
