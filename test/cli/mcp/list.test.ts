import { describe, expect, test } from "bun:test";
import { commandLine } from "../support.ts";

const HOME = "/home/ada";
const CURSOR = `${HOME}/.cursor/mcp.json`;
const files = {
  [CURSOR]: JSON.stringify({
    mcpServers: { a: { command: "x" }, "b\u001b": { url: "https://x" } },
  }),
  ".vscode/mcp.json": JSON.stringify({ servers: { c: { command: "x" } } }),
};
const list = (argv: readonly string[], more: Record<string, string> = {}) =>
  commandLine(["mcp-list", ...argv], { environment: { HOME }, files: { ...files, ...more } });

describe("mcp-list", () => {
  test("is a line for each server in any client's file", async () => {
    const { exitCode, out, error } = await list([]);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["CLIENT", "SERVER", "TRANSPORT", "FILE"],
      ["cursor", "a", "stdio", CURSOR],
      ["cursor", "b\\u001b", "http", CURSOR],
      ["vscode", "c", "stdio", ".vscode/mcp.json"],
    ]);
  });

  test.each([
    ["cursor", '{"type":"sse","url":"https://x"}', "sse"],
    ["cursor", '{"url":"https://x"}', "http"],
    ["gemini-cli", '{"url":"https://x"}', "http"],
    ["qwen-code", '{"url":"https://x"}', "sse"],
    ["qwen-code", '{"httpUrl":"https://x"}', "http"],
  ])("says how %s reaches %s", async (client, entry, transport) => {
    const { out } = await list(["--client", client, "--file", "x", "--json"], {
      x: `{"mcpServers":{"d":${entry}}}`,
    });
    expect(JSON.parse(out).servers).toEqual([{ client, name: "d", transport, file: "x" }]);
  });

  test.each([
    ["its servers", '{"mcpServers":{"a":{"command":"x"}}}', "out", 2],
    ["what is wrong with it", "{", "error", 1],
  ] as const)(
    "in the home folder says %s once, though it is the project's file too",
    async (_, text, where, lines) => {
      const cwd = process.cwd();
      const result = await commandLine(["mcp-list"], {
        environment: { HOME: cwd },
        files: { [`${cwd}/.cursor/mcp.json`]: text, ".cursor/mcp.json": text },
      });
      expect(result[where].trimEnd().split("\n")).toHaveLength(lines);
    },
  );

  test("of one client and scope", async () => {
    expect((await list(["--client", "vscode"])).out).not.toContain("cursor");
    expect((await list(["--scope", "project"])).out).not.toContain("cursor");
  });

  test.each(["opencode.jsonc", "opencode.json"])("finds %s of opencode", async (file) => {
    const { out } = await list(["--client", "opencode", "--json"], {
      [file]: '{"mcp":{"d":{"type":"local","command":["x"]}}}',
    });
    expect(JSON.parse(out).servers).toEqual([
      { client: "opencode", name: "d", transport: "stdio", file },
    ]);
  });

  test.each<[string, string, Record<string, string>, [name: string, file: string][]]>([
    [
      "all files of opencode",
      "opencode",
      {
        "opencode.json": '{"mcp":{"a":{"type":"local","command":["x"]}}}',
        ".opencode/opencode.json": '{"mcp":{"servers":{"b":{"type":"remote","url":"https://x"}}}}',
      },
      [
        ["b", ".opencode/opencode.json"],
        ["a", "opencode.json"],
      ],
    ],
    [
      "the one file that Copilot CLI reads",
      "copilot-cli",
      {
        ".mcp.json": '{"a":{"command":"x"}}',
        ".github/mcp.json": '{"mcpServers":{"b":{"command":"x"}}}',
      },
      [["a", ".mcp.json"]],
    ],
    [
      "Copilot CLI's other file",
      "copilot-cli",
      { ".github/mcp.json": '{"mcpServers":{"b":{"command":"x"}}}' },
      [["b", ".github/mcp.json"]],
    ],
  ])("has the servers of %s", async (_, client, files, expected) => {
    const { out } = await list(["--client", client, "--scope", "project", "--json"], files);
    const listed = JSON.parse(out).servers.map(({ name, file }: Record<string, string>) => [
      name,
      file,
    ]);
    expect(listed).toEqual(expected);
  });

  test("of opencode without a file knows no other name", async () => {
    const { error } = await list(["--client", "opencode"], {
      "opencode.jsoncc": '{"mcp":{"d":{"type":"local","command":["x"]}}}',
    });
    expect(error).toBe(
      `info: there are no servers in ${HOME}/.config/opencode/opencode.json, opencode.json\n`,
    );
  });

  test("has the servers of Claude Code's projects, with their paths", async () => {
    const file = `${HOME}/.claude.json`;
    const server = { type: "stdio", command: "x" };
    const claude = JSON.stringify({
      mcpServers: { a: server },
      projects: { "/w/app": { mcpServers: { a: server } }, "/w/b": { mcpServers: {} } },
    });
    const argv = ["--client", "claude-code"];
    const { out } = await list(argv, { [file]: claude });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["CLIENT", "SERVER", "TRANSPORT", "FILE", "PROJECT"],
      ["claude-code", "a", "stdio", file],
      ["claude-code", "a", "stdio", file, "/w/app"],
    ]);
    const json = JSON.parse((await list([...argv, "--json"], { [file]: claude })).out);
    expect(json.servers.map(({ project }: { project?: string }) => project)).toEqual([
      undefined,
      "/w/app",
    ]);
  });

  test("of an entry with an empty URL is stdio, and of one with both what its type says", async () => {
    const x = JSON.stringify({
      mcpServers: {
        a: { type: "stdio", command: "x", url: "" },
        b: { type: "stdio", command: "x", url: "https://x" },
        c: { type: "http", command: "x", url: "https://x" },
      },
    });
    const { out } = await list(["--client", "cursor", "--file", "x", "--json"], { x });
    expect(
      JSON.parse(out).servers.map(({ transport }: { transport: string }) => transport),
    ).toEqual(["stdio", "stdio", "http"]);
  });

  test("of a file", async () => {
    const { out } = await list(["--client", "cursor", "--file", "x"], {
      x: '{"mcpServers":{"d":{"command":"x"}}}',
    });
    expect(out).toMatch(/^cursor +d +stdio +x$/m);
    expect(out).not.toContain(CURSOR);
  });

  test.each([
    [
      "files that are not there",
      ["--client", "codex"],
      "there are no servers in /home/ada/.codex/config.toml, .codex/config.toml",
    ],
    [
      "a file without servers",
      ["--client", "cursor", "--file", "empty"],
      "there are no servers in empty",
    ],
    [
      "a file of two clients",
      ["--client", "claude-code", "--client", "copilot-cli", "--scope", "project"],
      "there are no servers in .mcp.json",
    ],
    [
      "a client without a file for the scope",
      ["--client", "claude-desktop", "--scope", "project"],
      "there is no file of this client and scope",
    ],
  ])("of %s says where it looked", async (_, argv, message) => {
    expect(await list(argv, { empty: '{"mcpServers":{}}' })).toMatchObject({
      exitCode: 0,
      out: "",
      error: `info: ${message}\n`,
    });
    const { exitCode, out, error } = await list([...argv, "--json"], { empty: "{}" });
    expect({ exitCode, out: JSON.parse(out), error }).toEqual({
      exitCode: 0,
      out: { servers: [] },
      error: "",
    });
  });

  test("as JSON", async () => {
    const { out } = await list(["--json", "--client", "vscode"]);
    expect(JSON.parse(out)).toEqual({
      servers: [{ client: "vscode", name: "c", transport: "stdio", file: ".vscode/mcp.json" }],
    });
  });

  test("of nothing but a broken file is its error alone", async () => {
    const { exitCode, out, error } = await list(["--client", "cursor", "--file", "x"], { x: "{" });
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(error).toMatch(/^error: x: .*\n$/);
  });

  test("lists the others when a file is broken, and fails", async () => {
    const { exitCode, out, error } = await list([], { [CURSOR]: "{" });
    expect(exitCode).toBe(1);
    expect(out).toContain("vscode");
    expect(error).toStartWith(`error: ${CURSOR}: `);
  });
});

