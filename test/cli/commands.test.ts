import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { type Explanation, errorCodes, warningCodes } from "../../schemas/codes.ts";
import { tools } from "../../schemas/index.ts";
import { ALL_CLIENTS } from "../../schemas/mcp-config.ts";
import { priceBook } from "../../src/automation-cost/index.ts";
import { fileSchemas } from "../../src/file-schemas.ts";
import { openApi } from "../../src/index.ts";
import { jsonSchema } from "../../src/json-schema.ts";
import { commandLine, echoLoaders, shellWords } from "./support.ts";

const commands = tools.map(({ command }) => command);

const CLIENTS = [...ALL_CLIENTS, "all"].join(", ");

describe("usage", () => {
  const wrong: [argv: string[], error: string][] = [
    [
      ["mail-fitler"],
      "unknown command 'mail-fitler' (Did you mean mail-filter?); see handtools --help",
    ],
    [["help", "nope"], "unknown command 'nope'; see handtools --help"],
    [
      ["signups", "cuont"],
      "unknown command 'cuont' (Did you mean count?); see handtools signups --help",
    ],
    [
      ["help", "mail-filter", "b"],
      "too many arguments for 'help'. Expected 1 argument but got 2; see handtools help --help",
    ],
    [["--json"], "unknown option '--json'; see handtools --help"],
    [
      ["tools", "--jsn"],
      "unknown option '--jsn' (Did you mean --json?); see handtools tools --help",
    ],
    [
      ["mail-filter", "--form", "a"],
      "unknown option '--form' (Did you mean --from?); see handtools mail-filter --help",
    ],
    [
      ["mail-filter", "a", "--json", "--form", "b"],
      "unknown option '--form' (Did you mean --from?); see handtools mail-filter --help",
    ],
    [
      ["mail-filter", "--archive"],
      "unknown option '--archive' (Did you mean --skip-inbox?); see handtools mail-filter --help",
    ],
    [
      ["mail-filter", "--from", "a@x.org", "--trash"],
      "unknown option '--trash' (Did you mean --delete?); see handtools mail-filter --help",
    ],
    [
      ["mcp-install", "--cmd", "npx"],
      "unknown option '--cmd' (Did you mean --command?); see handtools mcp-install --help",
    ],
    [["tools", "--archive"], "unknown option '--archive'; see handtools tools --help"],
    [
      ["mcp-config", "--name", "files", "npx", "-y", "srv"],
      "unknown option '-y'; put the command line of another program after --; see handtools mcp-config --help",
    ],
    [
      ["mcp-config", "--name", "files", "npx"],
      "--name: give it in the FILE npx, or all as flags; put the command line of another program after --",
    ],
    [
      ["mail-filter", "--from", "a@x.org", "--subject", "your", "receipt", "--star"],
      "--from: give it in the FILE receipt, or all as flags; put a value of several words in quotes",
    ],
    [
      ["mail-filter", "--from", "a@x.org", "--star=true"],
      "option '--star' takes no value; see handtools mail-filter --help",
    ],
    [
      ["signups", "sync", "--yes=1"],
      "option '--yes' takes no value; see handtools signups sync --help",
    ],
    [
      ["mcp-config", "--name", "files"],
      "the input: must have one of --command, --url: the program of a local server, or a remote one's address",
    ],
    [
      ["mcp-config", "--name", "files", "--command", "npx", "--url", "https://x.example/mcp"],
      "--url: must be left out with --command: a server is either local or remote",
    ],
    [["signups", "export", "--format", "xml"], "--format: must be one of jsonl, csv"],
    [["signups", "export", "--format", "csv", "--format", "jsonl"], "--format: is given twice"],
    [["signups", "sync", "--name", "A", "--name", "B"], "--name: is given twice"],
    [["serve", "--port", ""], "--port: must not be empty"],
    [
      ["signups", "export", "ada@example.org", "--format", "csv"],
      "--format: is for all addresses; one is printed as JSON",
    ],
    [["signups", "import", ""], "FILE: must not be empty"],
    [["-v"], "unknown option '-v' (Did you mean --version?); see handtools --help"],
    [["version"], "unknown command 'version' (Did you mean --version?); see handtools --help"],
    [
      ["mail"],
      "unknown command 'mail' (Did you mean mail-filter or mail-try?); see handtools --help",
    ],
    [
      ["automation"],
      "unknown command 'automation' (Did you mean automation-cost?); see handtools --help",
    ],
    [["gmail"], "unknown command 'gmail' (Did you mean mail-filter?); see handtools --help"],
    [["mcpConfig"], "unknown command 'mcpConfig' (Did you mean mcp-config?); see handtools --help"],
    [["install"], "unknown command 'install' (Did you mean mcp-install?); see handtools --help"],
    [
      ["mail-filter", "--from"],
      "option '--from <text>' argument missing; see handtools mail-filter --help",
    ],
    [
      ["mail-filter", "--star", "--json", "--search"],
      "option '--search' cannot be used with option '--json'; see handtools mail-filter --help",
    ],
    [["mail-filter", "--star", "--old"], "--old: needs --search"],
    [
      ["mail-filter", "--star", "-o", "a", "--check", "a"],
      "option '--check <file>' cannot be used with option '-o, --output <file>'; see handtools mail-filter --help",
    ],
    [["mail-filter", "--star", "-o", "a", "-o", "b"], "--output: is given twice"],
    [["mcp-config", "--name", "x", "--client", "vim"], `--client: must be one of ${CLIENTS}`],
    [
      ["mcp-config", "--name", "x", "--client", "cusror"],
      `--client: must be one of ${CLIENTS}; did you mean cursor?`,
    ],
    [
      ["mcp-config", "--name", "x", "--client", "Claude"],
      `--client: must be one of ${CLIENTS}; did you mean claude-desktop or claude-code?`,
    ],
    [["schema"], "missing required argument 'command'; see handtools schema --help"],
    [["example", "nothing"], `there is no tool "nothing"; there are ${commands.join(", ")}`],
    [["schema", "mailtests"], 'there is no tool "mailtests"; did you mean mail-tests?'],
    [["schema", "mcpconfig"], 'there is no tool "mcpconfig"; did you mean mcp-config?'],
    [
      ["example", "mail_filter_genrator"],
      'there is no tool "mail_filter_genrator"; did you mean mail_filter_generator?',
    ],
    [["explain", "size-twise"], 'there is no code "size-twise"; did you mean size-twice?'],
    [["explain", "nope"], 'there is no code "nope"; handtools explain lists all'],
  ];
  for (const [argv, error] of wrong) {
    test(`handtools ${argv.join(" ")}`, async () => {
      const result = await commandLine(argv);
      expect(result).toMatchObject({ exitCode: 2, out: "", error: `error: ${error}\n` });
    });
  }

  test("handtools --help has its commands under headings", async () => {
    const { out } = await commandLine(["--help"]);
    const sections = out.matchAll(/^(\w+):\n((?: {2}[a-z].*\n)+)/gm);
    const found = Array.from(sections, ([, heading = "", lines = ""]) => [
      heading,
      [...lines.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name),
    ]);
    expect(Object.fromEntries(found)).toMatchObject({
      Tools: commands,
      Gmail: ["mail-try"],
      MCP: ["mcp-install", "mcp-uninstall", "mcp-list", "mcp-readme", "mcp"],
      Server: ["serve", "signups"],
      Reference: ["tools", "schema", "example", "explain", "openapi", "help"],
    });
  });

  test("handtools alone shows its help on standard error", async () => {
    const help = await commandLine(["--help"]);
    expect(await commandLine([])).toMatchObject({ exitCode: 2, out: "", error: help.out });
  });

  test("handtools --version", async () => {
    expect(await commandLine(["--version"])).toMatchObject({
      exitCode: 0,
      out: `${packageJson.version}\n`,
    });
  });
});

