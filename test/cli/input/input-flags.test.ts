import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ACTION_FIELDS } from "../../../src/mail-filter/fields.ts";
import { tries } from "../../support/runs.ts";
import { commandLine, echoLoaders as loaders } from "../support.ts";

/** The input that reaches the tool. */
async function inputFor(argv: readonly string[], environment: Record<string, string> = {}) {
  const { exitCode, out, error } = await commandLine(["echo", ...argv], { loaders, environment });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  return JSON.parse(out);
}

describe("flags describe one item and the root", () => {
  const cases: [flags: string[], item: object, root?: object][] = [
    [["--label", "a b"], { label: "a b" }],
    [["--label=x=y"], { label: "x=y" }],
    [["--label", ""], { label: "" }],
    [["--label", "--json"], { label: "--json" }],
    [
      ["--from-whom", "a", "--label", "l", "--from-whom", "b"],
      { from_whom: ["a", "b"], label: "l" },
    ],
    [["--from-whom", "-y", "--from-whom", "--version"], { from_whom: ["-y", "--version"] }],
    [["--from-whom", "--help", "--from-whom", "--"], { from_whom: ["--help", "--"] }],
    [["--size-mb", "2.5"], { size_mb: 2.5 }],
    [["--size-mb", "-1e2"], { size_mb: -100 }],
    [["--count=7"], { count: 7 }],
    [["--mark-read"], { mark_read: true }],
    [["--importance", "never"], { importance: "never" }],
    [
      ["--env", "A=b=c", "--env", "B=", "--env", "C-D: e:f"],
      { env: { A: "b=c", B: "", "C-D": "e:f" } },
    ],
    [["--loud"], {}, { loud: true }],
    [["--label", "x", "--loud"], { label: "x" }, { loud: true }],
  ];
  for (const [flags, item, root = { loud: false }] of cases) {
    test(flags.join(" "), async () => {
      expect(await inputFor(flags)).toEqual({ items: [item], remarks: [], ...root });
    });
  }

  test("--env __proto__=x keeps the name", async () => {
    const { items } = await inputFor(["--env", "__proto__=x", "--env", "constructor=y"]);
    expect(Object.entries(items[0].env)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  test("--env NAME alone takes the value from the environment", async () => {
    const environment = { TOKEN: "s3=cret", EMPTY: "" };
    const { items } = await inputFor(["--env", "TOKEN", "--env", "EMPTY"], environment);
    expect(items[0].env).toEqual({ TOKEN: "s3=cret", EMPTY: "" });
  });

  test("any list of texts and map arrives as it was given", async () => {
    const name = fc.stringMatching(/^[\w-]{1,9}$/);
    const text = fc.string({ unit: "binary" });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1 }),
        fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 99 })), { selector: ([key]) => key }),
        async (texts, entries) => {
          const argv = [
            ...texts.flatMap((value) => ["--from-whom", value]),
            ...entries.flatMap(([key, value]) => ["--env", `${key}=${value}`]),
          ];
          const { items } = await inputFor(argv);
          expect(items[0].from_whom).toEqual(texts);
          expect(Object.entries(items[0].env ?? {}).sort()).toEqual(entries.sort());
        },
      ),
      tries(10),
    );
  });
});

describe("what is about no flag alone", () => {
  test("has the input for its subject in errors", async () => {
    const { error } = await commandLine(["echo", "--label", "reject"], { loaders });
    expect(error).toBe(
      "error: the input: must have --from-whom or --size-mb\nerror: the input: must be loud\n",
    );
  });

  test("is the subject of a warning about an item; a warning about the whole has none", async () => {
    const flags = ["--remarks", "item", "--remarks", "whole"];
    const { error } = await commandLine(["echo", ...flags], { loaders });
    expect(error).toBe("info: the input: item [remark]\ninfo: whole [remark]\n");
  });
});

test.each([
  [
    ["mail-filter", "--from", "-b", "--star"],
    "--from: must not start with -; to keep mail out, use --does-not-have, as in from:boss@example.com",
  ],
  [
    ["mail-filter", "--from", "a@x.org", "--from", "", "--star"],
    "2nd --from: must have at least 1 character",
  ],
  [
    ["mail-filter", "--from", "a@x.org"],
    `the input: must have an action: one of ${ACTION_FIELDS.map((field) => `--${field.replaceAll("_", "-")}`).join(", ")}`,
  ],
  [
    ["mcp-config", "--name", "a", "--command", "b", "--env", "X=1", "--env", "A B=c"],
    "--env 'A B': the name must be 1 to 100 letters, digits or _, not starting with a digit",
  ],
])("handtools %j is rejected in the words of its flags", async (argv, error) => {
  expect(await commandLine(argv)).toMatchObject({ exitCode: 2, error: `error: ${error}\n` });
});

describe("a wrong flag is named", () => {
  const cases: [flags: string[], error: string][] = [
    [["--size-mb", "99"], "--size-mb: must be at most 50"],
    [["--size-mb", "0x1F"], "--size-mb: must be a number"],
    [["--size-mb", "1,5"], "--size-mb: must be a number"],
    [["--size-mb", ""], "--size-mb: must be a number"],
    [["--count", "1.5"], "--count: must be a whole number"],
    [["--importance", "often"], '--importance: must be "always" or "never"'],
    [["--env", "a b=c"], "--env 'a b': the name must be a name"],
    [["--env", "A=1", "--env", "A=2"], "--env: A is given twice"],
    [
      ["--env", "NO"],
      "--env: the environment variable NO is not set; set it, or give the value as NO=VALUE",
    ],
    [
      ["--env", "toString"],
      "--env: the environment variable toString is not set; set it, or give the value as toString=VALUE",
    ],
    [
      ["--env", "Authorization Bearer secret"],
      "--env: Authorization … must be NAME=VALUE or 'Name: value', or the name of a variable",
    ],
    [["--label", "a", "--label", "b"], "--label: is given twice"],
  ];
  for (const [flags, error] of cases) {
    test(flags.join(" "), async () => {
      const result = await commandLine(["echo", ...flags], { loaders });
      expect(result).toMatchObject({ exitCode: 2, out: "", error: `error: ${error}\n` });
    });
  }
});

describe("a command line behind -- fills the fields that the contract names", () => {
  const cases: [argv: string[], command: string, args: string[]][] = [
    [["--", "npx", "-y", "server"], "npx", ["-y", "server"]],
    [["--", "srv"], "srv", []],
    [["--", "npx", "--", "a b", "", "--args=x"], "npx", ["--", "a b", "", "--args=x"]],
    [["--args", "--", "--command", "srv"], "srv", ["--"]],
    [["--args", "-v", "--", "npx", "-y"], "npx", ["-v", "-y"]],
  ];
  test.each(cases)("%j", async (words, command, args) => {
    const argv = ["mcp-config", "--client", "claude-code", "--name", "a", ...words];
    const { out, error } = await commandLine(argv);
    expect(error).toBe("");
    const entry = { type: "stdio", command, ...(args.length > 0 && { args }) };
    expect(JSON.parse(out)).toEqual({ mcpServers: { a: entry } });
  });

  test("and of two commands one is too many", async () => {
    const { error } = await commandLine(["mcp-config", "--command", "a", "--", "b"]);
    expect(error).toBe("error: --command: is given twice\n");
  });
});
