import { describe, expect, test } from "bun:test";
import { gmailExport } from "../src/mail-filter/gmail-export/support.ts";
import { commandLine, echoLoaders as loaders, withEcho } from "./support.ts";

const argv = ["echo", "--label", "a"];
const product = '{"items":[{"label":"a"}],"loud":false,"remarks":[]}\n';

describe("the product", () => {
  test("alone goes to standard output", async () => {
    expect(await commandLine(argv, { loaders })).toMatchObject({ out: product, error: "" });
  });

  test("with --json is the whole result", async () => {
    const { out } = await commandLine([...argv, "--json"], { loaders });
    expect(out).toEndWith("\n}\n");
    expect(JSON.parse(out)).toEqual({ input: JSON.parse(product), warnings: [] });
  });

  test("with -o - goes to standard output", async () => {
    const result = await commandLine([...argv, "-o", "-"], { loaders });
    expect(result).toMatchObject({ exitCode: 0, out: product, files: {} });
    expect(Object.keys(result.files)).toEqual([]);
  });

  test("with -o goes to the file alone", async () => {
    const result = await commandLine([...argv, "-o", "out.txt"], { loaders });
    expect(result).toMatchObject({
      exitCode: 0,
      out: "",
      error: "wrote out.txt\n",
      files: { "out.txt": product },
    });
  });
});

describe("-o never replaces a file that is read", () => {
  const files = { "in.json": '{"items":[{"label":"a"}]}', "words.json": '{"words":[]}' };
  const cost = ["automation-cost", "--action-steps", "1", "--runs-per-month", "1"];
  const cases: [argv: string[], lost: string][] = [
    [["echo", "in.json", "-o", "in.json"], "in.json"],
    [["echo", "words.json", "in.json", "-o", "./in.json"], "./in.json"],
    [[...cost, "--price-book", "words.json", "-o", "words.json"], "words.json"],
    [["mail-filter", "a", "--existing", "in.json", "-o", "x/../in.json"], "x/../in.json"],
    [["mcp-config", "--read", "in.json", "--output=in.json"], "in.json"],
  ];
  test.each(cases)("%j", async (words, lost) => {
    expect(await commandLine(words, { loaders: withEcho, files })).toMatchObject({
      exitCode: 2,
      out: "",
      error: `error: --output: ${lost} is an input and would be overwritten; name another file\n`,
      files,
    });
  });

  test("but --check may compare with it, and - means two streams", async () => {
    const stdin = '{"items":[{"label":"a"}],"loud":false,"remarks":[]}\n';
    expect(await commandLine(["echo", "-", "-o", "-"], { loaders, stdin })).toMatchObject({
      exitCode: 0,
      out: stdin,
    });
    const same = ["echo", "same.json", "--check", "same.json"];
    expect(await commandLine(same, { loaders, files: { "same.json": stdin } })).toMatchObject({
      exitCode: 0,
      error: "",
    });
  });
});

describe("--check", () => {
  const check = (content: string | undefined) =>
    commandLine([...argv, "--check", "out.txt"], {
      loaders,
      files: content === undefined ? {} : { "out.txt": content },
    });

  test("says nothing when the file is the same", async () => {
    expect(await check(product)).toMatchObject({ exitCode: 0, out: "", error: "" });
  });

  const stale = (line: number) =>
    `out.txt:${line}:1: is not up to date; update it with --output out.txt`;
  const lineEnds =
    "out.txt: differs only in its line endings (CRLF); in Git, eol=lf in .gitattributes keeps LF";
  const wanted = `+ ${product}`;
  const failing: [name: string, content: string | undefined, error: string, out: string][] = [
    [
      "differs by a character",
      product.replace("a", "b"),
      stale(1),
      `- ${product.replace("a", "b")}${wanted}`,
    ],
    ["is longer", `${product}\n`, stale(3), "- \n"],
    ["is indented", `${product}\t\u001b[2J\n`, stale(2), "- \t\\u001b[2J\n"],
    ["is empty", "", stale(1), wanted],
    ["has the line ends of Windows", product.replace("\n", "\r\n"), lineEnds, ""],
    ["is not there", undefined, "out.txt: no such file or directory", ""],
    [
      "has many other lines",
      "x\n".repeat(9),
      stale(1),
      `${"- x\n".repeat(5)}- and 4 more lines\n${wanted}`,
    ],
  ];
  for (const [name, content, error, out] of failing) {
    test(`fails when the file ${name}, and leaves it`, async () => {
      const result = await check(content);
      expect(result).toMatchObject({ exitCode: 1, out, error: `error: ${error}\n` });
      expect(result.files["out.txt"]).toBe(content);
    });
  }
});

