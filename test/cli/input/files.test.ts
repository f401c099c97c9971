import { describe, expect, test } from "bun:test";
import { gmailExport } from "../../src/mail-filter/gmail-export/support.ts";
import { commandLine, echoLoaders } from "../support.ts";

const xml = gmailExport(
  { from: "a@x.example", label: "A" },
  { from: "b@x.example", label: "B", excludeChats: "true" },
);
const filters = (...senders: string[]) =>
  JSON.stringify({
    filters: senders.map((name) => ({ from: [`${name}@x.example`], label: name.toUpperCase() })),
  });
const files = {
  "in.json": filters("a", "c", "d"),
  "old.xml": xml,
  "other.xml": gmailExport(),
  "zaps.csv": "Zap,Steps,Runs\nA,1,2\n",
  "cursor.json": '{"mcpServers": {"a": {"command": "x"}}}',
  "cut.xml": xml.slice(0, -9),
  bad: "nothing",
};
const handtools = (argv: readonly string[]) => commandLine(argv, { files });

describe("--read", () => {
  test("says what it leaves out, with its place, and writes to -o and compares with --check", async () => {
    const argv = ["mail-filter", "--read", "old.xml"];
    const written = await handtools([...argv, "-o", "out.json"]);
    const error =
      "warning: old.xml: entry[1]: from:(b@x.example) -> label B (and excludeChats) is left out: has excludeChats, which this tool does not write [left-out]\n";
    expect(written).toMatchObject({ exitCode: 0, out: "", error: `${error}wrote out.json\n` });
    const { out } = await handtools(argv);
    expect(written.files["out.json"]).toBe(out);
    expect(await handtools([...argv, "--check", "in.json"])).toMatchObject({ exitCode: 1 });
  });

  test.each([
    ["little endian", (codes: number[]) => codes.flatMap((code) => [code & 255, code >> 8])],
    ["big endian", (codes: number[]) => codes.flatMap((code) => [code >> 8, code & 255])],
  ])("takes UTF-16, %s, as programs on Windows save it", async (_, toBytes) => {
    const codes = Array.from(`\uFEFF${xml}`, (character) => character.charCodeAt(0));
    const wide = { "old.xml": new Uint8Array(toBytes(codes)) };
    const { out } = await commandLine(["mail-filter", "--read", "old.xml"], { files: wide });
    expect(out).toBe((await handtools(["mail-filter", "--read", "old.xml"])).out);
  });

  test("prints several inputs as a list", async () => {
    const servers = { a: { command: "x" }, b: { command: "y" } };
    const argv = ["mcp-config", "--read", "two.json"];
    const two = { "two.json": JSON.stringify({ servers }) };
    const { out, error } = await commandLine(argv, { files: two });
    expect(JSON.parse(out)).toEqual([
      { name: "a", command: "x" },
      { name: "b", command: "y" },
    ]);
    expect(error).toBe("info: two.json: holds 2 inputs, printed as a list; pass one at a time\n");
  });
});

test("--existing writes the rest and says what it is, also beside flags, --json and -o", async () => {
  const { exitCode, out, error } = await handtools([
    "mail-filter",
    "in.json",
    "--existing",
    "old.xml",
  ]);
  expect({ exitCode, entries: out.match(/<entry>/g)?.length }).toEqual({ exitCode: 0, entries: 2 });
  expect(error.split("\n").slice(0, 3)).toEqual([
    "info: old.xml: 2 new, 1 there already, 0 in Gmail only, 1 left out (keep them)",
    "info: + Filter 2: from:(c@x.example) -> label C",
    "info: + Filter 3: from:(d@x.example) -> label D",
  ]);
  const flags = ["mail-filter", "--from", "c@x.example", "--star", "--existing", "old.xml"];
  const json = (await handtools([...flags, "--json", "-o", "x"])).files.x?.toString() ?? "";
  expect(JSON.parse(json).filters).toHaveLength(1);
});

test("--diff prints a line a difference, and fails", async () => {
  const { exitCode, out, error } = await handtools(["mail-filter", "in.json", "--diff", "old.xml"]);
  expect({ exitCode, out: out.split("\n").slice(0, 2) }).toEqual({
    exitCode: 1,
    out: ["+ Filter 2: from:(c@x.example) -> label C", "+ Filter 3: from:(d@x.example) -> label D"],
  });
  expect(error).toStartWith("info: old.xml: 2 new, 1 there already");
});

