import { describe, expect, test } from "bun:test";
import { collectNotices } from "../../scripts/third-parties.ts";
import { buildAssets } from "../../server/pages/assets/build-assets.ts";

const NAMES = /^(?:@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+$/gm;

const versionOf = async (name: string): Promise<string> =>
  (await Bun.file(`node_modules/${name}/package.json`).json()).version;

describe("collectNotices()", () => {
  test("the pages' assets has their packages, once each", async () => {
    const { inputs } = await buildAssets();
    const text = collectNotices(inputs);
    expect(text).toContain(`altcha ${await versionOf("altcha")}\n\nMIT License\n`);
    const names: readonly string[] = text.match(NAMES) ?? [];
    expect(names).toEqual([...new Set(names)]);
  });

  test("a package that leaves its licence out has it all the same", async () => {
    const text = collectNotices(["node_modules/drizzle-orm/index.js"]);
    expect(text).toStartWith(`drizzle-orm ${await versionOf("drizzle-orm")}\n`);
    expect(text).toContain("Apache License");
  });

  test("a package that brings another in its own files has that one too", () => {
    const sdk = "node_modules/@modelcontextprotocol/server/dist";
    const files = new Bun.Glob("{src-*,cfWorkerProvider-*}.mjs").scanSync(sdk);
    const text = collectNotices(Array.from(files, (file) => `${sdk}/${file}`));
    expect(text).toContain("\n@cfworker/json-schema 4.1.1\n\nMIT License\n");
    expect(text).toContain("\ncontent-type 1.0.5\n\n(The MIT License)\n");
  });

  test("files of our own is empty", () => {
    expect(collectNotices(["server/pages/browser/site.ts"])).toBe("");
  });

  test("a package without a licence is rejected", () => {
    // Bun's own types have a README and no licence file.
    const inputs = ["node_modules/bun-types/index.d.ts"];
    expect(() => collectNotices(inputs)).toThrow("bun-types has no licence file to pass on");
  });
});