describe("messages", () => {
  const remarks = { items: [{}], remarks: ["!forward with care", "an aside"] };
  const files = { "in.json": JSON.stringify(remarks) };

  test("name the place in a file", async () => {
    const { exitCode, error } = await commandLine(["echo", "in.json"], { loaders, files });
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error:
        "warning: in.json:1:11: items[0].from_whom[1]: !forward with care [remark]\ninfo: in.json:1:11: items[0].from_whom[1]: an aside [remark]\n",
    });
  });

  test("name the flag", async () => {
    const { error } = await commandLine(["echo", "--remarks", "hm"], { loaders });
    expect(error).toBe("info: 2nd --from-whom: hm [remark]\n");
  });

  test("come beside --json and -o too", async () => {
    const flags = ["echo", "--remarks", "hm", "--json", "-o", "x"];
    expect((await commandLine(flags, { loaders })).error).toBe(
      "info: 2nd --from-whom: hm [remark]\nwrote x\n",
    );
  });

  test.each([
    [true, {}, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [false, {}, false],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "" }, true],
    [false, { FORCE_COLOR: "false" }, false],
  ])("have colour on a terminal (%j) with %j: %j", async (isTerminal, environment, coloured) => {
    const world = { files, environment, outIsTerminal: isTerminal, errorIsTerminal: isTerminal };
    const { error } = await commandLine(["echo", "in.json"], { ...world, loaders });
    const [warning, code] = coloured
      ? ["\u001b[33mwarning\u001b[39m", "\u001b[2m [remark]\u001b[22m"]
      : ["warning", " [remark]"];
    expect(error).toStartWith(
      `${warning}: in.json:1:11: items[0].from_whom[1]: !forward with care${code}\n`,
    );
    const table = (await commandLine(["tools"], world)).out;
    expect(table.startsWith("\u001b[1mCOMMAND")).toBe(coloured);
    const help = (await commandLine(["help"], world)).out;
    expect(help.includes("\u001b[1mReference:\u001b[22m\n")).toBe(coloured);
    expect(help.includes("\n  \u001b[36mtools\u001b[39m  ")).toBe(coloured);
    expect(Bun.stripANSI(help)).toBe((await commandLine(["help"])).out);
  });

  test("never bring the user's control characters to the terminal", async () => {
    const hostile = "a\u001b]0;x\u0007\u009b\n\u202e\r";
    const shown = "a\\u001b]0;x\\u0007\\u009b\\n\\u202e\\u000d";
    const { error } = await commandLine(["echo", "--remarks", hostile], { loaders });
    expect(error).toBe(`info: 2nd --from-whom: ${shown} [remark]\n`);
    for (const argv of [
      ["echo", hostile],
      ["echo", `--${hostile}`],
      [hostile],
      ["schema", hostile],
    ]) {
      expect((await commandLine(argv, { loaders })).error).toMatch(/^[ -~]+\n$/);
    }
  });
});

test("a difference has its colours on a terminal alone, and brings no control character there", async () => {
  const old = gmailExport({ from: "b@x.com", label: "b\u202e" });
  const argv = ["mail-filter", "--from", "a@x.com", "--label", "a", "--diff", "old"];
  const differences = async (outIsTerminal: boolean) =>
    (await commandLine(argv, { files: { old }, outIsTerminal })).out;
  const [added, removed] = [
    "+ Filter 1: from:(a@x.com) -> label a",
    "- from:(b@x.com) -> label b\\u202e",
  ];
  expect(await differences(false)).toBe(`${added}\n${removed}\n`);
  expect(await differences(true)).toBe(
    `\u001b[32m${added}\u001b[39m\n\u001b[31m${removed}\u001b[39m\n`,
  );
});

describe("a text that steers a terminal", () => {
  const hostile = "a\u001b[2J\u007f\u009b\u061c\u200f\u202e\u2028\u2069b\tc";
  const shown = "a\\u001b[2J\\u007f\\u009b\\u061c\\u200f\\u202e\\u2028\\u2069b";
  const files = { "in.json": JSON.stringify({ items: [{ label: "a" }], remarks: [hostile] }) };

  test("is escaped in --json, and reads back", async () => {
    const { out } = await commandLine(["echo", "in.json", "--json"], { loaders, files });
    expect(out).toContain(`"${shown}\\tc"`);
    expect(out).toMatch(/^[ -~\n]+$/);
    expect(JSON.parse(out).input.remarks).toEqual([hostile]);
  });

  test("is escaped in a product for a terminal alone", async () => {
    const product = (outIsTerminal: boolean) =>
      commandLine(["echo", "in.json"], { loaders, files, outIsTerminal });
    expect((await product(false)).out).toContain("\u202e");
    expect((await product(true)).out).toMatch(/^[ -~\n]+$/);
  });
});

