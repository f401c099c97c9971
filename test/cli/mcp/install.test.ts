import { describe, expect, test } from "bun:test";
import { commandLine } from "../support.ts";

const HOME = "/home/ada";
const CURSOR = `${HOME}/.cursor/mcp.json`;
const VSCODE = `${HOME}/.config/Code/User/mcp.json`;
const server = ["--name", "docs", "--url", "https://docs.example.com/mcp"];
const docs = { type: "http", url: "https://docs.example.com/mcp" };
const other = { command: "other", env: { API_TOKEN: "s3cret" } };
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

type World = NonNullable<Parameters<typeof commandLine>[1]>;
const handtools = (argv: readonly string[], world: World = {}) =>
  commandLine(argv, { environment: { HOME }, ...world });
const textOf = (content: string | Uint8Array = "") => Buffer.from(content).toString();
const parsed = (text: unknown): unknown => JSON.parse(String(text));

describe("mcp-install", () => {
  test.each<[string[], object, string, string | undefined]>([
    [
      ["https://mcp.linear.app/mcp"],
      { type: "http", url: "https://mcp.linear.app/mcp" },
      "linear",
      undefined,
    ],
    [
      ["@acme/notes-mcp"],
      { command: "npx", args: ["-y", "@acme/notes-mcp"] },
      "notes",
      "npx -y @acme/notes-mcp",
    ],
    [
      ["uvx:mcp-server-time"],
      { command: "uvx", args: ["mcp-server-time"] },
      "time",
      "uvx mcp-server-time",
    ],
    [["--", "npx", "-y", "@acme/x"], { command: "npx", args: ["-y", "@acme/x"] }, "x", undefined],
  ])("takes %j, whose name and command it says", async (words, entry, name, shown) => {
    const { exitCode, error, files } = await handtools([
      "mcp-install",
      "--client",
      "cursor",
      ...words,
    ]);
    const lines = [
      `info: the server is named ${name}; --name gives it another name`,
      ...(shown === undefined ? [] : [`info: the server is started with ${shown}`]),
    ];
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: `${lines.join("\n")}\n` });
    const file = String(files[CURSOR]);
    expect(parsed(file)).toEqual({ mcpServers: { [name]: expect.objectContaining(entry) } });
  });

  test("takes a package under another name, and a file of its name", async () => {
    const words = ["mcp-install", "@acme/notes-mcp", "--client", "cursor"];
    const { error, files } = await handtools([...words, "--name", "mine"]);
    expect(error).toBe("info: the server is started with npx -y @acme/notes-mcp\n");
    expect(Object.keys(Object(parsed(files[CURSOR])).mcpServers)).toEqual(["mine"]);
    const own = { "@acme/notes-mcp": json({ name: "docs", url: docs.url }) };
    const { files: after } = await handtools(words, { files: own });
    expect(parsed(after[CURSOR])).toEqual({ mcpServers: { docs } });
  });

  test.each<[string, string]>([
    ["--args", "-y"],
    ["--env", "A=b"],
    ["--headers", "A=b"],
    ["--transport", "sse"],
  ])("says once that %s has no server", async (option, value) => {
    const problem = "must have one of --command, --url";
    for (const command of ["mcp-config", "mcp-install"]) {
      const target = command === "mcp-install" ? ["--client", "cursor"] : [];
      const { error, exitCode } = await handtools([command, option, value, ...target]);
      expect(exitCode).toBe(2);
      expect(error.trim().split("\n")).toHaveLength(1);
      if (option !== "--transport") expect(error).toContain(problem);
    }
  });

  test.each<[string, string, string]>([
    [
      "notes",
      "notes: is no file here; a package is written npm:notes, uvx:notes or @scope/name",
      "",
    ],
    ["notes.json", "notes.json: no such file or directory", ""],
    ["https://127.0.0.1/mcp", "--name: is required", ""],
    ["-", "standard input: has the option --unheard, which", "claude mcp add --unheard a -- npx y"],
    ["-", "standard input: is not TOML: invalid value (line 2, column 11)", "[a]\ncommand = npx"],
    ["-", "standard input:1:17: this escape is not JSON", '{"a":{"command":"C:\\Users"}}'],
  ])("rejects %s, and says why: %s", async (word, message, stdin) => {
    expect(await handtools(["mcp-install", word, "--client", "cursor"], { stdin })).toMatchObject({
      out: "",
      error: expect.stringContaining(message),
      files: {},
    });
  });

  test("makes the user's file", async () => {
    const { exitCode, out, error, files } = await handtools([
      ...["mcp-install", "--client", "cursor"],
      ...server,
    ]);
    expect({ exitCode, out, error }).toEqual({
      exitCode: 0,
      out: `Cursor: added docs to ${CURSOR}\n`,
      error: "",
    });
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { docs } });
  });

  test("keeps what the file has", async () => {
    const before = json({ mcpServers: { other }, theme: "dark" });
    const { exitCode, files } = await handtools(["mcp-install", "--client", "cursor", ...server], {
      files: { [CURSOR]: before },
    });
    expect(exitCode).toBe(0);
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { other, docs }, theme: "dark" });
  });

  test("takes a server from a file, for several clients, in the project", async () => {
    const { out, files } = await handtools(
      ["mcp-install", "in.json", "--scope", "project", "--client", "vscode", "--client", "cursor"],
      { files: { "in.json": json({ name: "docs", url: docs.url }) } },
    );
    expect(out).toBe(
      "VS Code: added docs to .vscode/mcp.json\nCursor: added docs to .cursor/mcp.json\n",
    );
    expect(Object.keys(files).sort()).toEqual([".cursor/mcp.json", ".vscode/mcp.json", "in.json"]);
  });

  test.each([
    [
      "another client's file",
      ["-"],
      '{"servers":{"docs":{"type":"sse","url":"https://docs.example.com/sse"}}}',
    ],
    [
      "an input with --transport",
      ["-", "--transport", "sse"],
      '{"name":"docs","url":"https://docs.example.com/sse"}',
    ],
    ["a line", ["-"], "claude mcp add --transport sse docs https://docs.example.com/sse"],
  ])("takes an SSE server as one, from %s", async (_, argv, stdin) => {
    const words = ["mcp-install", ...argv, "--client", "cursor"];
    const { error, files } = await handtools(words, { stdin });
    expect(error).toBe("");
    const entry = { type: "sse", url: "https://docs.example.com/sse" };
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { docs: entry } });
    const list = await handtools(["mcp-list", "--client", "cursor"], { files });
    expect(list.out).toMatch(/^cursor +docs +sse /m);
  });

  const two = '{"servers":{"a":{"command":"x"},"b":{"command":"y"}}}';
  const [a, b] = ["x", "y"].map((command) => ({ type: "stdio", command }));

  test.each<[string, string[], object]>([
    ["all", [], { a, b }],
    ["one", ["--server", "b"], { b }],
    ["those", ["--server", "b", "a"], { a, b }],
    ["one, under another name,", ["--server", "a", "--name", "c"], { c: a }],
  ])("takes %s of several servers", async (_, flags, mcpServers) => {
    const argv = ["mcp-install", "two.json", "--client", "cursor", ...flags];
    const { error, files } = await handtools(argv, { files: { "two.json": two } });
    expect(error).toBe("");
    expect(parsed(files[CURSOR])).toEqual({ mcpServers });
  });

  test("says of those that it takes what they leave out, of the others nothing", async () => {
    const left = (name: string) => [name, { command: "x", cwd: "/" }];
    const mcpServers = Object.fromEntries([...["a", "ab", "a-b"].map(left), ["c", {}]]);
    const argv = ["mcp-install", "in.json", "--client", "cursor"];
    const said = async (...flags: string[]) => {
      const { error } = await handtools([...argv, ...flags], {
        files: { "in.json": json({ mcpServers }) },
      });
      return error.match(/mcpServers\S+(?=:)/g);
    };
    expect(await said("--server", "a")).toEqual(["mcpServers.a.cwd"]);
    const all = ["mcpServers.a.cwd", "mcpServers.ab.cwd", 'mcpServers["a-b"].cwd'];
    expect(await said()).toEqual(["mcpServers.c", ...all]);
  });

  test("takes FILE behind the names of servers", async () => {
    const argv = ["mcp-install", "--client", "cursor", "--server", "b", "two.json"];
    const { files } = await handtools(argv, { files: { "two.json": two } });
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { b } });
  });

  test.each([
    [
      ["two.json", "--server", "c", "a"],
      "--server: two.json has no server c that can be read; it has a, b",
    ],
    [
      ["two.json", "--name", "c"],
      "--name: is for one server, and two.json has a, b; choose one with --server",
    ],
    [["--server", "a", "--name", "docs", "--url", docs.url], "--server: needs a FILE or --from"],
    [
      ["R.md"],
      "R.md: has several servers a: print one with handtools mcp-config --read, and give that",
    ],
  ])("rejects %j", async (argv, error) => {
    const block = (command: string) => `\`\`\`json\n{"a":{"command":"${command}"}}\n\`\`\`\n`;
    const files = { "two.json": two, "R.md": `# Two\n${block("x")}or\n${block("y")}` };
    const given = await handtools(["mcp-install", ...argv, "--client", "cursor"], { files });
    expect(given).toMatchObject({ exitCode: 2, error: `error: ${error}\n`, files });
  });

  test("reports each of several servers, with one backup, and says what each leaves out", async () => {
    const file =
      '{"mcpServers":{"a":{"command":"x","cwd":"/"},"b":{"command":"y"},"c":{"url":"htp:/x"},"d":{"type":"sse","url":"https://x.test/sse"}}}';
    const before = json({ mcpServers: { a: { command: "x" }, b: other } });
    const files = { "in.json": file, x: before };
    const argv = ["mcp-install", "in.json", "--client", "kiro", "--file", "x"];
    const stopped = await handtools(argv, { files });
    expect(stopped).toMatchObject({ exitCode: 2, files });
    expect(stopped.error).toEndWith(
      "error: x: has another b; leave this one out (--server names the others), or replace the other with --force\n",
    );
    const forced = await handtools([...argv, "--force"], { files });
    expect(forced.out.split("\n")).toEqual([
      "Kiro: x has a already",
      "Kiro: replaced b in x",
      "Kiro: added d to x; the old file is x.handtools.bak, which still holds the secret of the old b",
      "",
    ]);
    expect(forced.error.split("\n").map((line) => line.replace(/;.*/, ""))).toEqual([
      "warning: in.json:1:70: mcpServers.c: was left out: url: must start with http:// or https:// [server-left-out]",
      "warning: in.json:1:41: mcpServers.a.cwd: is a setting of one client and was left out [field-left-out]",
      "warning: in.json:1:91: d: Kiro's command line does not speak SSE, so the entry starts the bridge mcp-remote, which needs Node.js",
      "warning: x: b does not get env.API_TOKEN of the old entry, which starts another program or reaches another host",
      "",
    ]);
    expect(textOf(forced.files["x.handtools.bak"])).toBe(before);
  });

  test("takes the server's command line behind --", async () => {
    const { files } = await handtools([
      ...["mcp-install", "--client", "cursor", "--name", "docs"],
      ...["--", "npx", "-y", "a b", "--port=1", ""],
    ]);
    const entry = { type: "stdio", command: "npx", args: ["-y", "a b", "--port=1", ""] };
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { docs: entry } });
  });

  test("writes another place with --file", async () => {
    const { out } = await handtools(
      ["mcp-install", "--client", "cursor", "--file", "x.json", ...server],
      { environment: {} },
    );
    expect(out).toBe("Cursor: added docs to x.json\n");
  });

  const places: [
    platform: string,
    client: string,
    environment: Record<string, string>,
    path: string,
  ][] = [
    [
      "darwin",
      "vscode",
      { HOME: "/Users/ada" },
      "/Users/ada/Library/Application Support/Code/User/mcp.json",
    ],
    ["win32", "cursor", { USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada\\.cursor\\mcp.json"],
    [
      "win32",
      "claude-desktop",
      { APPDATA: "C:\\R", LOCALAPPDATA: "C:\\L" },
      "C:\\R\\Claude\\claude_desktop_config.json",
    ],
    ["linux", "codex", { HOME, CODEX_HOME: "/c" }, "/c/config.toml"],
    ["linux", "codex", { HOME, CODEX_HOME: "" }, `${HOME}/.codex/config.toml`],
    ["linux", "codex", { CODEX_HOME: "/c/" }, "/c/config.toml"],
    ["win32", "codex", { CODEX_HOME: "D:\\c" }, "D:\\c\\config.toml"],
    ["linux", "copilot-cli", { HOME, COPILOT_HOME: "/c" }, "/c/mcp-config.json"],
    ["linux", "gemini-cli", { HOME, GEMINI_CLI_HOME: "/g" }, "/g/.gemini/settings.json"],
    ["darwin", "opencode", { HOME, XDG_CONFIG_HOME: "/x" }, "/x/opencode/opencode.json"],
    ["linux", "zed", { HOME, XDG_CONFIG_HOME: "/x" }, "/x/zed/settings.json"],
    ["linux", "zed", { HOME, XDG_CONFIG_HOME: "x" }, `${HOME}/.config/zed/settings.json`],
    ["linux", "opencode", { HOME, XDG_CONFIG_HOME: "x" }, "x/opencode/opencode.json"],
    ["darwin", "zed", { HOME, XDG_CONFIG_HOME: "/x" }, `${HOME}/.config/zed/settings.json`],
    ["linux", "vscode", { HOME, XDG_CONFIG_HOME: "/x" }, "/x/Code/User/mcp.json"],
    ["linux", "cursor", { HOME, XDG_CONFIG_HOME: "/x" }, CURSOR],
  ];
  for (const [platform, client, environment, path] of places) {
    test(`finds the file of ${client} on ${platform} at ${path}`, async () => {
      const world = { platform, environment };
      const { files } = await handtools(
        ["mcp-install", "--client", client, "--name", "a", "--command", "b"],
        world,
      );
      expect(Object.keys(files)).toEqual([path]);
    });
  }

  test("takes the first of a client's files that exists", async () => {
    const path =
      "C:\\L\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json";
    const { files } = await handtools(
      ["mcp-install", "--client", "claude-desktop", "--name", "a", "--command", "b"],
      {
        platform: "win32",
        environment: { APPDATA: "C:\\R", LOCALAPPDATA: "C:\\L" },
        files: { [path]: "{}" },
      },
    );
    expect(Object.keys(files)).toEqual([path, `${path}.handtools.bak`]);
    expect(files[path]).toContain('"a"');
  });

  test("changes nothing when the server is there already", async () => {
    const files = { [CURSOR]: json({ mcpServers: { docs } }) };
    const result = await handtools(["mcp-install", "--client", "cursor", ...server], { files });
    expect(result).toMatchObject({
      exitCode: 0,
      out: `Cursor: ${CURSOR} has docs already\n`,
      error: "",
      files,
    });
  });

  test("stops at another server of the same name, with secrets masked", async () => {
    const files = { [CURSOR]: json({ mcpServers: { docs: other } }), [VSCODE]: "{}" };
    const argv = ["mcp-install", "--client", "cursor", "--client", "vscode", ...server];
    const stopped = await handtools(argv, { files });
    expect(stopped).toMatchObject({ exitCode: 2, out: "", files });
    expect(stopped.error).toStartWith(`${CURSOR}:\n`);
    expect(stopped.error).toContain(docs.url);
    expect(stopped.error).toEndWith(
      `error: ${CURSOR}: has another docs; give this one a name of its own (--name NAME, or in the FILE), or replace the other with --force\n`,
    );
    expect(stopped.error).not.toContain("s3cret");

    const forced = await handtools([...argv, "--force"], { files });
    expect(forced.exitCode).toBe(0);
    expect(forced.out).toStartWith(`Cursor: replaced docs in ${CURSOR}`);
    expect(parsed(forced.files[CURSOR])).toEqual({ mcpServers: { docs } });
  });

  const users = { disabled: true, alwaysAllow: ["a"], timeout: 5, "x-mine": { a: 1 } };
  const stays = `warning: ${CURSOR}: docs keeps disabled = true, with which Cursor may not start it\n`;

  test("is content with a server to which the user has added fields, and says that it is off", async () => {
    const files = { [CURSOR]: json({ mcpServers: { docs: { ...docs, ...users } } }) };
    for (const flags of [[], ["--force"]]) {
      const argv = ["mcp-install", "--client", "cursor", ...server, ...flags];
      expect(await handtools(argv, { files })).toMatchObject({
        exitCode: 0,
        out: `Cursor: ${CURSOR} has docs already\n`,
        error: stays,
        files,
      });
    }
  });

  test("keeps the user's fields with --force, but no secret for another program", async () => {
    const files = { [CURSOR]: json({ mcpServers: { docs: { ...users, ...other } } }) };
    const argv = ["mcp-install", "--client", "cursor", ...server, "--force"];
    const forced = await handtools(argv, { files });
    expect(parsed(forced.files[CURSOR])).toEqual({ mcpServers: { docs: { ...users, ...docs } } });
    const dropped = `warning: ${CURSOR}: docs does not get env.API_TOKEN of the old entry, which starts another program or reaches another host\n`;
    expect(forced.error).toBe(stays + dropped);
    expect(forced.out).toBe(
      `Cursor: replaced docs in ${CURSOR}; the old file is ${CURSOR}.handtools.bak, which still holds the secret of the old docs\n`,
    );
    expect((await handtools([...argv, "--dry-run"], { files })).error).toBe(stays + dropped);
  });

  test.each([
    ["claude-desktop", "Claude Desktop", true],
    ["claude-code", "Claude Code", true],
    ["gemini-cli", "Gemini CLI", true],
    ["qwen-code", "Qwen Code", true],
    ["cursor", "Cursor", false],
    ["copilot-cli", "GitHub Copilot CLI", false],
  ])("of a byte order mark in the file of %s", async (client, title, isRejected) => {
    const argv = ["--client", client, "--file", "x.json"];
    const install = ["mcp-install", ...argv, "--name", "a", "--command", "b"];
    const mark = isRejected ? "" : "\ufeff";
    const said = isRejected
      ? `info: x.json: ${title} rejects a file with a byte order mark, so the mark goes\n`
      : "";
    const added = await handtools(install, { files: { "x.json": '\ufeff{"x":1}' } });
    expect(added.error).toBe(said);
    expect(String(added.files["x.json"])).toStartWith(`${mark}{"x":1`);
    // Without another change too: with the mark the client sees no server.
    const marked = { "x.json": `\ufeff${String(added.files["x.json"]).replace("\ufeff", "")}` };
    const again = await handtools(install, { files: marked });
    expect(again).toMatchObject({ exitCode: 0, error: said });
    expect(again.out).toStartWith(`${title}: x.json has a already`);
    expect(String(again.files["x.json"])).toBe(String(added.files["x.json"]));
    const dry = await handtools([...install, "--dry-run"], { files: marked });
    expect(dry).toMatchObject({ error: said, files: marked });
    const removed = await handtools(["mcp-uninstall", "a", ...argv], { files: marked });
    expect(removed.error).toBe(said);
    expect(String(removed.files["x.json"])).toStartWith(`${mark}{"x":1`);
    const absent = { "x.json": '\ufeff{"x":1}' };
    const none = await handtools(["mcp-uninstall", "a", ...argv], { files: absent });
    expect(none).toMatchObject({ error: "", files: absent });
  });

  test("prints the change with --dry-run and writes nothing", async () => {
    const files = { [CURSOR]: json({ mcpServers: { other } }) };
    const argv = ["mcp-install", "--client", "cursor", "--name", "a", "--command", "b"];
    const result = await handtools([...argv, "--env", "TOKEN=s3cret", "--dry-run"], { files });
    expect(result).toMatchObject({ exitCode: 0, error: "", files });
    expect(result.out).toStartWith(`${CURSOR}:\n`);
    expect(result.out).toMatch(/^\+ .*"a"/m);
    expect(result.out).not.toContain("s3cret");
  });

  const secretArguments = [
    "-k s3cret",
    "--key s3cret",
    "--token s3cret",
    "--secret s3cret",
    "--password s3cret",
    "--token=s3cret",
  ];
  for (const words of secretArguments) {
    test(`masks a secret in args with --dry-run: ${words}`, async () => {
      const argv = ["mcp-install", "--client", "codex", "--client", "cursor", "--name", "a"];
      const { out } = await handtools([...argv, "--dry-run", "--", "run", ...words.split(" ")]);
      expect(out).toContain("***");
      expect(out).not.toContain("s3cret");
    });
  }

  test("leaves all files when one is broken", async () => {
    const files = { [CURSOR]: "{", [VSCODE]: "{}" };
    const argv = ["mcp-install", "--client", "vscode", "--client", "cursor", ...server];
    const { exitCode, error, files: after } = await handtools(argv, { files });
    expect({ exitCode, files: after }).toEqual({ exitCode: 2, files });
    expect(error).toStartWith(`error: ${CURSOR}`);
  });

  test("warns of what concerns the chosen clients", async () => {
    const argv = ["mcp-install", "--name", "a", "--command", "/opt/my tools/a", "--file", "x"];
    const cursor = await handtools([...argv, "--client", "cursor"]);
    expect(cursor.error).toContain("Cursor splits");
    expect(cursor.error).not.toContain("clients[");
    const vscode = await handtools([...argv, "--client", "vscode"]);
    expect(vscode.error).not.toContain("Cursor");
  });

  test.each([
    [
      "a secret",
      { b: { command: "x", env: { API_KEY: "y" } } },
      `warning: ${CURSOR}: other users can read it; if it holds a secret: chmod 600 ${CURSOR}\n`,
    ],
    ["no secret", { b: { command: "x", env: { API_KEY: "${API_KEY}" } } }, ""],
  ])("in a file of %s that others can read", async (_, mcpServers, warning) => {
    const { error } = await handtools(["mcp-install", "--client", "cursor", ...server], {
      files: { [CURSOR]: json({ mcpServers }) },
      readableByOthers: true,
    });
    expect(error).toBe(warning);
  });

  const rejected: [argv: string[], error: string][] = [
    [server, "--client: name a client, such as --client cursor"],
    [["--client", "cursro", ...server], "did you mean cursor?"],
    [["--client", "code", ...server], "did you mean claude-code or vscode or opencode?"],
    [["--client", "cursor", "--scope", "porject", ...server], "did you mean project?"],
    [
      ["--client", "claude-desktop", "--scope", "project", ...server],
      "Claude Desktop has no project file on this system; give --file",
    ],
    [
      ["--client", "cursor", "--file", "-", ...server],
      "--file: must be a file, not standard input",
    ],
    [["--file", "x", ...server], "--file: needs one --client, for the format of the file"],
    [
      ["--file", "x", "--client", "cursor", "--client", "codex", ...server],
      "--file: needs one --client, for the format of the file",
    ],
    [
      ["--file", "x", "--client", "cursor", "--scope", "user", ...server],
      "--file: cannot be used with --scope",
    ],
    [
      ["--client", "cursor"],
      "give a FILE, - for standard input, or flags; see handtools mcp-install --help",
    ],
    [
      ["--client", "cursor", "--name", "a b", "--command", " "],
      "--name: must be 1 to 64 letters, digits, - or _, such as a-b\nerror: --command: must not be blank",
    ],
    [["--client", "cursor", "--name", "a"], "the input: "],
  ];
  for (const [argv, error] of rejected) {
    test(`rejects ${argv.join(" ")}`, async () => {
      const result = await handtools(["mcp-install", ...argv]);
      expect(result).toMatchObject({ exitCode: 2, out: "", files: {} });
      expect(result.error).toContain(error);
    });
  }

  test.each<[string, string[], Record<string, string>, string]>([
    ["a file", [], { [CURSOR]: "{}", ".vscode/mcp.json": "{}" }, "--client cursor --client vscode"],
    ["the folder for one", [], { [`${HOME}/.codex/auth.json`]: "" }, "--client codex"],
    ["no file of the same folder", [], { [`${HOME}/.vscode/x`]: "", ".cursor/rules": "" }, ""],
    [
      "a file beside the source",
      ["--from", "zed"],
      { ".zed/settings.json": "", [CURSOR]: "" },
      "--client cursor",
    ],
  ])("without --client names the clients that have %s", async (_, flags, files, clients) => {
    const argv = ["mcp-install", ...(flags.length > 0 ? flags : server)];
    const which =
      clients === "" ? ", such as --client cursor" : `; found on this machine: ${clients}`;
    expect(await handtools(argv, { files })).toMatchObject({
      ...{ exitCode: 2, out: "", error: `error: --client: name a client${which}\n`, files },
    });
    const without = await handtools(argv, { files, environment: {} });
    expect(without.error).toStartWith("error: --client: name ");
  });

  test.each([
    ["vscode", '{"mcpServers":{"a":{"command":"x"}}}', "mcpServers", "VS Code", "servers"],
    [
      "cursor",
      '{"servers":{"a":{"command":"x"}},"mcpServers":{}}',
      "servers",
      "Cursor",
      "mcpServers",
    ],
    [
      "kiro",
      '{"mcp":{"servers":{"a":{"type":"local","command":["x"]}}}}',
      "mcp",
      "Kiro",
      "mcpServers",
    ],
  ])("into a file of %s with servers elsewhere says so", async (client, x, key, title, own) => {
    const argv = ["mcp-install", "--client", client, "--file", "x", ...server];
    const said = `warning: x: has servers under "${key}", which ${title} does not read: it reads those under "${own}"\n`;
    const added = await handtools(argv, { files: { x } });
    expect(added).toMatchObject({ exitCode: 0, error: said });
    expect((await handtools(argv, { files: added.files })).error).toBe(said);
  });

  test.each([
    ["vscode", '{"servers":{"mcpServers":{"command":"x"}},"mcp":{"x":1},"mcpServers":{}}'],
    ["opencode", '{"mcp":{"servers":{"servers":{"type":"local","command":["x"]}}}}'],
  ])("into a file of %s with servers under its key alone says nothing", async (client, x) => {
    const argv = ["mcp-install", "--client", client, "--file", "x", ...server];
    expect(await handtools(argv, { files: { x } })).toMatchObject({ exitCode: 0, error: "" });
  });

  test("says which variable a path needs", async () => {
    const { exitCode, error } = await handtools(["mcp-install", "--client", "cursor", ...server], {
      environment: {},
    });
    expect({ exitCode, error }).toEqual({
      exitCode: 2,
      error:
        "error: ~/.cursor/mcp.json: the environment variable HOME is not set; set it, or give --file\n",
    });
  });
});

