import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { runningServer } from "../running-server.ts";

const server = runningServer();

const PAGE = "/docs";
const OWN_PAGE = "/tools/mail-filter-generator?filters[0].star=true&filters[0].from[0]=a";
const [ASSET = ""] = (await server.text("/")).match(/\/assets\/site-\w+\.css/) ?? [];

/** As a client that decodes nothing by itself. */
const get = (path: string, headers: Record<string, string>, method = "GET") =>
  server.fetch(path, { method, headers: { "Accept-Encoding": "", ...headers }, decompress: false });

const accepting = (path: string, codings: string) => get(path, { "Accept-Encoding": codings });

const DECODERS = new Map([
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
  ["a page made for one request", OWN_PAGE],
  ["an asset", ASSET],
])("%s is sent", (_, path) => {
  test.each<[string, string]>([
    ["", "identity"],
    ["identity", "identity"],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["gzip;q=0.5", "gzip"],
    ["gzip; q=1.0, br; q=0.8", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000,gzip;q=0", "identity"],
    ["br ; q=0", "identity"],
    ["deflate, zstd", "identity"],
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
])("each form of %s", (_, path) => {
  const tagOf = async (coding: string) => (await accepting(path, coding)).headers.get("etag") ?? "";

  test("has a tag of its own, that stays", async () => {
    const tags = [await tagOf(""), await tagOf("gzip"), await tagOf("br")];
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    expect(new Set(tags).size).toBe(3);
    expect([await tagOf(""), await tagOf("gzip"), await tagOf("br")]).toEqual(tags);
  });

  test.each(["", "gzip", "br"])("gives 304 to who has it (%j), by GET and HEAD", async (coding) => {
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
  });

  test("is sent whole to who has another form, or another version", async () => {
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