describe("an internal error", () => {
  const bug = ["echo", "--label", "bug"];
  const line = "error: this is a bug in handtools; ";

  test("is one line", async () => {
    expect(await commandLine(bug, { loaders })).toMatchObject({
      exitCode: 1,
      out: "",
      error: `${line}DEBUG=1 in the environment shows where\n`,
    });
  });

  test("has its stack with DEBUG=1", async () => {
    const { exitCode, error } = await commandLine(bug, { loaders, environment: { DEBUG: "1" } });
    expect(exitCode).toBe(1);
    expect(error).toStartWith(
      `${line}please report it with these lines\nError: a bug in the tool\n`,
    );
    expect(error).toContain("test/cli/support.ts");
  });
});

describe("-o on a file that other programs share", () => {
  const argv = [
    ...["mcp-config", "--name", "files", "--command", "npx"],
    ...["--args", "server", "-o", "out"],
  ];
  const snippet = async (client: string) =>
    (await commandLine([...argv.slice(0, -2), "--client", client])).out;

  const kept: [name: string, flags: string[], content: string, lost: string][] = [
    [
      "another server",
      ["--client", "cursor"],
      '{"mcpServers":{"files":{},"other":{}}}',
      "mcpServers.other",
    ],
    ["another setting", ["--client", "cursor"], '{"theme":"dark","mcpServers":{}}', "theme"],
    [
      "comments and another server",
      ["--client", "vscode"],
      '{"servers":{/* mine */"db":{},},}',
      "servers.db",
    ],
    ["inputs of VS Code", ["--client", "vscode"], '{"inputs":[{"id":"a"}],"servers":{}}', "inputs"],
    ["another table", ["--client", "codex"], 'model = "o"\n', "model"],
    ["another server in TOML", ["--client", "codex"], "[mcp_servers.db]\n", "mcp_servers.db"],
    ["another server, and the text is for reading", [], '{"mcpServers":{"other":{}}}', ""],
    [
      "another server, and the text is the result",
      ["--json"],
      '{"mcpServers":{"other":{}}}',
      "mcpServers",
    ],
    [
      "a server named __proto__",
      ["--client", "cursor"],
      '{"mcpServers":{"__proto__":{"command":"x"}}}',
      "mcpServers.__proto__",
    ],
    [
      "the same key twice",
      ["--client", "cursor"],
      '{"mcpServers":{"other":{}},"mcpServers":{}}',
      "",
    ],
    ["broken JSON", ["--client", "cursor"], '{"mcpServers":{"other":', ""],
    ["an array", ["--client", "cursor"], "[]", ""],
    ["deep JSON", ["--client", "cursor"], `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, ""],
    ["another text", ["--client", "cursor"], "# Read me\n\nText\n", ""],
  ];
  for (const [name, flags, content, lost] of kept) {
    test(`keeps a file with ${name}`, async () => {
      const { exitCode, out, error, files } = await commandLine([...argv, ...flags], {
        files: { out: content },
      });
      const what = lost ? `holds content that would be lost (${lost})` : "holds something else";
      expect({ exitCode, out, error, files }).toEqual({
        exitCode: 2,
        out: "",
        error: `error: out: ${what}; add the server to it with handtools mcp-install, or name another file\n`,
        files: { out: content },
      });
    });
  }

  test("replaces an empty file, and its own earlier text", async () => {
    const older = ["mcp-config", "--name", "files", "--command", "node", "--env", "A=1"];
    for (const flags of [
      [],
      ["--json"],
      ...["claude-code", "vscode", "codex"].map((client) => ["--client", client]),
    ]) {
      const before = (await commandLine([...older, ...flags])).out;
      for (const content of ["", " \n", before, `\uFEFF${before}`]) {
        const { exitCode, files } = await commandLine([...argv, ...flags], {
          files: { out: content },
        });
        expect({ exitCode, out: files.out }).toEqual({
          exitCode: 0,
          out: (await commandLine([...argv.slice(0, -2), ...flags])).out,
        });
      }
    }
    expect(await snippet("codex")).toContain("[mcp_servers.files]");
  });

  test("replaces any file where the product is a file of its own", async () => {
    const result = await commandLine(["mail-filter", "--star", "--from", "a@x.org", "-o", "out"], {
      files: { out: "other" },
    });
    expect(result.exitCode).toBe(0);
    expect(result.files.out).toStartWith("<?xml");
  });
});