describe("mcp-uninstall", () => {
  test("takes the server out and leaves the rest", async () => {
    const { exitCode, out, files } = await handtools(
      ["mcp-uninstall", "docs", "--client", "cursor"],
      {
        files: { [CURSOR]: json({ mcpServers: { other, docs } }) },
      },
    );
    expect(exitCode).toBe(0);
    expect(out).toStartWith(`Cursor: removed docs from ${CURSOR}`);
    expect(parsed(files[CURSOR])).toEqual({ mcpServers: { other } });
  });

  test.each([
    ["cursor", '{\n  "theme": "dark"\n}'],
    ["cursor", '{ "theme": "dark", "mcpServers": {} }\n'],
    ["vscode", '{\r\n  "inputs": [],\r\n  "servers": {}\r\n}\r\n'],
    ["codex", 'model = "x"\n\n'],
    ["codex", 'model = "x"'],
  ])("right after an install gives the bytes back, of %s %j", async (client, before) => {
    const flags = ["--client", client, "--file", "x"];
    const added = await handtools(["mcp-install", ...flags, ...server], { files: { x: before } });
    const { files } = await handtools(["mcp-uninstall", "docs", ...flags], { files: added.files });
    expect(textOf(files.x)).toBe(before);
  });

  test.each([
    ["cursor", '{\n  "theme": "dark"\n}'],
    ["vscode", '{\r\n  "inputs": [],\r\n  "x": 1\r\n}\r\n'],
    ["codex", 'model = "x"'],
    ["opencode", "{ // mine\n}"],
  ])("of several servers gives the bytes back, of %s %j", async (client, before) => {
    const flags = ["--client", client, "--file", "x"];
    const several = JSON.stringify({
      mcpServers: {
        a: { command: "x", env: { A_KEY: "${A_KEY}" } },
        b: docs,
        c: { url: "https://x.test", headers: { Authorization: "Bearer ${C}" } },
      },
    });
    const files = { x: before, "in.json": several };
    const added = await handtools(["mcp-install", "in.json", ...flags], { files });
    expect(textOf(added.files["x.handtools.bak"])).toBe(before);
    const again = await handtools(["mcp-install", "in.json", ...flags], { files: added.files });
    expect(again.files).toEqual(added.files);
    for (const names of [
      ["a", "b", "c"],
      ["c", "a", "b", "a"],
    ]) {
      const argv = ["mcp-uninstall", ...names, ...flags];
      const { files } = await handtools(argv, { files: added.files });
      expect(textOf(files.x)).toBe(before);
    }
  });

  test("works where the old file is something else", async () => {
    const files = { x: json({ mcpServers: { docs } }), "x.handtools.bak": new Uint8Array([0xff]) };
    const argv = ["mcp-uninstall", "docs", "--client", "cursor", "--file", "x"];
    const { exitCode, files: after } = await handtools(argv, { files });
    expect({ exitCode, x: after.x }).toEqual({ exitCode: 0, x: json({ mcpServers: {} }) });
  });

  test.each([
    ["other", ", which still holds the secret of the old other"],
    ["docs", ""],
  ])("says if the old file holds a secret of %s", async (name, said) => {
    const files = { [CURSOR]: json({ mcpServers: { other, docs } }) };
    const { out } = await handtools(["mcp-uninstall", name, "--client", "cursor"], { files });
    expect(out).toBe(
      `Cursor: removed ${name} from ${CURSOR}; the old file is ${CURSOR}.handtools.bak${said}\n`,
    );
  });

  test("without --client names the files that have the server", async () => {
    const files = {
      [CURSOR]: json({ mcpServers: { docs } }),
      ".vscode/mcp.json": json({ servers: { docs, other } }),
      [`${HOME}/.claude.json`]: json({ projects: { "/w": { mcpServers: { docs } } } }),
      ".mcp.json": "{",
    };
    expect((await handtools(["mcp-uninstall", "docs"], { files })).error.split("\n")).toEqual([
      `error: --client: name a client; docs: --client cursor --scope user (${CURSOR}), --client vscode --scope project (.vscode/mcp.json)`,
      "error: .mcp.json: is not JSON: expected a closing } (line 1, column 2)",
      "",
    ]);
    expect(await handtools(["mcp-uninstall", "docs", "x", "--scope", "user"])).toMatchObject({
      ...{
        exitCode: 2,
        error: "error: --client: name a client; no file of a client has docs, x\n",
      },
    });
  });

  test("says nothing of who can read the file", async () => {
    const { error } = await handtools(["mcp-uninstall", "docs", "--client", "cursor"], {
      files: { [CURSOR]: json({ mcpServers: { docs } }) },
      readableByOthers: true,
    });
    expect(error).toBe("");
  });

  test("has nothing to do without the server, and without a file", async () => {
    for (const files of [{}, { [CURSOR]: "{}" }]) {
      const result = await handtools(["mcp-uninstall", "docs", "--client", "cursor"], { files });
      expect(result).toMatchObject({
        exitCode: 0,
        out: `Cursor: ${CURSOR} has no docs\n`,
        files,
      });
    }
  });

  test("prints the change with --dry-run and writes nothing", async () => {
    const files = { [CURSOR]: json({ mcpServers: { other, docs } }) };
    const argv = ["mcp-uninstall", "docs", "--client", "cursor", "--dry-run"];
    expect(await handtools(argv, { files })).toMatchObject({ exitCode: 0, files });
  });
});

