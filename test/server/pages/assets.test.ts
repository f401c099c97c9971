import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { assets } from "../../../server/pages/assets/assets.ts";
import { buildAssets } from "../../../server/pages/assets/build-assets.ts";
import { toolPagePath } from "../../../server/paths.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const PAGES = ["/", "/docs", "/no-such-page", ...tools.map(toolPagePath)];
const NAME = /\/assets\/[\w.-]+/g;

/** All addresses of assets in the pages. */
async function namedByPages(): Promise<readonly string[]> {
  const pages = await Promise.all(
    PAGES.map(async (path) => {
      const response = await server.fetch(path, { headers: { Accept: "text/html" } });
      return response.text();
    }),
  );
  return pages.flatMap((page) => page.match(NAME) ?? []);
}

const namedByAssets = assets.flatMap(({ content }) => content.match(NAME) ?? []);

describe("the assets", () => {
  test("are all that the pages and they themselves load, and no more", async () => {
    const named = new Set([...(await namedByPages()), ...namedByAssets]);
    expect([...named].sort()).toEqual(assets.map(({ path }) => path).sort());
  });

  test.each(assets.map((asset) => [asset.path, asset] as const))("%s", async (path, asset) => {
    const { status, headers } = await server.fetch(path);
    const [, extension = ""] = /-[a-z0-9]{8}\.(\w+)$/.exec(path) ?? [];
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(TYPES[extension] ?? /^no type$/);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const body = Buffer.from(await (await server.fetch(path)).arrayBuffer());
    expect(body.equals(Buffer.from(asset.content, asset.encoding))).toBe(true);
  });

  test("are the same when they are built again", async () => {
    const [once, again] = [await buildAssets(), await buildAssets()];
    expect(again.assets).toEqual(once.assets);
  });
});

const TYPES: Readonly<Record<string, RegExp>> = {
  js: /^text\/javascript;charset=utf-8$/,
  css: /^text\/css;charset=utf-8$/,
  svg: /^image\/svg\+xml$/,
  ico: /^image\/x-icon$/,
  png: /^image\/png$/,
};