describe("help", () => {
  for (const command of [
    [],
    ...[...commands, "tools", "schema", "example", "explain", "openapi", "serve", "signups"].map(
      (name) => [name],
    ),
    ["help"],
  ]) {
    test(`of handtools ${command} has examples and is code 0`, async () => {
      const { exitCode, out, error } = await commandLine([...command, "--help"]);
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
      expect(out).toMatch(/\nExamples:\n {2}\$ handtools /);
      expect((await commandLine(["help", ...command])).out).toBe(out);
    });
  }

  test("has a flag for every field, also beside a file", async () => {
    const { out } = await commandLine(["mail-filter", "in.json", "--json", "--help"]);
    const item = jsonSchema(tools[0].input).properties?.filters?.items?.properties ?? {};
    for (const name of Object.keys(item))
      expect(out).toContain(`  --${name.replaceAll("_", "-")} `);
  });

  const echo = { name: "echo", loaders: echoLoaders };
  for (const { name, loaders } of [
    ...commands.map((name) => ({ name, loaders: undefined })),
    echo,
  ]) {
    const world = loaders ? { loaders } : {};
    test(`of ${name} shows flags that give the first item of the example`, async () => {
      const help = (await commandLine([name, "--help"], world)).out;
      const [, flags = ""] = /\$ handtools (.*)\n/.exec(help) ?? [];
      const example = JSON.parse((await commandLine(["example", name], world)).out);
      for (const [key, value] of Object.entries(example)) {
        const isItems = Array.isArray(value) && typeof value[0] === "object";
        if (isItems) example[key] = [value[0]];
      }
      const stdin = JSON.stringify(example);
      const wanted = await commandLine([name, "-", "--json"], { ...world, stdin });
      const actual = await commandLine([...shellWords(flags), "--json"], world);
      expect(wanted).toMatchObject({ exitCode: 0, error: "" });
      expect(actual.out).toBe(wanted.out);
    });
  }
});

