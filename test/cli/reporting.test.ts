import { describe, expect, test } from "bun:test";
import { commandLine } from "./support.ts";

const RULES = `{
  // Comments move what follows them.
  "filters": [
    { "from": ["a@x.com"], "label": "A" },
    {
        "larger_than_mb": 60,
        "nope": 1,
        "from": ["b@x.com"], "label": "B"
    }
  ]
}
`;

/** One filter with a warning, one that is fine. */
const WARNED = `{ "filters": [
  { "name": "A", "from": ["a@x.com"], "label": "A" },
  { "has_words": ["is:unread"], "label": "B" }
] }
`;

const run = (argv: readonly string[], files: Readonly<Record<string, string>>) =>
  commandLine(["mail-filter", ...argv], { files });

const lines = (text: string): readonly unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const TOO_LARGE = "must be at most 50";
const UNKNOWN = "is not a known field; did you mean name?";

describe("every problem of a file has its line and column", () => {
  const files = { "a,b.json": RULES };
  test.each([
    [
      "text",
      [
        `error: a,b.json:6:27: filters[1].larger_than_mb: ${TOO_LARGE}`,
        `error: a,b.json:7:17: filters[1].nope: ${UNKNOWN}`,
        "",
      ].join("\n"),
    ],
    [
      "github",
      [
        `::error file=a%2Cb.json,line=6,col=27::filters[1].larger_than_mb: ${TOO_LARGE}`,
        `::error file=a%2Cb.json,line=7,col=17::filters[1].nope: ${UNKNOWN}`,
        "",
      ].join("\n"),
    ],
  ])("for --reporter %s", async (reporter, error) => {
    const ended = await run(["a,b.json", "--reporter", reporter], files);
    expect(ended).toMatchObject({ exitCode: 2, out: "", error });
  });

  test("with a % of the file's name as GitHub reads it", async () => {
    const { error } = await run(["50%.json", "--reporter", "github"], { "50%.json": RULES });
    expect(error).toStartWith("::error file=50%25.json,line=6,");
  });

  test("for --reporter json", async () => {
    const { error } = await run(["a,b.json", "--reporter", "json"], files);
    const place = { severity: "error", file: "a,b.json" };
    expect(lines(error)).toEqual([
      { ...place, line: 6, column: 27, path: "filters[1].larger_than_mb", message: TOO_LARGE },
      { ...place, line: 7, column: 17, path: "filters[1].nope", message: UNKNOWN },
    ]);
  });

  test("for --json, also on standard output", async () => {
    const { out, exitCode } = await run(["a,b.json", "--json"], files);
    expect(exitCode).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({
      code: "invalid_request",
      issues: [
        { file: "a,b.json", line: 6, column: 27, path: "filters[1].larger_than_mb" },
        { line: 7, path: "filters[1].nope", message: UNKNOWN },
      ],
    });
    expect((await run(["a,b.json", "--json", "-o", "x"], files)).out).toBe("");
  });

  test("in each of several files, and in a file that is not JSON", async () => {
    const { error } = await run(["w.json", "a,b.json", "--reporter", "json"], {
      ...files,
      "w.json": WARNED,
    });
    expect(lines(error)).toMatchObject([{ file: "a,b.json", line: 6 }, { line: 7 }]);
    const broken = await run(["x", "--reporter", "json"], { x: '{ "filters": [ }' });
    expect(lines(broken.error)).toEqual([
      { severity: "error", file: "x", line: 1, column: 16, message: "expected a value" },
    ]);
  });
});

describe("a warning", () => {
  const files = { "w.json": WARNED };
  const code = "judged-at-delivery";

  test("has its place and its code", async () => {
    const { error } = await run(["w.json", "--reporter", "json"], files);
    const [warning] = lines(error) as readonly { code: string }[];
    expect(warning).toMatchObject({ severity: "warning", file: "w.json", line: 3, code });
    const github = await run(["w.json", "--reporter", "github"], files);
    expect(github.error).toMatch(
      new RegExp(`^::warning file=w\\.json,line=3,col=\\d+,title=${code}::filters\\[1\\]`),
    );
  });

  test("is silent with --quiet, and so is what was written", async () => {
    const { error, files: after } = await run(["w.json", "--quiet", "-o", "f.xml"], files);
    expect(error).toBe("");
    expect(after["f.xml"]).toContain("<feed");
  });

  test.each([[["-o", "f.xml"]], [["--json"]], [["--check", "w.json"]]])(
    "ends the command with --strict and %j, before anything is written",
    async (flags) => {
      const ended = await run(["w.json", "--strict", ...flags], files);
      expect(ended).toMatchObject({ exitCode: 1, out: "", files });
      expect(ended.error).toEndWith("error: --strict: nothing is written, with 1 warning\n");
    },
  );

  test("that is an info does not", async () => {
    const { exitCode } = await commandLine(
      ["automation-cost", "--action-steps", "2", "--runs-per-month", "0", "--strict"],
      {},
    );
    expect(exitCode).toBe(0);
  });
});

describe("--diff --json", () => {
  const filter = (from: string, label: string) => ({ from: [from], label });
  const input = (...filters: object[]) => JSON.stringify({ filters });

  test("gives the differences to a program", async () => {
    const a = filter("a@x.com", "A");
    const made = await run(["a.json", "-o", "a.xml"], {
      "a.json": input(a, filter("b@x.com", "B")),
    });
    const files = {
      "a.xml": String(made.files["a.xml"]),
      "a.json": input(a, filter("c@x.com", "C")),
    };
    const { exitCode, out, error } = await run(["a.json", "--diff", "a.xml", "--json"], files);
    expect([exitCode, error]).toEqual([1, `info: a.xml: ${JSON.parse(out).summary}\n`]);
    expect(JSON.parse(out).differences.map(({ change }: { change: string }) => change)).toEqual(
      expect.arrayContaining(["added", "removed"]),
    );
    const same = await run(["a.json", "--diff", "a.xml", "--json"], {
      ...files,
      "a.json": input(a, filter("b@x.com", "B")),
    });
    expect(same.exitCode).toBe(0);
    expect(JSON.parse(same.out).differences).toEqual([]);
  });
});

test("explain --json gives a code, or all of them", async () => {
  const one = JSON.parse((await commandLine(["explain", "plain-http", "--json"])).out);
  expect(one.codes).toMatchObject([{ code: "plain-http", command: "mcp-config" }]);
  const all = JSON.parse((await commandLine(["explain", "--json"])).out);
  expect(all.codes.length).toBeGreaterThan(50);
});

test("--check tells no content of a file that may hold secrets", async () => {
  const files = {
    "a.json": '{ "name": "a", "command": "b", "env": { "T": "x" } }',
    "c.json": "SECRET",
  };
  const ended = await commandLine(["mcp-config", "a.json", "--check", "c.json"], { files });
  expect(ended).toMatchObject({ exitCode: 1, out: "" });
  expect(ended.error).not.toContain("SECRET");
});

test("a run without a message does not ask whether standard error is a terminal", async () => {
  let isAsked = false;
  const world = {
    files: { "server.json": '{ "name": "files", "command": "npx" }' },
    get errorIsTerminal() {
      isAsked = true;
      return false;
    },
  };
  const { exitCode } = await commandLine(["mcp-config", "server.json", "--json"], world);
  expect({ exitCode, isAsked }).toEqual({ exitCode: 0, isAsked: false });
});
