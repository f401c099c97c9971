import { describe, expect, test } from "bun:test";
import { priceBook } from "../../../src/index.ts";
import { commandLine, echoLoaders as loaders, withEcho } from "../support.ts";

const input = { items: [{ label: "a" }, { label: "b" }], loud: true, remarks: [] };
const json = JSON.stringify(input);
const said = { exitCode: 0, out: `${json}\n`, error: "" };

describe("the input comes from", () => {
  test("a file", async () => {
    const result = await commandLine(["echo", "in.json"], { loaders, files: { "in.json": json } });
    expect(result).toMatchObject(said);
  });

  test("a file with comments, trailing commas, CRLF and a byte order mark", async () => {
    const text = `\uFEFF// mine\r\n${json.replace("]", ",]")}\r\n`;
    const result = await commandLine(["echo", "in.json"], { loaders, files: { "in.json": text } });
    expect(result).toMatchObject(said);
  });

  test("standard input, for -", async () => {
    expect(await commandLine(["echo", "-"], { loaders, stdin: json })).toMatchObject(said);
  });

  test("a file beside flags that are not input", async () => {
    const argv = ["echo", "--brief", "--client", "two", "in.json"];
    const { out } = await commandLine(argv, { loaders, files: { "in.json": json } });
    expect(out).toBe(`{"brief":true,"client":["two"]}\n${json}\n`);
  });
});

describe("what cannot be the input is rejected", () => {
  const cases: [argv: string[], content: string | Uint8Array, error: string][] = [
    [["in.json"], "[1 2]", "in.json:1:4: expected a comma"],
    [["-"], "[1 2]", "standard input:1:4: expected a comma"],
    [["in.json"], "[]", "in.json:1:1: must be an object"],
    [["in.json"], '{"items":[],\n "items":[{}]}', 'in.json:2:2: the key "items" is given twice'],
    [["-"], '{"loud":true,"lo\\u0075d":0}', 'standard input:1:14: the key "loud" is given twice'],
    [
      ["in.json"],
      '{"items":[{}],"n":1}',
      "in.json:1:19: n: is not a known field; known are items, loud, remarks",
    ],
    [
      ["in.json"],
      '{"items":[{"size_mb":51}]}',
      "in.json:1:22: items[0].size_mb: must be at most 50",
    ],
    [
      ["-"],
      '{"items":[{"size_mb":51}]}',
      "standard input:1:22: items[0].size_mb: must be at most 50",
    ],
    [
      ["in.json"],
      '{"items":[{}],"__proto__":1}',
      "in.json:1:27: __proto__: is not a known field; known are items, loud, remarks",
    ],
    [["in.json"], new Uint8Array([0x22, 0xff, 0x22]), "in.json: must be saved as UTF-8"],
    [
      ["in.json", "--label", "x"],
      json,
      "--label: give it in the FILE in.json, or all as flags; put a value of several words in quotes",
    ],
    [["-", "--loud"], json, "--loud: give it in standard input, or all as flags"],
    [[], json, "give a FILE, - for standard input, or flags; see handtools echo --help"],
  ];
  for (const [argv, content, error] of cases) {
    test(`${argv.join(" ")} -> ${error}`, async () => {
      const stdin = typeof content === "string" ? content : "";
      const world = { loaders, files: { "in.json": content }, stdin };
      const result = await commandLine(["echo", ...argv], world);
      expect(result).toMatchObject({ exitCode: 2, out: "", error: `error: ${error}\n` });
    });
  }

  const twice = "standard input is already used; give a file";
  const reading: [argv: string[], error: string][] = [
    [["automation-cost", "-", "--price-book", "-"], `--price-book: ${twice}`],
    [["mail-filter", "-", "--diff", "-"], `--diff: ${twice}`],
    [["echo", ""], "FILE: must not be empty"],
    [["automation-cost", "in.json", "--price-book", ""], "--price-book: must not be empty"],
    [["mcp-config", "--read", ""], "--read: must not be empty"],
    [["echo", "in.json", "-o", ""], "--output: must not be empty"],
    [["echo", "in.json", "--check", ""], "--check: must not be empty"],
    [
      ["echo", "in.json", "--check", "-"],
      "--check: must be a file; standard output has nothing to compare",
    ],
  ];
  for (const [argv, error] of reading) {
    test(`${argv.map((word) => word || "''").join(" ")} -> ${error}, before anything is read`, async () => {
      const result = await commandLine(argv, { loaders: withEcho });
      expect(result).toMatchObject({ exitCode: 2, out: "", error: `error: ${error}\n` });
    });
  }

  test("every problem has its line", async () => {
    const files = { "in.json": '{"items":[{"size_mb":51},{"count":"1"}]}' };
    const { error } = await commandLine(["echo", "in.json"], { loaders, files });
    expect(error).toBe(
      "error: in.json:1:22: items[0].size_mb: must be at most 50\n" +
        "error: in.json:1:35: items[1].count: must be a number\n",
    );
  });

  test("a file that is not there is a failure outside", async () => {
    const result = await commandLine(["echo", "no.json"], { loaders });
    expect(result).toMatchObject({
      exitCode: 1,
      error: "error: no.json: no such file or directory\n",
    });
  });
});

describe("a price book", () => {
  const argv = ["automation-cost", "--action-steps", "1", "--runs-per-month", "1", "--json"];
  const book = JSON.stringify({ ...priceBook, as_of: "2020-02-29" });
  const rejected = (text: string) =>
    commandLine([...argv, "--price-book", "book.json"], { files: { "book.json": text } });

  test.each([
    ["its file", "book.json"],
    ["standard input, for -", "-"],
  ])("is read from %s", async (_, file) => {
    const world = { files: { "book.json": `/* mine */ ${book}` }, stdin: book };
    const { out } = await commandLine([...argv, "--price-book", file], world);
    expect(JSON.parse(out).prices_as_of).toBe("2020-02-29");
  });

  test.each([
    [book.replace('"USD"', '"EUR"'), /^error: book.json:1:\d+: currency: must be "USD"\n$/],
    ["[]", /^error: book.json:1:1: must be an object\n$/],
    ["{", /^error: book.json:1:2: expected a closing }\n$/],
  ])("%.9s is rejected with its place", async (text, error) => {
    expect(await rejected(text)).toMatchObject({
      exitCode: 2,
      error: expect.stringMatching(error),
    });
  });
});