describe("mcp-install --self", () => {
  const install = ["mcp-install", "--client", "cursor", "--self"];
  const programs: [name: string, words: string[]][] = [
    ["Node and its file", ["/usr/bin/node", "/opt/handtools/dist/cli/main.js"]],
    ["a compiled program", ["/opt/handtools"]],
    ["Deno and its file", ["/usr/bin/deno", "run", "-A", "/opt/handtools/dist/cli/main.js"]],
  ];
  for (const [name, ownWords] of programs) {
    test(`installs the program by its path: ${name}`, async () => {
      const { exitCode, files } = await handtools(install, { ownWords });
      const [command, ...words] = ownWords;
      expect({ exitCode, file: parsed(files[CURSOR]) }).toEqual({
        exitCode: 0,
        file: { mcpServers: { handtools: { type: "stdio", command, args: [...words, "mcp"] } } },
      });
    });
  }

  const caches = [
    "/home/ada/.npm/_npx/0a1b2c/node_modules/handtools/dist/cli/main.js",
    "C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\0a1b\\node_modules\\handtools\\dist\\cli\\main.js",
    "/tmp/bunx-1000-handtools@latest/node_modules/handtools/dist/cli/main.js",
    "/home/ada/.cache/pnpm/dlx/0a1b/node_modules/handtools/dist/cli/main.js",
    "/home/ada/.cache/deno/npm/registry.npmjs.org/handtools/0.2.0/dist/cli/main.js",
  ];
  for (const script of caches) {
    test(`is rejected in a cache: ${script}`, async () => {
      const { exitCode, error, files } = await handtools(install, { ownWords: ["node", script] });
      expect({ exitCode, files }).toEqual({ exitCode: 2, files: {} });
      expect(error).toStartWith(
        `error: --self: ${script.replaceAll("\\", "\\")} is in a temporary cache`,
      );
    });
  }

  test.each([
    ["a FILE", ["in.json"]],
    ["another server", ["--name", "docs"]],
  ])("is rejected beside %s", async (_, more) => {
    const files = { "in.json": json({ name: "docs", url: docs.url }) };
    const result = await handtools([...install, ...more], { files });
    expect(result).toMatchObject({ exitCode: 2, files });
    expect(result.error).toContain("--self");
  });
});

