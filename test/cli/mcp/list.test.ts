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
