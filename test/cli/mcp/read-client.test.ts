import { describe, expect, test } from "bun:test";
import { ALL_CLIENTS } from "../../../schemas/inputs/mcp-config.ts";
import { commandLine } from "../support.ts";

const HOME = "/home/ada";
const CURSOR = `${HOME}/.cursor/mcp.json`;
const CODEX = `${HOME}/.codex/config.toml`;
const KIRO = `${HOME}/.kiro/settings/mcp.json`;

type World = NonNullable<Parameters<typeof commandLine>[1]>;
const install = (argv: readonly string[], world: World) =>
  commandLine(["mcp-install", ...argv], { environment: { HOME }, ...world });

const cursor = `{
  // mine
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "fs"] },
    "api": { "url": "https://x.test/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } },
    "db": { "command": "db", "env": { "DB_KEY": "s3cret-key" } },
  },
}
`;

describe("mcp-install --from", () => {
  test("gives two other clients all servers in one command, and nothing at the second time", async () => {
    const own = { [CODEX]: 'model = "o" # mine\n\n[mcp_servers.mine]\ncommand = "m"\n' };
    const files = { [CURSOR]: cursor, ...own };
    const argv = ["--from", "cursor", "--client", "codex", "--client", "kiro"];
    const dry = await install([...argv, "--dry-run"], { files });
    expect(dry).toMatchObject({ exitCode: 0, error: "", files });
    expect(dry.out).toContain('+ DB_KEY = "***"');
    expect(dry.out).toContain('+       "env": {\n+         "DB_KEY": "***"');
    expect(dry.out).not.toContain("s3cret");
    const differs = await install([...argv, "--check"], { files });
    expect(differs).toMatchObject({ exitCode: 1, out: dry.out, files });
    expect(differs.error).toBe(
      `error: ${CODEX}: is not up to date; run this without --check\nerror: ${KIRO}: is not up to date; run this without --check\n`,
    );

    const made = await install(argv, { files });
    expect(made).toMatchObject({ exitCode: 0, error: "" });
    expect(String(made.files[CODEX])).toBe(
      `${own[CODEX]}\n[mcp_servers.files]\ncommand = "npx"\nargs = [ "-y", "fs" ]\n\n[mcp_servers.api]\nurl = "https://x.test/mcp"\nbearer_token_env_var = "TOKEN"\n\n[mcp_servers.db]\ncommand = "db"\n\n[mcp_servers.db.env]\nDB_KEY = "s3cret-key"\n`,
    );
    expect(Object.keys(JSON.parse(String(made.files[KIRO])).mcpServers)).toEqual([
      "files",
      "api",
      "db",
    ]);

    expect(await install([...argv, "--check"], { files: made.files })).toMatchObject({
      ...{ exitCode: 0, out: "", error: "", files: made.files },
    });
    const again = await install(argv, { files: made.files });
    expect(again).toMatchObject({ exitCode: 0, error: "", files: made.files });
  });

  test.each(ALL_CLIENTS)("gives every other client the servers of %s, once", async (source) => {
    const several = JSON.stringify({
      mcpServers: {
        files: { command: "npx", args: ["a b", "${A}"], env: { A: "${A}", B: "x" } },
        api: { url: "https://x.test/mcp", headers: { Authorization: "Bearer ${T}", X: "k$HOME" } },
        events: { type: "sse", url: "https://x.test/sse" },
      },
    });
    // Without --file its program alone may write that of Claude Code.
    const file = source === "claude-code" ? ["--file", `${HOME}/.claude.json`] : [];
    const files = { "in.json": several };
    const there = await install(["in.json", "--client", source, ...file], { files });
    const others = ALL_CLIENTS.filter((client) => client !== source && client !== "claude-code");
    const argv = ["--from", source, ...others.flatMap((client) => ["--client", client])];
    const made = await install(argv, { files: there.files });
    expect(made.out.match(/: added /g)).toHaveLength(3 * others.length);
    const again = await install([...argv, "--check"], { files: made.files });
    expect(again).toMatchObject({ exitCode: 0, out: "", files: made.files });
  });

  test("keeps what it does not write where it replaces, and says that --check needs --force", async () => {
    const entry = { command: "other", timeout: 5, alwaysAllow: ["a"] };
    const files = { [CURSOR]: cursor, [KIRO]: JSON.stringify({ mcpServers: { files: entry } }) };
    const argv = ["--from", "cursor", "--client", "kiro", "--server", "files"];
    expect((await install([...argv, "--check"], { files })).error).toBe(
      `error: ${KIRO}: has another files; run this without --check, and with --force to replace it\n`,
    );
    const forced = await install([...argv, "--force"], { files });
    expect(JSON.parse(String(forced.files[KIRO]))).toEqual({
      mcpServers: { files: { timeout: 5, alwaysAllow: ["a"], command: "npx", args: ["-y", "fs"] } },
    });
    expect(await install([...argv, "--check"], { files: forced.files })).toMatchObject({
      exitCode: 0,
    });
  });

  test.each<[string, string, string, object, string]>([
    [
      "a form that only this client replaces, without a guess",
      "gemini-cli",
      '{"mcpServers":{"a":{"url":"https://x.test","headers":{"X-Key":"$key"}}}}',
      { a: { type: "http", url: "https://x.test", headers: { "X-Key": "${env:key}" } } },
      "",
    ],
    [
      "what only looks like a reference of another client as text",
      "lm-studio",
      '{"mcpServers":{"a":{"command":"x","env":{"A":"$KEY"}}}}',
      { a: { type: "stdio", command: "x", env: { A: "$KEY" } } },
      "warning: FILE:1:46: mcpServers.a.env.A: keeps $KEY as text in Cursor; write the value itself there [reference-as-text]\n",
    ],
    [
      "a URL as the client reads it",
      "qwen-code",
      '{"mcpServers":{"a":{"url":"https://x.test"}}}',
      { a: { type: "sse", url: "https://x.test" } },
      "",
    ],
    [
      "no server of a single project",
      "claude-code",
      '{"mcpServers":{"a":{"command":"x"}},"projects":{"/w":{"mcpServers":{"b":{"command":"y"}}}}}',
      { a: { type: "stdio", command: "x" } },
      "info: FILE: b is for the project /w alone and is left out\n",
    ],
    [
      "the servers under its own key alone",
      "vscode",
      '{"servers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}}',
      { a: { type: "stdio", command: "x" } },
      'info: FILE: has servers under "mcpServers", which VS Code does not read: it reads those under "servers"\n',
    ],
  ])("reads %s", async (_, client, text, mcpServers, error) => {
    const file = FILES[client] ?? "";
    const given = await install(["--from", client, "--client", "cursor"], {
      files: { [file]: text },
    });
    expect(given.error).toBe(error.replace("FILE", file));
    expect(JSON.parse(String(given.files[CURSOR]))).toEqual({ mcpServers });
  });

  test("reads all files of the project, whose servers other projects do not get", async () => {
    const entry = (command: string) =>
      `{"mcp":{"${command}":{"type":"local","command":["${command}"]}}}`;
    const files = {
      "opencode.json": entry("x"),
      ".opencode/opencode.json": entry("y"),
      ".opencode/opencode.jsonc": entry("y"),
      [`${HOME}/.config/opencode/opencode.json`]: entry("z"),
    };
    const argv = ["--from", "opencode", "--client", "kiro", "--scope", "project"];
    const { files: after } = await install(argv, { files });
    const { mcpServers } = JSON.parse(String(after[".kiro/settings/mcp.json"]));
    expect(Object.keys(mcpServers).sort()).toEqual(["x", "y"]);
    const other = {
      ...files,
      "opencode.json": entry("x").replace('["x"]', '["X"]'),
      "opencode.jsonc": entry("x"),
    };
    expect((await install(argv, { files: other })).error).toContain(
      "has several servers x: print one with handtools mcp-config --read, and give that",
    );
  });

  test.each<[string[], Record<string, string>, string]>([
    [["--client", "kiro"], {}, `--from: there are no servers in ${CURSOR}`],
    [
      ["--client", "kiro", "--scope", "project"],
      { [CURSOR]: cursor },
      "--from: there are no servers in .cursor/mcp.json; without --scope those of your own file are taken, and --file names the file to write",
    ],
    [
      ["--client", "kiro"],
      { [CURSOR]: "{" },
      `${CURSOR}: is not JSON: expected a closing } (line 1, column 2)`,
    ],
    [["--client", "kiro", "x.json"], {}, "--from: cannot be used with FILE"],
    [
      ["--client", "cursor"],
      { [CURSOR]: cursor },
      "--from: cursor is among the clients of --client",
    ],
    [
      ["--client", "kiro", "--name", "a"],
      {},
      "option '--from <client>' cannot be used with option '--name <text>'; see handtools mcp-install --help",
    ],
    [
      ["--client", "kiro", "--check", "--dry-run"],
      {},
      "option '--check' cannot be used with option '--dry-run'; see handtools mcp-install --help",
    ],
  ])("rejects %j", async (argv, files, error) => {
    const given = await install(["--from", "cursor", ...argv], { files });
    expect(given).toMatchObject({ exitCode: 2, error: `error: ${error}\n`, files });
  });

  test("writes a client's file at another path, such as that of dotfiles", async () => {
    for (const file of ["dotfiles/codex.toml", ".codex/config.toml"]) {
      const argv = ["--from", "cursor", "--client", "codex", "--file", file];
      const made = await install(argv, { files: { [CURSOR]: cursor } });
      expect(Object.keys(made.files)).toEqual([CURSOR, file]);
    }
  });

  test("needs a client with a file of the scope", async () => {
    const argv = ["--from", "lm-studio", "--client", "kiro", "--scope", "project"];
    expect((await install(argv, {})).error).toBe(
      "error: --from: LM Studio has no project file on this system\n",
    );
  });
});

const FILES: Readonly<Record<string, string>> = {
  "gemini-cli": `${HOME}/.gemini/settings.json`,
  "lm-studio": `${HOME}/.lmstudio/mcp.json`,
  "qwen-code": `${HOME}/.qwen/settings.json`,
  "claude-code": `${HOME}/.claude.json`,
  vscode: `${HOME}/.config/Code/User/mcp.json`,
};