describe("a project's file that is a link", () => {
  const commands = {
    "mcp-install": ["mcp-install", "--client", "cursor", "--scope", "project", ...server],
    "mcp-uninstall": ["mcp-uninstall", "docs", "--client", "cursor", "--scope", "project"],
    "mcp-list": ["mcp-list", "--client", "cursor", "--scope", "project"],
  };
  const outside = { "/elsewhere/mcp.json": json({ mcpServers: { docs: other } }) };
  const links: [name: string, links: Record<string, string>][] = [
    ["file", { ".cursor/mcp.json": "/elsewhere/mcp.json" }],
    ["folder", { ".cursor": "/elsewhere" }],
  ];
  for (const [name, link] of links) {
    test.each(Object.entries(commands))(
      `is rejected by %s when it leads out of the project: a ${name}`,
      async (command, argv) => {
        const { exitCode, out, error, files } = await handtools(argv, {
          files: outside,
          links: link,
        });
        expect({ exitCode, out, error, files }).toEqual({
          exitCode: command === "mcp-list" ? 1 : 2,
          out: "",
          error:
            "error: .cursor/mcp.json: is a link out of this project, to /elsewhere/mcp.json; use --file /elsewhere/mcp.json if you want that\n",
          files: outside,
        });
      },
    );
  }

  test("is named by its real path where it stays in the project", async () => {
    const files = { "config/mcp.json": json({ mcpServers: { other } }) };
    const world = { files, links: { ".cursor": "config" } };
    expect((await handtools(commands["mcp-install"], world)).out).toBe(
      "Cursor: added docs to config/mcp.json; the old file is config/mcp.json.handtools.bak\n",
    );
    expect((await handtools(commands["mcp-list"], world)).out).toMatch(/other .* config.mcp.json/);
  });

  test.each([
    ["of the user", ["--client", "cursor"], CURSOR],
    ["given by --file", ["--client", "cursor", "--file", "x.json"], "x.json"],
  ])("is the user's own %s, and is named by its real path", async (_, argv, path) => {
    const { out, files } = await handtools(["mcp-install", ...argv, ...server], {
      links: { [path]: "/elsewhere/mcp.json" },
    });
    expect(out).toBe("Cursor: added docs to /elsewhere/mcp.json\n");
    expect(Object.keys(files)).toEqual(["/elsewhere/mcp.json"]);
  });
});

