import { expect, test } from "bun:test";
import { asQuery, COST } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

test("different results have different tags, the same has the same", async () => {
  const tagOf = async (runs: number) => {
    const input = JSON.stringify({ zaps: [{ action_steps: 1, runs_per_month: runs }] });
    return (await server.fetch(COST + asQuery(input))).headers.get("etag");
  };
  expect(await tagOf(5)).not.toBe(await tagOf(6));
  expect(await tagOf(5)).toBe(await tagOf(5));
});

const [ASSET = ""] = (await server.text("/")).match(/\/assets\/site-\w+\.css/) ?? [];

test.each(["/docs", ASSET, "/openapi.json", COST])("%s is smaller compressed", async (path) => {
  const size = async (coding: string) => {
    const init = { headers: { "Accept-Encoding": coding }, decompress: false };
    return (await (await server.fetch(path, init)).bytes()).length;
  };
  const [plain, gzip, br] = [await size(""), await size("gzip"), await size("br")];
  expect(gzip).toBeLessThan(plain / 2);
  expect(br).toBeLessThan(gzip);
});
