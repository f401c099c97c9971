import { expect, test } from "bun:test";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { tools } from "../../schemas/index.ts";

const root = join(import.meta.dir, "../..");

/** The entry of the source that becomes a file of `dist/`. */
const sourceOf = (file: string): string => file.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts");

const modules = Object.entries(packageJson.exports).filter(([name]) => !name.endsWith(".json"));

const { metafile } = await Bun.build({
  entrypoints: [
    ...modules.map(([, file]) => sourceOf(file)),
    ...tools.map(({ command }) => `src/${command}/${command}.ts`),
    ...["server/main.ts", "server/process/metrics.ts"],
    ...["cli/main.ts", "cli/run.ts"],
  ].map((entry) => join(root, entry)),
  root,
  target: "bun",
  metafile: true,
  // Without this a bundler drops what a runtime loads all the same.
  ignoreDCEAnnotations: true,
});
const inputs = new Map(Object.entries(metafile?.inputs ?? {}));

/**
 * The modules that are loaded with an entry, as a bundler finds them: packages with all that they
 * need themselves, but no types, nor what an `import()` loads later.
 */
function loadedWith(entry: string): readonly string[] {
  expect([...inputs.keys()]).toContain(entry);
  const found = new Set([entry]);
  // The loop also visits what it adds.
  for (const path of found) {
    for (const { path: next, kind } of inputs.get(path)?.imports ?? []) {
      if (kind !== "dynamic-import" && inputs.has(next)) found.add(next);
    }
  }
  return [...found];
}

const packagesAmong = (paths: readonly string[]): string[] =>
  [
    ...new Set(paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
  ].sort();

const toolsAmong = (paths: readonly string[]): string[] =>
  tools
    .map(({ command }) => command)
    .filter((command) => paths.some((path) => path.includes(`src/${command}/`)));

/** The packages of each tool, of the library as a whole, and of the schemas. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ".": ["@valibot/to-json-schema", "valibot", "xmlbuilder2"],
  "./mail-filter": ["saxes", "valibot", "xmlbuilder2", "xmlchars"],
  "./automation-cost": ["papaparse", "valibot"],
  "./mcp-config": ["jsonc-parser", "smol-toml", "valibot"],
  "./schemas": ["valibot"],
};

test.each(modules)("handtools with %s loads the packages that it needs", (name, file) => {
  const packages = packagesAmong(loadedWith(sourceOf(file)));
  expect<readonly string[] | undefined>(packages).toEqual(PACKAGES[name]);
});

/** What a bundle of one function has: bundlers leave out unused exports and modules. */
async function bundledWith(statement: string) {
  const entry = join(root, "bundled.ts");
  const { metafile, outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: statement },
    root,
    target: "browser",
    splitting: true,
    metafile: true,
  });
  const paths = Object.values(metafile?.outputs ?? {})
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  return { paths, code: await outputs[0]?.text() };
}

test.each([
  ["createMcpConfig", "mcp-config", ["valibot"]],
  ["calculateAutomationCost", "automation-cost", ["valibot"]],
  ["createMailFilters", "mail-filter", ["valibot", "xmlbuilder2"]],
])("a bundle of %s() has no contract, reader or text", async (name, command, packages) => {
  const { paths, code } = await bundledWith(
    `import { ${name} } from "./src/${command}/index.ts"; console.log(${name});`,
  );
  expect(packagesAmong(paths)).toEqual(packages);
  const rooms = /^schemas\/(?:contract|mail-tests)\.ts$|\/(?:read|readme|edit|server-json)\//;
  expect(paths.filter((path) => rooms.test(path))).toEqual([]);
  const contract = tools.find((tool) => tool.command === command);
  expect(code).toContain("is not a known field");
  for (const text of [contract?.prints, "Problems to know about"]) expect(code).not.toContain(text);
});

test.each([
  ["cli/main.ts", []],
  ["cli/run.ts", ["commander", "valibot"]],
])("%s loads no tool, and no server, before it is asked for one", (entry, packages) => {
  const paths = loadedWith(entry);
  expect(toolsAmong(paths)).toEqual([]);
  expect(paths.filter((path) => path.startsWith("server/"))).toEqual([]);
  expect(packagesAmong(paths)).toEqual(packages);
});
