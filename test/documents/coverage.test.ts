import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { ALL_CLIENTS, CLIENTS, tools } from "../../schemas/index.ts";
import { commandLine } from "../cli/support.ts";
import { documents, readDocument } from "./document.ts";

/** A section of a document, from its heading to the next of the same level. */
function section(path: string, heading: string): string {
  const [, text = ""] = readDocument(path).text.split(`\n${heading}\n`);
  const level = heading.split(" ")[0] ?? "";
  return text.split(`\n${level} `)[0] ?? "";
}

describe("docs/library.md names every export of", () => {
  const entries = Object.entries(packageJson.exports)
    .filter(([, file]) => file.endsWith(".js"))
    .map(([entry, file]) => [entry.replace(".", "handtools"), file] as const);
  test.each(entries)("%s", async (name, file) => {
    const source = file.replace("./dist/", "../../").replace(/js$/, "ts");
    const exports: object = await import(source);
    // What all throw is named once.
    const text = `\`InvalidInputError\`${section("docs/library.md", `### \`${name}\``)}`;
    const missing = Object.keys(exports).filter((key) => !new RegExp(`\`${key}[\`(]`).test(text));
    expect(missing).toEqual([]);
  });
});

describe("docs/command-line.md", async () => {
  const { text } = readDocument("docs/command-line.md");
  const helpOf = async (...words: string[]) => (await commandLine([...words, "--help"])).out;
  const [, list = ""] = (await helpOf()).split("\nTools:\n");
  const commands = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);

  test("names every command", () => {
    expect(commands.length).toBeGreaterThan(10);
    const missing = commands.filter((name) => !text.includes(`\`handtools ${name}\``));
    expect(missing).toEqual(["help"]);
  });

  test("names flags that there are", async () => {
    const flags = [...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag);
    const words = [...commands, "automation-cost read", "mcp-config readme"];
    const texts = await Promise.all(words.map((names) => helpOf(...names.split(" "))));
    const help = texts.join("\n");
    expect(flags.filter((flag) => flag !== "--help" && !help.includes(flag))).toEqual([]);
  });
});

test("docs/operations.md names every metric", async () => {
  const source = await Bun.file(`${import.meta.dir}/../../server/process/metrics.ts`).text();
  const names = [...source.matchAll(/name: "(\w+)"/g)].map(([, name]) => name);
  const text = section("docs/operations.md", "## Metrics and logs");
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test.each([
  ["docs/self-hosting.md", /VERSION=([\d.]+)/],
  ["docs/ci.md", /ref: v([\d.]+)/],
  ["examples/repository/.github/workflows/handtools.yml", /ref: v([\d.]+)/],
  ["CHANGELOG.md", /^## \[([\d.]+)\]/m],
])("%s names the version of package.json", (path, pattern) => {
  expect(pattern.exec(readDocument(path).text)?.[1]).toBe(packageJson.version);
});

test("the numbers of clients and tools in the documents are those of the contracts", () => {
  const known: Readonly<Record<string, readonly number[]>> = {
    clients: [CLIENTS.length, ALL_CLIENTS.length],
    tools: [tools.length],
  };
  const current = documents.filter(({ path }) => /^(?:README|docs\/.*)\.md$/.test(path));
  const texts = ["server/pages/mcp-config/mcp-config-page.tsx"];
  const found = [...current, ...texts.map(readDocument)].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(\w+) (?:AI |small )?(clients|tools)\b/gi)]
      .map(([phrase, word = "", things = ""]) => ({ phrase, number: numberOf(word), things }))
      .filter(({ number }) => number > 1)
      .map((mention) => ({ ...mention, path })),
  );
  expect(found.length).toBeGreaterThan(2);
  expect(found.filter(({ number, things }) => !known[things]?.includes(number))).toEqual([]);
});

const numberOf = (word: string): number => Number(word) || NUMBERS.indexOf(word.toLowerCase());

const NUMBERS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