describe("a secret in a project's file", () => {
  const secret = { command: "a", env: { API_TOKEN: "s3cret-value" } };
  const header = { url: docs.url, headers: { Authorization: "Bearer lin_api_1" } };
  const reference = { command: "c", env: { API_TOKEN: "${API_TOKEN}" } };
  const several = { "in.json": json({ mcpServers: { secret, header, reference } }) };
  const warning = (path: string, servers: string) =>
    `warning: ${path}: seems to hold secrets of ${servers}: keep it out of version control while they are in it`;
  const references = ", or install with references such as ${NAME} in their place\n";
  const asText =
    "warning: in.json:18:22: mcpServers.reference.env.API_TOKEN: keeps ${API_TOKEN} as text in Zed; write the value itself there [reference-as-text]\n";

  test.each<[string, string[], string]>([
    [
      "Cursor",
      ["cursor", "--scope", "project"],
      warning(".cursor/mcp.json", "2 servers") + references,
    ],
    [
      "Cursor, by --dry-run",
      ["cursor", "--scope", "project", "--dry-run"],
      warning(".cursor/mcp.json", "2 servers") + references,
    ],
    [
      "one server",
      ["kiro", "--scope", "project", "--server", "secret", "reference"],
      warning(".kiro/settings/mcp.json", "1 server") + references,
    ],
    [
      "a file that --file names",
      ["claude-code", "--file", ".mcp.json"],
      warning(".mcp.json", "2 servers") + references,
    ],
    [
      "Zed, which knows no references",
      ["zed", "--scope", "project"],
      `${asText}${warning(".zed/settings.json", "2 servers")}\n`,
    ],
    ["no file of the user", ["cursor"], ""],
    ["no file out of the project", ["cursor", "--file", "/home/ada/dotfiles/mcp.json"], ""],
  ])("is a warning for %s", async (_, words, said) => {
    const argv = ["mcp-install", "in.json", "--client", ...words];
    const { exitCode, error } = await handtools(argv, { files: several });
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: said });
  });

  test("is no warning for what is there already, is taken away, or is asked for", async () => {
    const path = ".vscode/mcp.json";
    const target = ["--client", "vscode", "--scope", "project"];
    const first = await handtools(["mcp-install", "in.json", ...target], { files: several });
    expect(first.error).toContain(warning(path, "2 servers"));
    const { files } = first;
    const again = await handtools(["mcp-install", "in.json", ...target], { files });
    expect(again.error).toBe("");
    const gone = await handtools(["mcp-uninstall", "secret", ...target], { files });
    expect(gone).toMatchObject({ exitCode: 0, error: "" });
    const headers = [{ name: "Authorization", isRequired: true, isSecret: true }];
    const remotes = [{ type: "streamable-http", url: docs.url, headers }];
    const asked = json({
      name: "com.example/docs",
      description: "Docs",
      version: "1.0.0",
      remotes,
    });
    const added = await handtools(["mcp-install", "-", ...target], { stdin: asked });
    expect(added.error).not.toContain("version control");
    expect(String(added.files[path])).toContain('"Authorization": "${input:');
  });
});