describe("the tools as data", () => {
  for (const contract of tools) {
    const { command, name, segment, example_input, input } = contract;

    test(`handtools example ${command} runs without a warning`, async () => {
      const { out } = await commandLine(["example", command]);
      expect(JSON.parse(out)).toEqual(example_input);
      const result = await commandLine([command, "-"], { stdin: out });
      expect(result).toMatchObject({ exitCode: 0, error: "" });
      expect(result.out).toEndWith("\n");
    });

    test(`handtools schema takes ${command}, ${name} and ${segment}`, async () => {
      for (const wanted of [command, name, segment]) {
        const { out } = await commandLine(["schema", wanted]);
        expect<unknown>(JSON.parse(out)).toEqual(jsonSchema(input));
      }
    });
  }

  test.each(["mail-tests", "price-book"])(
    "handtools schema %s is that for editors",
    async (name) => {
      const { exitCode, out } = await commandLine(["schema", name]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual(
        JSON.parse(JSON.stringify(fileSchemas.find((schema) => schema.name === name)?.compose())),
      );
    },
  );

  test("handtools tools is a line for each", async () => {
    const { out } = await commandLine(["tools"]);
    const [head, ...lines] = out.trimEnd().split("\n");
    expect(head).toMatch(/^COMMAND +LIBRARY +WHAT IT IS$/);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      tools.map((tool) => [tool.command, `${tool.function}()`, tool.title]),
    );
  });

  test("handtools tools --json tells an agent all it needs", async () => {
    const listed = JSON.parse((await commandLine(["tools", "--json"])).out).tools;
    expect(listed).toEqual(
      tools.map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        command: `handtools ${tool.command}`,
        function: tool.function,
        input_schema: jsonSchema(tool.input),
        example_input: tool.example_input,
      })),
    );
  });
});

test.each([
  [[], "http://localhost:3000"],
  [["--base-url", "https://tools.example"], "https://tools.example"],
  [["--base-url", "https://tools.example/"], "https://tools.example"],
  [["--base-url", "http://[::1]:8080"], "http://[::1]:8080"],
])("handtools openapi %j prints the document of %s", async (flags, baseUrl) => {
  const { exitCode, out, error } = await commandLine(["openapi", ...flags]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(openApi({ baseUrl }))));
});

test.each(["tools.example", "https://tools.example/api", ""])(
  "handtools openapi --base-url %j is rejected",
  async (baseUrl) => {
    expect(await commandLine(["openapi", "--base-url", baseUrl])).toMatchObject({
      exitCode: 2,
      out: "",
      error:
        "error: --base-url: must be an origin without a path, such as https://tools.example.com\n",
    });
  },
);

describe("handtools explain", () => {
  const withCommand = (codes: Readonly<Record<string, Explanation>>, command: string) =>
    Object.entries(codes).map(([code, text]) => ({ code, command, ...text }));
  const rows = [
    ...tools.flatMap(({ name, command }) => withCommand(warningCodes[name], command)),
    ...withCommand(errorCodes, "errors"),
  ];

  test.each(rows)("$code of $command", async ({ code, meaning, why, remedy }) => {
    const { exitCode, out, error } = await commandLine(["explain", code]);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toStartWith(`${code} (`);
    expect(out).toContain(`\n\n${meaning}\n\nWhy it matters: ${why}\n\nWhat to do: ${remedy}\n`);
  });

  test("accepts a code as a message shows it", async () => {
    const { out } = await commandLine(["explain", "[size-twice]"]);
    expect(out).toStartWith("size-twice (handtools mail-filter)\n");
  });

  test("knows the code of the rate limit, which the OpenAPI document does not have", async () => {
    const { out } = await commandLine(["explain", "rate_limited"]);
    expect(out).toStartWith("rate_limited (an error)\n");
  });

  test("alone lists all codes", async () => {
    const [head, ...lines] = (await commandLine(["explain"])).out.trimEnd().split("\n");
    expect(head).toMatch(/^CODE +OF +MEANING$/);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      rows.map(({ code, command, meaning }) => [code, command, meaning]),
    );
  });
});

test("an option that adds to the result goes with --json", async () => {
  const argv = ["automation-cost", "--action-steps", "1", "--runs-per-month", "9"];
  const { out } = await commandLine([...argv, "--breakpoints", "--json"]);
  expect(JSON.parse(out).breakpoints[1]).toMatchObject({ tasks: 101, plan: "professional" });
});

