import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { asQuery, COST } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const caching = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await server.fetch(path, init);
  return { status, control: headers.get("cache-control"), tag: headers.get("etag") };
};

test("different results have different tags, the same has the same", async () => {
  const tagOf = async (runs: number) => {
    const input = JSON.stringify({ zaps: [{ action_steps: 1, runs_per_month: runs }] });
    return (await caching(COST + asQuery(input))).tag;
  };
  expect(await tagOf(5)).not.toBe(await tagOf(6));
  expect(await tagOf(5)).toBe(await tagOf(5));
});

const PAGE = "/docs";
const [ASSET = ""] = (await server.text("/")).match(/\/assets\/site-\w+\.css/) ?? [];

/** As a client that decodes nothing by itself. */
const get = (path: string, headers: Record<string, string>, method = "GET") =>
  server.fetch(path, { method, headers: { "Accept-Encoding": "", ...headers }, decompress: false });

const accepting = (path: string, codings: string) => get(path, { "Accept-Encoding": codings });

const DECODERS = new Map<string, (bytes: Uint8Array) => Uint8Array>([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
]);

async function decoded(response: Response): Promise<string> {
  const bytes = await response.bytes();
  const decode = DECODERS.get(response.headers.get("content-encoding") ?? "");
  return Buffer.from(decode ? decode(bytes) : bytes).toString();
}

describe.each([
  ["a page", PAGE],
  ["an asset", ASSET],
  ["the OpenAPI document", "/openapi.json"],
  ["a description", COST],
])("%s is sent", (_, path) => {
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

  test("is sent whole to a client that has another form or version", async () => {
    const plain = await tagOf("");
    for (const known of [plain, '"old"', "*x", plain.slice(1, -1)]) {
      const response = await get(path, { "Accept-Encoding": "br", "If-None-Match": known });
      expect(response.status).toBe(200);
      expect((await decoded(response)).length).toBeGreaterThan(1_000);
    }
  });
});