describe("Claude Code's own file", () => {
  const CLAUDE = `${HOME}/.claude.json`;

  /** A machine that has the program `claude`. */
  const claudeWorld = (files: Record<string, string>) => ({
    files: { "/bin/claude": "", ...files },
    environment: { HOME, PATH: "/sbin:/bin" },
  });

  /** Runs a command line beside a `claude` that keeps the words it is called with. */
  async function withClaude(argv: readonly string[], files: Record<string, string> = {}, code = 0) {
    const calls: string[][] = [];
    const result = await handtools(argv, {
      ...claudeWorld(files),
      runProgram: (words) => {
        calls.push([...words]);
        return { code, output: code === 0 ? "" : "no such scope\nmore" };
      },
    });
    return { ...result, calls };
  }
  const add = ["claude", "mcp", "add-json", "--scope", "user", "docs", JSON.stringify(docs)];
  const remove = ["claude", "mcp", "remove", "--scope", "user", "docs"];
  const install = ["mcp-install", "--client", "claude-code", ...server];

  test("is changed by claude alone", async () => {
    const files = { [CLAUDE]: json({ numStartups: 1 }) };
    const result = await withClaude(install, files);
    expect(result).toMatchObject({ exitCode: 0, files, calls: [add] });
    expect(result.out).toBe(`Claude Code: added docs to ${CLAUDE}\n`);
  });

  test("gets several servers one by one, beside another client's", async () => {
    const from = { mcpServers: { docs, other: { type: "stdio", command: "other" } } };
    const files = { [CURSOR]: json(from), [CLAUDE]: json({ mcpServers: { old: other } }) };
    const argv = [
      "mcp-install",
      "--from",
      "cursor",
      "--client",
      "claude-code",
      "--client",
      "codex",
    ];
    const { exitCode, out, calls } = await withClaude(argv, files);
    const second = [...add.slice(0, -2), "other", JSON.stringify(from.mcpServers.other)];
    expect({ exitCode, calls }).toEqual({ exitCode: 0, calls: [add, second] });
    expect(out.split("\n").map((line) => line.replace(/ to .*/, ""))).toEqual([
      ...["Claude Code: added docs", "Claude Code: added other"],
      ...["Codex: added docs", "Codex: added other", ""],
    ]);
    const check = await withClaude([...argv, "--check"], files);
    expect(check).toMatchObject({ exitCode: 1, calls: [], files });
  });

  test("is left when the server is there", async () => {
    const { calls } = await withClaude(install, {
      [CLAUDE]: json({ mcpServers: { docs } }),
    });
    expect(calls).toEqual([]);
  });

  test("has another server replaced with --force only", async () => {
    const files = { [CLAUDE]: json({ mcpServers: { docs: other } }) };
    expect(await withClaude(install, files)).toMatchObject({ exitCode: 2, calls: [] });
    expect((await withClaude([...install, "--force"], files)).calls).toEqual([remove, add]);
  });

  test("keeps what the user has added to the old server", async () => {
    const old = { type: "sse", url: "https://docs.example.com/sse", headersHelper: "/bin/x" };
    const files = { [CLAUDE]: `\ufeff${json({ mcpServers: { docs: old } })}` };
    const { calls, error } = await withClaude([...install, "--force"], files);
    const merged = { ...docs, headersHelper: "/bin/x" };
    expect(calls.map((words) => words.at(-1))).toEqual(["docs", expect.any(String)]);
    expect(JSON.parse(calls[1]?.at(-1) ?? "")).toEqual(merged);
    expect(error).toBe("");
  });

  test("has the old server again when claude rejects the new one", async () => {
    const old = { type: "stdio", command: "old", args: [], env: { A: "1" } };
    const calls: string[][] = [];
    const result = await handtools([...install, "--force"], {
      ...claudeWorld({ [CLAUDE]: json({ mcpServers: { docs: old } }) }),
      runProgram: (words) => {
        calls.push([...words]);
        const isRefused = words.includes(JSON.stringify(docs));
        return { code: isRefused ? 1 : 0, output: isRefused ? "Invalid configuration" : "" };
      },
    });
    const addAgain = [...add.slice(0, -1), JSON.stringify(old)];
    expect(calls).toEqual([remove, add, addAgain]);
    expect(result).toMatchObject({
      exitCode: 1,
      out: "",
      error: "error: claude mcp add-json: ended with code 1: Invalid configuration\n",
    });
  });

  test("has a server removed", async () => {
    const files = { [CLAUDE]: json({ mcpServers: { docs } }) };
    const argv = ["mcp-uninstall", "docs", "--client", "claude-code"];
    expect((await withClaude(argv, files)).calls).toEqual([remove]);
  });

  test("may be as large as Claude Code lets it grow", async () => {
    const history = "x".repeat(2 * 1024 * 1024);
    const files = { [CLAUDE]: json({ history, mcpServers: { other } }) };
    expect(await withClaude(install, files)).toMatchObject({ exitCode: 0, calls: [add] });
    const list = await withClaude(["mcp-list", "--client", "claude-code"], files);
    expect(list).toMatchObject({ exitCode: 0, error: "" });
    expect(list.out).toMatch(/^claude-code +other +stdio/m);
  });

  test("is not touched with --dry-run, and the project's file is an ordinary one", async () => {
    expect((await withClaude([...install, "--dry-run"])).calls).toEqual([]);
    const project = await withClaude([...install, "--scope", "project"]);
    expect(project.calls).toEqual([]);
    expect(parsed(project.files[".mcp.json"])).toEqual({ mcpServers: { docs } });
  });

  test("fails with the words of claude", async () => {
    expect(await withClaude(install, {}, 3)).toMatchObject({
      exitCode: 1,
      error: "error: claude mcp add-json: ended with code 3: no such scope\n",
    });
  });

  describe("without claude on the PATH", () => {
    const problem = `error: ${CLAUDE}: only the program of Claude Code may change it, and claude is not on the PATH: install it, or change the project's file, with --client claude-code alone and --file .mcp.json\n`;
    const before = { [CURSOR]: json({ mcpServers: { docs } }) };
    const argv = ["mcp-install", "--from", "cursor", "--client", "codex"];

    test.each<[string, string[], string, string]>([
      ["nothing is written", [], "", problem],
      ["--dry-run shows the change and says so", ["--dry-run"], '+   "mcpServers": {', problem],
      ["--check says so", ["--check"], '+   "mcpServers": {', problem],
    ])("%s", async (_, words, shown, said) => {
      const all = [...argv, "--client", "claude-code", ...words];
      const { exitCode, out, error, files } = await handtools(all, { files: before });
      expect({ exitCode, files }).toEqual({ exitCode: 1, files: before });
      expect(out).toContain(shown);
      if (shown === "") expect(out).toBe("");
      expect(error).toEndWith(said);
    });

    test("a large file says so too", async () => {
      const files = { [CLAUDE]: json({ history: "x".repeat(2 * 1024 * 1024) }) };
      expect(await handtools(install, { files })).toMatchObject({ exitCode: 1, error: problem });
    });

    test("a file that needs no change is no problem", async () => {
      const files = { ...before, [CLAUDE]: json({ mcpServers: { docs } }) };
      for (const mode of [[], ["--check"], ["--dry-run"]]) {
        const words = ["mcp-install", "--from", "cursor", "--client", "claude-code", ...mode];
        expect(await handtools(words, { files })).toMatchObject({ exitCode: 0, error: "" });
      }
    });

    test("nothing is uninstalled", async () => {
      const files = { [CLAUDE]: json({ mcpServers: { docs } }), ...before };
      const words = ["mcp-uninstall", "docs", "--client", "cursor", "--client", "claude-code"];
      expect(await handtools(words, { files })).toMatchObject({
        exitCode: 1,
        error: problem,
        files,
      });
    });

    test("the user's servers of another client get into the project's file, as the error says", async () => {
      const words = ["mcp-install", "--from", "cursor", "--client", "claude-code"];
      const result = await handtools([...words, "--file", ".mcp.json"], { files: before });
      expect(result).toMatchObject({ exitCode: 0, error: "" });
      expect(parsed(result.files[".mcp.json"])).toEqual({ mcpServers: { docs } });
    });

    test("a program that Windows starts only through a shell is not enough", async () => {
      const home = "C:\\Users\\ada";
      const world = {
        platform: "win32",
        environment: { USERPROFILE: home, PATH: "C:\\npm", PATHEXT: ".EXE;.CMD" },
        runProgram: () => ({ code: 0, output: "" }),
      };
      const found = await handtools(install, { ...world, files: { "C:\\npm\\claude.EXE": "" } });
      expect(found).toMatchObject({ exitCode: 0, error: "" });
      const script = await handtools(install, { ...world, files: { "C:\\npm\\claude.CMD": "" } });
      expect(script.error).toContain("claude is not on the PATH");
    });
  });
});