test.each([
  ["an input", ["automation-cost", "in.json"]],
  ["one of several inputs", ["automation-cost", "in.json", "plain.json"]],
  ["an input with comments", ["automation-cost", "comments.json"]],
  ["a price book", ["automation-cost", "plain.json", "--price-book", "book.json"]],
  ["an MCP server", ["mcp-config", "server.json"]],
])("`$schema` of %s is for editors", async (_, argv) => {
  const zaps = '"zaps": [{ "action_steps": 1, "runs_per_month": 9 }]';
  const files = {
    "in.json": `{ "$schema": "https://tools.example/schemas/automation-cost.json", ${zaps} }`,
    "plain.json": `{ ${zaps} }`,
    "comments.json": `{ // for editors\n"$schema": "x.json", ${zaps} }`,
    "book.json": JSON.stringify({ $schema: "x.json", ...priceBook }),
    "server.json": '{ "$schema": "x.json", "name": "a", "command": "b" }',
  };
  expect(await commandLine(argv, { files })).toMatchObject({ exitCode: 0, error: "" });
});

describe("automation-cost --read", () => {
  const node = (parent_id: number | null) => ({ parent_id, params: { token: "SECRET" } });
  const zap = (title: string) => ({ title, status: "on", nodes: { 1: node(null), 2: node(1) } });
  const files = {
    "zapfile.json": JSON.stringify({
      metadata: { version: "gdpr_v1" },
      zaps: [zap("Leads"), zap("a=b")],
    }),
    "export.zip": new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe]),
    "zaps.csv": "name,action_steps,runs_per_month\nLeads,2,1,200\nMail,1,40\nTotal,,\n",
    "latin-1.csv": new Uint8Array([0x5a, 0xe9, 0x2c]),
  };
  const read = (...words: string[]) =>
    commandLine(["automation-cost", "--read", ...words], { files });

  test("prints the input of a zapfile, with the runs that were given, and none of its secrets", async () => {
    const { out, error } = await read(
      "zapfile.json",
      ...["--runs", "Leads=300", "--runs", "a=b=4", "--runs-default", "20"],
    );
    expect(JSON.parse(out).zaps).toEqual([
      { name: "Leads", action_steps: 1, runs_per_month: 300 },
      { name: "a=b", action_steps: 1, runs_per_month: 4 },
    ]);
    expect(error).toBe("");
  });

  test("names the rows of a table that it leaves out", async () => {
    const { out, error, exitCode } = await read("zaps.csv");
    expect(JSON.parse(out).zaps).toEqual([{ name: "Mail", action_steps: 1, runs_per_month: 40 }]);
    expect(error).toBe(
      'warning: zaps.csv: row 2 ("Leads") is left out: it has 4 cells (the heading has 3); a cell with the separator in it needs quotes [zap-left-out]\ninfo: zaps.csv: row 4 ("Total") is left out: it is a total by its name [zap-left-out]\n',
    );
    expect(exitCode).toBe(0);
  });

  test.each([
    [["latin-1.csv"], "error: latin-1.csv: must be saved as UTF-8\n"],
    [
      ["zaps.csv", "--runs-default", "3"],
      "error: zaps.csv: is a table with the runs of its Zaps, and takes no others\n",
    ],
    [
      ["zapfile.json"],
      'error: zapfile.json: does not say how often "Leads" and "a=b" run in a month; give --runs Leads=100 for each, or --runs-default 100\n',
    ],
    [
      ["export.zip"],
      "error: export.zip: is a ZIP archive; unpack it, and give the zapfile.json in it\n",
    ],
    [
      ["zapfile.json", "--runs", "Leads"],
      'error: --runs: must be a name and a number: "Name=300"\n',
    ],
    [["zapfile.json", "--runs", "Leads=x"], "error: --runs: must be a whole number\n"],
    [["zapfile.json", "--runs-default", "-1"], "error: --runs-default: must be a whole number\n"],
    [
      ["zapfile.json", "--runs", "Leads=1", "--runs", "Leads=2"],
      'error: --runs: "Leads" is given twice\n',
    ],
    [["zapfile.json", "--runs", "Sales=1"], 'error: zapfile.json: has no Zap named "Sales"\n'],
  ])("%j is rejected", async (words, error) => {
    expect(await read(...words)).toMatchObject({ exitCode: 2, out: "", error });
  });

  test.each([
    ["zapfile.json", "is not an input; write --read zapfile.json in its place"],
    ["export.zip", "is a ZIP archive; unpack it first"],
  ])("is named for %s in place of an input", async (file, reason) => {
    const ended = await commandLine(["automation-cost", file], { files });
    expect(ended).toMatchObject({ exitCode: 2, out: "", error: `error: ${file}: ${reason}\n` });
  });

  test("is where numbers of runs belong", async () => {
    const argv = ["automation-cost", "--action-steps", "1", "--runs-per-month", "9"];
    const { error } = await commandLine([...argv, "--runs-default", "3"]);
    expect(error).toBe("error: --runs-default: needs --read\n");
  });
});