test("--search --old prints a search for each filter, and names what has none", async () => {
  const forward = { name: "F", from: ["b@x.example"], forward_to: "me@x.example" };
  const both = { from: ["a@x.example"], label: "A b", skip_inbox: true, never_spam: true };
  const old = { "in.json": JSON.stringify({ filters: [forward, both] }) };
  const argv = ["mail-filter", "in.json", "--search", "--old"];
  const { exitCode, out, error } = await commandLine(argv, { files: old });
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: "(from:(a@x.example)) {-label:A-b in:inbox}\n",
  });
  expect(error).toEndWith(
    'info: F: Gmail cannot search for what "forward to me@x.example" would change\ninfo: Filter 2: Gmail cannot search for what "never spam" would change\n',
  );
});

describe("a file of another format is rejected", () => {
  const notXml =
    "bad: is not Gmail's export (mailFilters.xml): it is not XML; export the filters again in Gmail: Settings > See all settings > Filters and Blocked Addresses > Export";
  const rejected: [words: string, error: string][] = [
    ["mail-filter --read bad", notXml],
    ["mail-filter in.json --existing bad", notXml],
    ["mail-filter in.json --diff bad", notXml],
    ["mail-filter cut.xml", "cut.xml: is XML or a web page, and not JSON"],
    ["mail-filter --read old.xml --json", "--json: with --read it needs --merge"],
    ["mail-filter --read other.xml", "other.xml: has nothing to read"],
    ...["mail-filter", "automation-cost", "mcp-config"].map((command): [string, string] => [
      `${command} in.json --read old.xml`,
      "--read: cannot be used with FILE",
    ]),
    [
      "mail-filter --existing old.xml",
      "give a FILE, - for standard input, or flags; see handtools mail-filter --help",
    ],
    ["automation-cost in.json --runs A=3", "--runs: needs --read"],
    ["automation-cost in.json --runs-default 3", "--runs-default: needs --read"],
  ];
  test.each(rejected)("%s -> %s", async (words, error) => {
    const result = await handtools(words.split(" "));
    expect(result).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining(`error: ${error}\n`),
    });
  });
});

describe("flags that exclude each other", () => {
  const excluded: [command: string, flag: string, others: string[]][] = [
    [
      "mail-filter",
      "--read old.xml",
      ["--label a", "--from a", "--search", "--old", "--existing old.xml", "--diff old.xml"],
    ],
    ["mail-filter", "in.json --existing old.xml", ["--diff old.xml"]],
    ["mail-filter", "in.json --diff old.xml", ["-o x", "--check x", "--search", "--old"]],
    ["mail-filter", "in.json --old", ["--json"]],
    ["mail-filter", "in.json --search", ["--json"]],
    ["mail-filter", "in.json -o x", ["--check x"]],
    [
      "automation-cost",
      "--read zaps.csv",
      ["--name a", "--team", "--price-book x", "--json", "--breakpoints"],
    ],
    [
      "mcp-config",
      "--read cursor.json",
      ["--command a", "--env A=1", "--client codex", "--transport sse", "--json"],
    ],
    [
      "mcp-install",
      "--client cursor --self",
      ["--name a", "--url b", "--transport sse", "--package npm", "--set A=1", "--server a"],
    ],
    [
      "mcp-install",
      "--client cursor --from codex",
      ["--name a", "--transport sse", "--package npm", "--set A=1", "--self"],
    ],
    ["mcp-install", "--client cursor --self --check", ["--dry-run"]],
  ];
  test.each(
    excluded.flatMap(([command, flag, others]) =>
      others.map((other) => `${command} ${flag} ${other}`),
    ),
  )("%s", async (words) => {
    const { exitCode, error } = await handtools(words.split(" "));
    expect(exitCode).toBe(2);
    expect(error).toMatch(/^error: option '.*' cannot be used with option '.*'; see /);
  });

  /** The flags that may stand beside all others, and those that every command has. */
  const free = {
    "mail-filter": "--merge",
    "automation-cost": "--runs --runs-default",
    "mcp-config": "--package --set --block",
    "mcp-install": "--scope --file --force",
  };
  const OF_ALL = "--json --output --check --strict --quiet --reporter --help".split(" ");
  test.each(Object.entries(free))("%s has no other flags", async (command, flags) => {
    const { out: help } = await handtools([command, "--help"]);
    const tool = command.replace("install", "config");
    const { out: schema } = await handtools(["schema", tool]);
    const own = Array.from(help.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm), ([, flag = ""]) => flag)
      .filter((flag) => !OF_ALL.includes(flag))
      .filter((flag) => !schema.includes(`"${flag.slice(2).replaceAll("-", "_")}": {`));
    const words = excluded
      .filter(([name]) => name === command)
      .flat(2)
      .join(" ")
      .split(" ");
    expect(own.length).toBeGreaterThan(3);
    expect(own.filter((flag) => ![...words, ...flags.split(" ")].includes(flag))).toEqual([]);
  });
});