describe("mcp-list --check", () => {
  const there = {
    "/bin/npx": "",
    "/opt/x": "",
    "/w/notes/a": "",
    "C:\\bin\\npx.CMD": "",
    "C:\\w": "",
  };
  const check = (client: string, text: string, world: object = {}) =>
    commandLine(["mcp-list", "--check", "--json", "--client", client, "--file", "f"], {
      environment: { HOME, PATH: "/sbin:/bin", SET: "" },
      files: { ...there, f: text },
      ...world,
    });
  const notSet = (name: string) => `the variable ${name} is not set here`;

  test.each<[string, string, object, string[]]>([
    ["a command on the PATH", "cursor", { command: "npx" }, []],
    ["another command", "cursor", { command: "npz" }, ["the command npz does not exist"]],
    ["a command by its path", "cursor", { command: "/opt/x" }, []],
    ["another path", "cursor", { command: "/opt/y" }, ["the command /opt/y does not exist"]],
    ["a relative command", "cursor", { command: "./y" }, []],
    ["a command below a variable", "cursor", { command: "${workspaceFolder}/y" }, []],
    ["a command on a PATH of its own", "cursor", { command: "y", env: { PATH: "/y" } }, []],
    [
      "paths",
      "cursor",
      { command: "npx", args: ["/w/notes", "--db=/w/db", "/mcp", "w/x"], cwd: "/no/w" },
      ["the path /w/db does not exist", "the path /no/w does not exist"],
    ],
    [
      "paths in a container",
      "cursor",
      { command: "/opt/x/docker", args: ["/a/b"] },
      ["the command /opt/x/docker does not exist"],
    ],
    [
      "paths in a script",
      "cursor",
      { command: "/opt/x/sh", args: ["-c", "/a/b c"] },
      ["the command /opt/x/sh does not exist"],
    ],
    [
      "variables",
      "cursor",
      {
        command: "npx",
        args: ["${env:A}"],
        env: { B: "${env:A}", C: "${env:SET}", D: "${env:D:-x}" },
      },
      [notSet("A")],
    ],
    [
      "a header",
      "cursor",
      { url: "https://x.test", headers: { A: "Bearer ${env:T}" } },
      [notSet("T")],
    ],
    ["names of variables", "codex", { command: "npx", env_vars: ["A", "SET"] }, [notSet("A")]],
    ["a token", "codex", { url: "https://x.test", bearer_token_env_var: "T" }, [notSet("T")]],
    ["text that looks like a variable", "lm-studio", { command: "npx", env: { A: "${A}" } }, []],
    [
      "what VS Code asks for",
      "vscode",
      { command: "npx", env: { A: "${input:A}", B: "${input:b-key}", C: "${env:C}" } },
      [notSet("C")],
    ],
    [
      "a variable of the bridge's own environment",
      "claude-desktop",
      {
        command: "npx",
        args: ["mcp-remote", "https://x.test", "--header", "Authorization:${AUTH}"],
        env: { AUTH: "Bearer x" },
      },
      [],
    ],
    ...["claude-desktop", "lm-studio"].map((client): [string, string, object, string[]] => [
      "a variable that the bridge replaces",
      client,
      { command: "npx", args: ["mcp-remote", "https://x.test", "--header", "A:${AUTH}"] },
      [notSet("AUTH")],
    ]),
    [
      "a URL with another scheme",
      "cursor",
      { url: "htp://x" },
      ["url: must start with http:// or https://"],
    ],
    ["a URL with a variable", "cursor", { url: "${env:SET}/mcp" }, []],
    ["neither", "cursor", { args: [] }, ["has neither a command nor a url"]],
    ["a WebSocket, which is not for others", "claude-code", { type: "ws", url: "wss://x" }, []],
  ])("of %s, %s", async (_, client, entry, problems) => {
    const root = { codex: "mcp_servers", vscode: "servers" }[client] ?? "mcpServers";
    const inToml = (value: object) =>
      Object.entries(value)
        .map(([key, item]) => `${key} = ${JSON.stringify(item)}\n`)
        .join("");
    const text =
      client === "codex"
        ? `[mcp_servers.a]\n${inToml(entry)}`
        : JSON.stringify({ [root]: { a: entry } });
    const { exitCode, out, error, files } = await check(client, text);
    expect(JSON.parse(out).servers[0].problems).toEqual(problems);
    expect(error).toBe(problems.map((text) => `error: f: ${root}.a: ${text}\n`).join(""));
    expect({ exitCode, files }).toEqual({
      exitCode: problems.length > 0 ? 1 : 0,
      files: { ...there, f: text },
    });
  });

  test("of Windows looks for programs by their ends, and at paths of Windows", async () => {
    const entry = { command: "npx", args: ["C:\\w", "C:\\no", "/w/no"] };
    const world = { platform: "win32", environment: { PATH: "C:\\sbin;C:\\bin" } };
    const { out } = await check("cursor", JSON.stringify({ mcpServers: { a: entry } }), world);
    expect(JSON.parse(out).servers[0].problems).toEqual(["the path C:\\no does not exist"]);
  });

  test("prints the list all the same, and names a server of a project", async () => {
    const file = `${HOME}/.claude.json`;
    const text = JSON.stringify({ projects: { "/w": { mcpServers: { a: { command: "npz" } } } } });
    const argv = ["--check", "--client", "claude-code"];
    const { exitCode, out, error } = await list(argv, { [file]: text });
    expect(exitCode).toBe(1);
    expect(out).toContain(`claude-code  a       stdio      ${file}  /w`);
    expect(error).toBe(
      `error: ${file}: projects["/w"].mcpServers.a: the command npz does not exist\n`,
    );
  });
});
