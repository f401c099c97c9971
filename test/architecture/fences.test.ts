import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { tools } from "../../schemas/index.ts";
import { folderOf, type SourceFile, sources, tests } from "./source-files.ts";

/** The commands that load the server, with `await import(…)` when they run. */
const DYNAMIC_EDGES = [
  "cli/server-commands.ts -> server/main.ts",
  "cli/mcp/mcp.ts -> server/mcp/stdio.ts",
  "cli/server-commands.ts -> server/signup/signups-command.ts",
];

/** Which folders a folder may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schemas: ["schemas"],
  src: ["schemas", "src"],
  cli: ["schemas", "src", "cli", "package.json"],
  server: ["schemas", "src", "server", "package.json"],
};

/** The packages that a folder may import; the pure ones have no runtime at all. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  schemas: ["valibot"],
  src: [
    ...["valibot", "@valibot/to-json-schema", "xmlbuilder2", "saxes", "smol-toml"],
    ...["jsonc-parser", "papaparse", "postal-mime", "htmlparser2"],
  ],
};

/** The scripts of the pages, and what they may load: no code of the server, of Bun or of Node.js. */
const PAGE_SCRIPT = /^server\/pages\/.*(?:\/hydrate-[a-z-]+\.tsx|browser\/site\.ts)$/;
const PAGE_SOURCE = /^(?:schemas|src)\/|^server\/(?:paths\.ts|http\/http-error\.ts|pages\/)/;
const PAGE_PACKAGE = /^(?:preact(?:\/hooks)?|altcha|valibot|@valibot\/to-json-schema)$/;

/** The pages of the tools, and what lists them. */
const PAGES_OF_TOOLS = new RegExp(
  `^server/(?:routes/tool-pages|pages/(?:(?:${tools.map(({ command }) => command).join("|")})/|assets/|browser/run-in-page|tool-page|about|home))`,
);

/** The package of a specifier, `altcha` of `altcha/altcha.css`. */
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const offences = (find: (file: SourceFile) => readonly string[]): string[] =>
  sources.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));

/** The sources that some of them lead to. */
function loadedWith(isEntry: (file: SourceFile) => boolean): readonly SourceFile[] {
  const loaded = new Set(sources.filter(isEntry));
  for (const { imports } of loaded)
    for (const file of sources) if (imports.includes(file.path)) loaded.add(file);
  expect(loaded.size).toBeGreaterThan(50);
  return [...loaded];
}

describe("the architecture", () => {
  test("imports point one way", () => {
    const found = offences(({ path, imports }) =>
      imports.filter(
        (target) =>
          !MAY_IMPORT[folderOf(path)]?.includes(folderOf(target)) &&
          !DYNAMIC_EDGES.includes(`${path} -> ${target}`),
      ),
    );
    expect(found).toEqual([]);
  });

  test("has no import cycles", () => {
    const imports = new Map(sources.map((file) => [file.path, file.imports]));
    const finished = new Set<string>();
    const visit = (path: string, trail: readonly string[]): string[] => {
      if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" > ")];
      if (finished.has(path)) return [];
      const cycles = (imports.get(path) ?? []).flatMap((next) => visit(next, [...trail, path]));
      finished.add(path);
      return cycles;
    };
    expect(sources.flatMap(({ path }) => visit(path, []))).toEqual([]);
  });

  test("keeps the library pure", () => {
    const impure = /\b(?:Date\.now|Math\.random|performance\.|crypto\.)|new Date\(\)/g;
    const found = offences(({ path, packages, text }) => {
      const allowed = PACKAGES[folderOf(path)];
      const others = packages.filter((name) => !allowed?.includes(packageOf(name)));
      return allowed ? [...others, ...(text.match(impure) ?? [])] : [];
    });
    expect(found).toEqual([]);
  });

  // The compiler says so of the library, whose `lib` is ES2023; Bun's types have everything.
  test("calls nothing in the command line that Node.js 20 does not have", () => {
    const newer =
      /\b(?:Promise\.(?:try|withResolvers)|(?:Map|Object)\.groupBy|Array\.fromAsync|RegExp\.escape|Error\.isError|Iterator\.|Uint8Array\.from(?:Base64|Hex))|\.(?:toBase64|toHex|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(|\busing \w+ =|\bSymbol\.(?:d|asyncD)ispose\b/g;
    const found = offences(({ path, text }) =>
      path.startsWith("cli/") ? (text.match(newer) ?? []) : [],
    );
    expect(found).toEqual([]);
  });

  test("lets one tool know nothing of another", () => {
    const folders = tools.map(({ command }) => `src/${command}/`);
    const toolOf = (path: string) => folders.find((folder) => path.startsWith(folder));
    const found = offences(({ path, imports }) =>
      imports.filter((target) => {
        const [own, other] = [toolOf(path), toolOf(target)];
        return own !== undefined && other !== undefined && own !== other;
      }),
    );
    expect(found).toEqual([]);
  });

  test("loads nothing of the server into the page", () => {
    const loaded = loadedWith(({ path }) => PAGE_SCRIPT.test(path));
    const libraries = PACKAGES.src ?? [];
    const found = loaded.flatMap(({ path, packages }) => [
      ...(PAGE_SOURCE.test(path) ? [] : [path]),
      ...packages.filter(
        (name) => !PAGE_PACKAGE.test(name) && !libraries.includes(packageOf(name)),
      ),
    ]);
    expect(found.filter((name) => !/^altcha\//.test(name))).toEqual([]);
  });

  // What the command line and the page alone use is no part of the library.
  test("lets no export of the package reach a room of its own", () => {
    const entries = Object.values(packageJson.exports).map((file) =>
      file.replace(/^\.\/dist\/(.*)js$/, "$1ts"),
    );
    const loaded = loadedWith(({ path }) => entries.includes(path));
    expect(loaded.filter(({ path }) => path.startsWith("src/message-preview/"))).toEqual([]);
  });

  // The build bundles these packages, the first two into the file of the library that uses them.
  test.each([
    ["xmlbuilder2", "src/mail-filter/write-xml.ts"],
    ["papaparse", "src/automation-cost/zap-table.ts"],
    ["postal-mime", "src/message-preview/parse-message.ts"],
    ["htmlparser2", "src/message-preview/html-text.ts"],
  ])("loads %s in one file", (name, file) => {
    const users = sources.filter(({ packages }) => packages.map(packageOf).includes(name));
    expect(users.map(({ path }) => path)).toEqual([file]);
  });

  test("names no tool in the server, except in its pages", () => {
    const names = tools.flatMap((tool) => [tool.name, tool.segment, tool.command, tool.function]);
    const found = offences(({ path, text }) =>
      folderOf(path) === "server" && !PAGES_OF_TOOLS.test(path)
        ? names.filter((name) => text.includes(name))
        : [],
    );
    expect(found).toEqual([]);
  });

  test.each([
    ["an empty catch", /catch\s*(?:\([^)]*\))?\s*\{\s*\}/],
    ["process.exit", /process\.exit\(/],
    ["a TODO", /\b(?:TODO|FIXME|XXX)\b/],
    ["a skipped or lonely test", /\b(?:test|describe|it)\.(?:only|todo|skip)\(/],
  ])("has nowhere %s", (_, pattern) => {
    const code = [...sources, ...tests].filter(({ path }) => !path.endsWith("fences.test.ts"));
    expect(code.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