describe("a product in place of an input", () => {
  const xml =
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:apps="http://schemas.google.com/apps/2006"><entry><category term="filter"/><apps:property name="from" value="a@x.com"/><apps:property name="label" value="A"/></entry></feed>';
  const reads = (name: string, advice: string) => `error: ${name}: is not an input; ${advice}\n`;
  const cases: [name: string, argv: string[], text: string, error: string][] = [
    ["an export", ["mail-filter", "a b"], xml, reads("a b", "write --read 'a b' in its place")],
    [
      "an export with another flag, which the advice keeps",
      ["mail-filter", "a b", "--merge"],
      xml,
      reads("a b", "write --read 'a b' in its place"),
    ],
    [
      "an export among inputs",
      ["mail-filter", "in.json", "a b"],
      xml,
      reads("a b", "handtools mail-filter --read 'a b' makes one of it"),
    ],
    [
      "standard input",
      ["mail-filter", "-"],
      xml,
      reads("standard input", "write --read - in its place"),
    ],
  ];
  for (const [name, argv, text, error] of cases) {
    test(`${name} is rejected with the flag that reads it`, async () => {
      const files = { "a b": text, "in.json": '{"filters": []}' };
      const result = await commandLine(argv, { files, stdin: text });
      expect(result).toMatchObject({ exitCode: 2, out: "", error, files });
    });
  }

  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  test.each(["mail-filter", "mcp-config", "mcp-install --client cursor"])(
    "%s: a text that is nested too deeply to be read is none",
    async (words) => {
      const argv = words.split(" ");
      const { exitCode, error } = await commandLine([...argv, "x"], { files: { x: deep } });
      expect(exitCode).toBe(2);
      expect(error).toMatch(/^error: x:1:1: (?:must be an object|is nested too deeply)\n$/);
    },
  );

  const faulty: [argv: string[], text: string, error: string][] = [
    [["mcp-config", "x"], '{"command": "npx"}', "x:1:1: name: is required"],
    [
      ["mcp-config", "x"],
      '{"name":{"toString":""},"url":"http://a"}',
      "x:1:9: name: must be a string",
    ],
    [
      ["mcp-config", "x"],
      "a: 1\n",
      "x: has no MCP server: give a client's config, a README with one, or a line that adds one, such as claude mcp add",
    ],
    [
      ["mcp-config", "x"],
      '{"mcpServers": {"a": {"url": "ftp://x"}}}',
      "x:1:1: has no server that a client accepts: a: url: must start with http:// or https://",
    ],
    ...[["x"], ["--read", "x"]].flatMap((file): [string[], string, string][] => [
      [
        ["mcp-config", ...file, "--set", "A=1"],
        '{"mcpServers": {"a": {"command": "x"}}}',
        "--set: needs a server.json",
      ],
      [
        ["mcp-config", ...file, "--package", "npm"],
        '{"mcpServers": {"a": {"command": "x"}}}',
        "--package: needs a server.json",
      ],
    ]),
    [
      ["mcp-config", "x", "--url", "https://x.example"],
      '[mcp_servers.a]\ncommand = "x"\n',
      "--url: give it in the FILE x, or all as flags; put the command line of another program after --",
    ],
    [
      ["mcp-config", "x", "--transport", "sse"],
      '{"mcpServers": {"a": {"command": "x"}}}',
      "x:1:34: mcpServers.a.command: must be left out with the transport sse: only a remote server (url) has it",
    ],
    [
      ["mcp-config", "x"],
      '{"name": "a", "name": "b", "command": "npx"}',
      'x:1:15: the key "name" is given twice',
    ],
    [["mail-filter", "x"], "<feed>", "x: is XML or a web page, and not JSON"],
  ];
  for (const [argv, text, error] of faulty) {
    test(`an invalid input is rejected: ${text}`, async () => {
      expect(await commandLine(argv, { files: { x: text } })).toMatchObject({
        exitCode: 2,
        error: `error: ${error}\n`,
      });
    });
  }
});

