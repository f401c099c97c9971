import { describe, expect, test } from "bun:test";
import type { McpConfigInput } from "../../schemas/index.ts";
import { mcpConfig } from "../../src/index.ts";

const DESKTOP = "clients[0]";
const CODE = "clients[1]";
const CURSOR = "clients[2]";
const VSCODE = "clients[3]";

const local = (fields: Partial<McpConfigInput>) => ({ name: "a", command: "run", ...fields });
const remote = (url: string, headers = {}) => ({ name: "a", url, headers });

const codesAndPaths = (input: McpConfigInput) =>
  mcpConfig(input).warnings.map(({ code, path }) => `${code} ${path}`);

const CASES: [string, McpConfigInput, string[]][] = [
  ["a long name", local({ name: "a".repeat(31) }), ["long-name name"]],
  ["two underscores in the name", local({ name: "a__b" }), ["double-underscore name"]],
  ["a name that Claude Code reserves", local({ name: "workspace" }), [`reserved-name ${CODE}`]],
  ["a command line", local({ command: "npx -y server" }), ["command-line command"]],
  ["a command line with a path", local({ command: "/bin/npx -y x" }), ["command-line command"]],
  ["two words", local({ command: "uv run", args: ["x"] }), ["command-line command"]],
  ["a path with a space", local({ command: "C:\\A b\\run.exe" }), [`command-split ${CURSOR}`]],
  ["plain http", remote("http://example.com/"), ["plain-http url"]],
  ["a fragment", remote("https://example.com/#a"), ["url-fragment url"]],
  ["a secret in the query", remote("https://a.com/?api_key=1"), ["secret-in-url url"]],
  [
    "a header of the protocol",
    remote("https://a.com", { "Content-type": "text/plain" }),
    ['protocol-header headers["Content-type"]'],
  ],
  [
    "outer spaces of a header",
    remote("https://a.com", { "X-A": " a" }),
    ['header-outer-spaces headers["X-A"]'],
  ],
  [
    "${NAME}",
    local({ args: ["${HOME}"] }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  [
    "${NAME:-default}",
    local({ env: { A: "${A:-b}" } }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  [
    "${env:NAME}",
    local({ command: "${env:HOME}/x" }),
    [`variable-expansion ${CURSOR}`, `variable-expansion ${VSCODE}`],
  ],
  ["${input:id}", local({ args: ["${input:a}"] }), [`variable-expansion ${VSCODE}`]],
  [
    "${workspaceFolder}",
    local({ args: ["${workspaceFolder}"] }),
    [CODE, CURSOR, VSCODE].map((client) => `variable-expansion ${client}`),
  ],
  [
    "${NAME} in a header",
    remote("https://a.com", { "X-A": "${A}" }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  ["a relative path", local({ args: ["./x"] }), [`path-rewritten ${CURSOR}`]],
  ["the folder itself", local({ args: ["."] }), [`path-rewritten ${CURSOR}`]],
  [
    "a path in the home folder",
    local({ args: ["~/x"] }),
    [`path-rewritten ${CURSOR}`, `path-rewritten ${VSCODE}`],
  ],
  ["a command in the home folder", local({ command: "~/x" }), [`path-rewritten ${VSCODE}`]],
  ["PATH", local({ env: { PATH: "/bin" } }), [`path-appended ${VSCODE}`]],
  [
    "a space in an argument of npx",
    local({ command: "npx", args: ["a b"] }),
    [`windows-argument-space ${DESKTOP}`],
  ],
  [
    "a special character in an argument of a .cmd file",
    local({ command: "C:\\run.CMD", args: ["a&b"] }),
    [`windows-special-character ${DESKTOP}`],
  ],
  [
    "a special character in the URL of the bridge",
    remote("https://a.com/?a=1&b=2"),
    [`windows-special-character ${DESKTOP}`],
  ],
];

const ORDINARY: [string, McpConfigInput][] = [
  ["a server of npm", local({ command: "npx", args: ["-y", "@scope/server", "/home/me"] })],
  ["a server of uv with a key", local({ command: "uvx", args: ["x"], env: { API_KEY: "k" } })],
  ["an image", local({ command: "docker", args: ["run", "-i", "--rm", "-e", "A", "img"] })],
  ["a program by its path", local({ command: "C:\\Program Files\\run.exe", args: ["a b"] })],
  ["a remote server", remote("https://example.com/mcp")],
  ["a remote server with a token", remote("https://a.com/mcp", { Authorization: "Bearer x" })],
  ["a server on this machine", remote("http://localhost:3000/mcp")],
  ["a server on this machine by IPv6", remote("http://[::1]:3000/mcp")],
  ["$NAME, %NAME% and $(id), which nobody expands", local({ args: ["$A %A% $(id) ${} ${1}"] })],
  ["a query without a secret", remote("https://a.com/?author=me")],
];

describe("warns of", () => {
  test.each(CASES)("%s", (_, input, warnings) => expect(codesAndPaths(input)).toEqual(warnings));

  test("what is replaced, and where", () => {
    const { warnings } = mcpConfig(local({ args: ["x", "${A} ${B}"], env: { C: "${D}" } }));
    expect(warnings[0]?.message).toContain('"${A}" in args[1], "${B}" in args[1], "${D}" in env.C');
  });
});

describe("has nothing to say of", () => {
  test.each(ORDINARY)("%s", (_, input) => expect(codesAndPaths(input)).toEqual([]));
});
