import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { tools } from "../../../schemas/index.ts";
import { asQuery, COST, jsonPost, MCP, PATHS } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const example = (tool: (typeof tools)[number]) =>
  PATHS[tool.name] + asQuery(JSON.stringify(tool.example_input));
const [filters, cost, config] = tools;

const caching = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await server.fetch(path, init);
  return { status, control: headers.get("cache-control"), tag: headers.get("etag") };
};

const TAG = expect.stringMatching(/^"[\w-]{27}(?:-(?:br|zstd))?"$/);

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
    ["an unknown path", "/api/tools/zz", {}, "no-store", null],
    ["a wrong method", COST, { method: "PUT" }, "no-store", null],
  ])("%s", async (_, path, init, control, tag) => {
    expect(await caching(path, init)).toMatchObject({ control, tag });
  });
});

test.each(["*", '"a", W/TAG ,"b"'])("a client that has the result (%s) gets 304", async (known) => {
  const { tag, control } = await caching(example(cost));
  const headers = { "If-None-Match": known.replace("TAG", tag ?? "none") };
  const response = await server.fetch(example(cost), { headers });
  expect([response.status, await response.text()]).toEqual([304, ""]);
  expect([response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
    tag,
    control,
  ]);
});

test.each(["/api/tools", COST, "/api/zz", "/docs", "/api/health"])(
  "%s is never taken for another type, and sets no cookie",
  async (path) => {
    const { headers } = await server.fetch(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.has("set-cookie")).toBe(false);
  },
);

test("a result with secrets is never answered with 304", async () => {
  const response = await server.fetch(example(config), { headers: { "If-None-Match": "*" } });
  expect(response.status).toBe(200);
});

test("a wrong input gives 400, whatever the client has cached", async () => {
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

const PAGE = "/docs";
const OWN_PAGE = "/tools/mail-filter-generator?filters[0].star=true&filters[0].from[0]=a";
const [ASSET = ""] = (await server.text("/")).match(/\/assets\/site-\w+\.css/) ?? [];

/** As a client that decodes nothing by itself. */
const get = (path: string, headers: Record<string, string>, method = "GET") =>
  server.fetch(path, { method, headers: { "Accept-Encoding": "", ...headers }, decompress: false });

const accepting = (path: string, codings: string) => get(path, { "Accept-Encoding": codings });

const DECODERS = new Map<string, (bytes: Uint8Array) => Uint8Array>([
  ["zstd", zstdDecompressSync],
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
]);

async function decoded(response: Response): Promise<string> {
  const bytes = await response.bytes();
  const decode = DECODERS.get(response.headers.get("content-encoding") ?? "");
  return Buffer.from(decode ? decode(bytes) : bytes).toString();
}

/** Texts made for one request are compressed faster, fixed texts smaller. */
describe.each([
  ["a page", PAGE, "br", "identity"],
  ["a page made for one request", OWN_PAGE, "zstd", "zstd"],
  ["an asset", ASSET, "br", "identity"],
  ["the OpenAPI document", "/openapi.json", "br", "identity"],
  ["a description", COST, "br", "identity"],
])("%s is sent", (_, path, ofAll, ofZstd) => {
  test.each<[string, string]>([
    ["", "identity"],
    ["identity", "identity"],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", ofAll],
    ["GZIP", "gzip"],
    ["gzip;q=0.5", "gzip"],
    ["gzip; q=1.0, br; q=0.8", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000,gzip;q=0", "identity"],
    ["br ; q=0", "identity"],
    ["deflate, zstd", ofZstd],
    ["deflate, zstd;q=0", "identity"],
    ["gzipped, xbr", "identity"],
    ["*", "identity"],
    [",,;q=1", "identity"],
  ])("to who accepts %j as %s", async (codings, coding) => {
    const response = await accepting(path, codings);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding") ?? "identity").toBe(coding);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect((await decoded(response)) === (await server.text(path))).toBe(true);
  });

  test("smaller when it is compressed", async () => {
    const size = async (coding: string) => (await (await accepting(path, coding)).bytes()).length;
    const [plain, gzip, br] = [await size(""), await size("gzip"), await size("br")];
    expect(gzip).toBeLessThan(plain / 2);
    expect(br).toBeLessThan(gzip);
  });
});

describe.each([
  ["a page", PAGE],
  ["an asset", ASSET],
  ["the OpenAPI document", "/openapi.json"],
  ["the list", "/api/tools"],
  ["a description", COST],
])("each form of %s", (_, path) => {
  const tagOf = async (coding: string) => (await accepting(path, coding)).headers.get("etag") ?? "";

  test("has a tag of its own, that stays", async () => {
    const tags = [await tagOf(""), await tagOf("gzip"), await tagOf("br")];
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    expect(new Set(tags).size).toBe(3);
    expect([await tagOf(""), await tagOf("gzip"), await tagOf("br")]).toEqual(tags);
  });

  test.each(["", "gzip", "br"])(
    "gives 304 to a client that has it (%j), by GET and HEAD",
    async (coding) => {
      const tag = await tagOf(coding);
      const whole = await accepting(path, coding);
      for (const method of ["GET", "HEAD"]) {
        const headers = { "Accept-Encoding": coding, "If-None-Match": `"a", W/${tag}` };
        const response = await get(path, headers, method);
        expect([response.status, await response.text()]).toEqual([304, ""]);
        for (const name of ["etag", "vary", "cache-control", "content-security-policy"]) {
          expect([name, response.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
        }
        for (const name of ["content-type", "content-encoding"]) {
          expect([name, response.headers.get(name)]).toEqual([name, null]);
        }
      }
    },
  );

  test("is sent whole to a client that has another form or version", async () => {
    const plain = await tagOf("");
    for (const known of [plain, '"old"', "*x", plain.slice(1, -1)]) {
      const response = await get(path, { "Accept-Encoding": "br", "If-None-Match": known });
      expect(response.status).toBe(200);
      expect((await decoded(response)).length).toBeGreaterThan(1_000);
    }
  });

  test.each(["", "gzip", "br"])("answers HEAD as GET, without the body (%j)", async (coding) => {
    const headers = { "Accept-Encoding": coding };
    const [got, head] = [await get(path, headers), await get(path, headers, "HEAD")];
    const all = (response: Response) => [...response.headers].filter(([name]) => name !== "date");
    expect(all(head)).toEqual(all(got));
    expect(head.headers.get("content-length")).toBe(String((await got.bytes()).length));
    expect(await head.text()).toBe("");
  });
});

test("a page made for one request has no tag and is kept nowhere", async () => {
  const { headers } = await accepting(OWN_PAGE, "br");
  expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"]);
});