test("the command line has limits of its own, the schema the public ones", async () => {
  const labels = (count: number) =>
    JSON.stringify({ items: Array.from({ length: count }, () => ({ label: "a" })) });
  const echo = (argv: readonly string[], x = "") =>
    commandLine(argv, { loaders: echoLoaders, files: { x } });
  expect((await echo(["echo", "x"], labels(5))).exitCode).toBe(0);
  expect((await echo(["echo", "x"], labels(6))).error).toBe(
    "error: x:1:10: items: must have at most 5 items\n",
  );
  expect((await echo(["echo", "--help"])).out).toContain("\nInput, one of up to 5 items:\n");
  const { out } = await echo(["schema", "echo"]);
  expect(JSON.parse(out).properties.items.maxItems).toBe(3);
});

describe("the tools' own products", () => {
  test("mail-filter writes only what an export lacks, and reads it again", async () => {
    const old = { filters: [{ from: ["a@x.example"], label: "A" }] };
    const both = {
      filters: [
        { from: ["A@X.example"], label: "A" },
        { from: ["b@x.example"], star: true },
      ],
    };
    const { out: xml } = await commandLine(["mail-filter", "-"], { stdin: JSON.stringify(old) });
    const files = { "gmail.xml": xml, "both.json": JSON.stringify(both) };
    const added = await commandLine(["mail-filter", "both.json", "--existing", "gmail.xml"], {
      files,
    });
    expect(added.error).toStartWith("info: gmail.xml: 1 new, 1 there already, 0 in Gmail only\n");
    const none = await commandLine(
      ["mail-filter", "-", "--existing", "gmail.xml", "-o", "new.xml"],
      {
        files,
        stdin: JSON.stringify(old),
      },
    );
    expect(none).toMatchObject({
      exitCode: 0,
      out: "",
      error: "info: gmail.xml: 0 new, 1 there already, 0 in Gmail only; nothing is written\n",
    });
    expect(none.files["new.xml"]).toBeUndefined();
    const again = await commandLine(["mail-filter", "--read", "-"], { stdin: added.out });
    expect(again.out.split("\n")).toHaveLength(6);
    expect(JSON.parse(again.out)).toMatchObject({ filters: [both.filters[1]] });
    const same = await commandLine(["mail-filter", "-", "--diff", "gmail.xml"], {
      files,
      stdin: JSON.stringify(old),
    });
    expect(same).toMatchObject({ exitCode: 0, out: "", error: "" });
    expect(
      (await commandLine(["mail-filter", "both.json", "--diff", "gmail.xml"], { files })).exitCode,
    ).toBe(1);
  });

  test("mail-filter names every problem of an input, beside an export too", async () => {
    const flags = ["mail-filter", "--from", "-a@x.example", "--larger-than-mb", "51", "--star"];
    const { error } = await commandLine(flags);
    expect(error.split("\n")).toHaveLength(3);
    const { out: xml } = await commandLine(["mail-filter", "--from", "a@x.example", "--star"]);
    for (const flag of ["--existing", "--diff"]) {
      const world = { files: { "gmail.xml": xml } };
      expect((await commandLine([...flags, flag, "gmail.xml"], world)).error).toBe(error);
    }
  });

  test("mcp-config --read gives the server of a client's file again", async () => {
    const example = (await commandLine(["example", "mcp-config"])).out;
    for (const client of ["cursor", "codex", "opencode"]) {
      const file = await commandLine(["mcp-config", "-", "--client", client], { stdin: example });
      const { exitCode, out } = await commandLine(["mcp-config", "--read", "-"], {
        stdin: file.out,
      });
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: example });
    }
  });

  test.each<[string, number, string]>([
    ["--read R.md --block 2", 0, ""],
    [
      "--read R.md",
      2,
      "error: R.md: has 2 blocks with servers; choose one (--block N): 1 with a (line 2); 2 with b (line 5)\n",
    ],
    ["--block 1", 2, "error: --block: needs --read\n"],
    ["--read R.md --block 0", 2, "error: --block: must be a whole number from 1\n"],
    [
      "R.md",
      2,
      "error: R.md: has 2 servers, a, b, and a command takes one: print their inputs with handtools mcp-config --read, and give one of them\n",
    ],
  ])("mcp-config %s, of a README with two blocks", async (argv, exitCode, error) => {
    const blocks = ["a", "b"].map((name) => `{"servers": {"${name}": {"command": "x"}}}`);
    const files = { "R.md": blocks.map((json) => `~~~\n${json}\n~~~\n`).join("") };
    const ended = await commandLine(["mcp-config", ...argv.split(" ")], { files });
    expect(ended).toMatchObject({ exitCode, error });
    if (exitCode === 0) expect(JSON.parse(ended.out)).toEqual({ name: "b", command: "x" });
  });

  const events = { type: "sse", url: "https://x.example/events" };
  const config = JSON.stringify({ mcpServers: { ev: events } });
  test.each<[string, string, object?]>([
    ["a client's file", config],
    ["a file with comments", `// mine\n${config}`],
    ["one entry with its name", JSON.stringify({ name: "ev", ...events })],
    ["one entry alone", JSON.stringify(events), { server: events }],
    ["a README", `Add:\n\n~~~json\n${config}\n~~~\n`],
    ["a line that adds a server", `claude mcp add -t sse ev ${events.url}`],
    ["a server.json", JSON.stringify({ name: "io.x/ev", remotes: [events] })],
    [
      "TOML",
      '[mcp_servers.ev]\nurl = "https://x.example/events"\n',
      { ev: { type: "http", url: events.url } },
    ],
  ])(
    "mcp-config takes %s with its transport, as a file and from standard input",
    async (_, text, servers = { ev: events }) => {
      for (const file of ["x", "-"]) {
        const argv = ["mcp-config", file, "--client", "claude-code"];
        const { exitCode, out, error } = await commandLine(argv, {
          files: { x: text },
          stdin: text,
        });
        expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
        expect(JSON.parse(out)).toEqual({ mcpServers: servers });
      }
    },
  );

  test("mcp-config reports what it leaves out of a client's file, and takes --name and --transport", async () => {
    const x = JSON.stringify({ mcpServers: { ev: { ...events, timeout: 5 } } });
    const argv = ["mcp-config", "x", "--client", "cursor", "--name", "b", "--transport", "http"];
    const { out, error } = await commandLine(argv, { files: { x } });
    expect(error).toBe(
      "warning: x:1:78: mcpServers.ev.timeout: is a setting of one client and was left out [field-left-out]\n",
    );
    expect(JSON.parse(out)).toEqual({ mcpServers: { b: { type: "http", url: events.url } } });
  });

  test("mcp-config --read names the servers that need --transport sse", async () => {
    const x = JSON.stringify({ mcpServers: { ev: events, b: { url: events.url } } });
    const { out, error } = await commandLine(["mcp-config", "--read", "x"], { files: { x } });
    expect(JSON.parse(out)).toEqual([
      { name: "ev", url: events.url },
      { name: "b", url: events.url },
    ]);
    expect(error.split("\n")[0]).toBe(
      "info: x: ev: speaks SSE, which its input cannot say: give --transport sse with it [sse-url]",
    );
    expect(error).not.toContain("x: b:");
  });

  test.each([
    [["--name", "ev", "--url", events.url, "--transport", "sse"], 0],
    [["in.json", "--transport", "sse"], 0],
    [["in.json", "--transport", "http", "--transport", "sse"], 2],
    [["in.json", "--transport", "stdio"], 2],
  ])("mcp-config %j", async (argv, exitCode) => {
    const files = { "in.json": JSON.stringify({ name: "ev", url: events.url }) };
    const ended = await commandLine(["mcp-config", ...argv, "--json"], { files });
    expect(ended.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(JSON.parse(ended.out).transport).toBe("sse");
  });

  test("mcp-config --client prints the file of a client beyond the five", async () => {
    const argv = ["mcp-config", "--name", "a", "--command", "b", "--client", "zed"];
    const { out } = await commandLine(argv);
    expect(JSON.parse(out)).toEqual({ context_servers: { a: { command: "b" } } });
  });
});
