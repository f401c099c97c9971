import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { bundledPackages, noticesOf, sbomOf } from "../../scripts/third-parties.ts";
import { buildAssets } from "../../server/pages/assets/build-assets.ts";

const NAMES = /^(?:@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+$/gm;

const versionOf = async (name: string): Promise<string> =>
  (await Bun.file(`node_modules/${name}/package.json`).json()).version;

describe("noticesOf()", () => {
  test("the pages' assets has their packages, once each", async () => {
    const { inputs } = await buildAssets();
    const text = noticesOf(bundledPackages(inputs));
    expect(text).toContain(`altcha ${await versionOf("altcha")}\n\nMIT License\n`);
    const names: readonly string[] = text.match(NAMES) ?? [];
    expect(names).toEqual([...new Set(names)]);
  });

  test("a package that leaves its licence out has it all the same", async () => {
    const text = noticesOf(bundledPackages(["node_modules/drizzle-orm/index.js"]));
    expect(text).toStartWith(`drizzle-orm ${await versionOf("drizzle-orm")}\n`);
    expect(text).toContain("Apache License");
  });

  test("a package that brings another in its own files has that one too", () => {
    const sdk = "node_modules/@modelcontextprotocol/server/dist";
    const files = new Bun.Glob("{src-*,cfWorkerProvider-*}.mjs").scanSync(sdk);
    const text = noticesOf(bundledPackages(Array.from(files, (file) => `${sdk}/${file}`)));
    expect(text).toContain("\n@cfworker/json-schema 4.1.1\n\nMIT License\n");
    expect(text).toContain("\ncontent-type 1.0.5\n\n(The MIT License)\n");
  });

  test("files of our own is empty", () => {
    expect(noticesOf(bundledPackages(["server/pages/client/site.ts"]))).toBe("");
  });

  test("a package without a licence is rejected", () => {
    // Bun's own types have a README and no licence file.
    const packages = bundledPackages(["node_modules/bun-types/index.d.ts"]);
    expect(() => noticesOf(packages)).toThrow("bun-types has no licence file to pass on");
  });
});

describe("sbomOf()", async () => {
  const sdk = "node_modules/@modelcontextprotocol/server/dist";
  const [embedding = ""] = new Bun.Glob("cfWorkerProvider-*.mjs").scanSync(sdk);
  const files = ["node_modules/elysia/dist/index.mjs", `${sdk}/${embedding}`];
  const text = await sbomOf(bundledPackages(files));
  const { bomFormat, metadata, components, dependencies } = JSON.parse(text);
  const names: readonly string[] = components.map(({ name }: { name: string }) => name);

  test("names the package, and nothing that changes from one build to the next", () => {
    const { name, version } = packageJson;
    expect(bomFormat).toBe("CycloneDX");
    expect(metadata).toEqual({ component: expect.objectContaining({ name, version }) });
    expect(text).not.toContain("serialNumber");
  });

  test("has what is installed, what is bundled, and what that brings in its own files", () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
    expect(names).toEqual(expect.arrayContaining(["xmlchars", "elysia", "@cfworker/json-schema"]));
    expect(names).not.toContain("typescript");
    expect(names).not.toContain("fast-check");
  });

  test("says of each component that it is bundled, or where it is from", () => {
    for (const { properties, hashes } of components) {
      const bundled = { name: "cdx:npm:package:bundled", value: "true" };
      if (hashes === undefined) expect(properties).toEqual([bundled]);
    }
  });

  test("has the licence of each component", () => {
    const licences = components.map(({ licenses }: { licenses?: readonly object[] }) => licenses);
    expect(licences).not.toContain(undefined);
    const embedded = { name: "@cfworker/json-schema", licenses: [{ license: { id: "MIT" } }] };
    expect(components).toContainEqual(expect.objectContaining(embedded));
  });

  test("depends on nothing that it does not list", () => {
    const known = new Set([metadata.component, ...components].map((one) => one["bom-ref"]));
    const edges: readonly string[] = dependencies.flatMap(
      ({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, ...dependsOn],
    );
    expect(edges.filter((edge) => !known.has(edge))).toEqual([]);
  });
});
