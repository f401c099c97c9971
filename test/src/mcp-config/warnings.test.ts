import { describe, expect, test } from "bun:test";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";

const DESKTOP = "clients[0]";
const CODE = "clients[1]";
const CURSOR = "clients[2]";
const VSCODE = "clients[3]";

const local = (fields: Partial<McpConfigInput>) => ({ name: "a", command: "run", ...fields });
const remote = (url: string, headers = {}) => ({ name: "a", url, headers });

const codesAndPaths = (input: McpConfigInput) =>
  mcpConfig(input).warnings.map(({ code, path }) => `${code} ${path}`);

/** Arguments, and which of them is the secret. */
const SECRET_ARGUMENTS: [string[], number][] = [
  [["--api-key", "sk-live-1"], 1],
  [["--api-key", "abc"], 1],
  [["-y", "server", "--token=abc"], 2],
  [["--password", "hunter2", "--port", "3000"], 1],
  [["--dbPass", "hunter2"], 1],
  [["-e", "API_KEY=abc"], 1],
  [["--header", "Authorization: Bearer abc"], 1],
  [["--header", "Authorization:Bearer abc"], 1],
  [["--header", "X-Api-Key: abc"], 1],
  [["postgres://u:pw@h/db"], 0],
  [["--url=https://u:pw@h/"], 0],
  [["--url=https://h/mcp?token=abc"], 0],
  [["ghp_abc"], 0],
];

const ORDINARY_ARGUMENTS: string[][] = [
  ["-y", "--port", "3000"],
  ["--api-key", "--verbose"],
  ["--token"],
  ["--token="],
  ["--token", ""],
  ["-e", "API_KEY"],
  ["--keyfile", "/etc/server.pem"],
  ["--key", "/etc/server.pem"],
  ["--ssl-key=server.key"],
  ["--key", "C:\\keys\\server.pem"],
  ["--token-file", "/run/token"],
  ["--auth-mode", "oauth"],
  ["--auth", "none"],
  ["--auth=oauth"],
  ["--api-key-env", "MY_KEY"],
  ["--no-auth", "server"],
  ["--session", "notes"],
  ["--max-tokens", "4096"],
  ["run", "auth:login"],
  ["--locale", "sk-SK"],
  ["http://localhost:4873/@scope/pkg"],
  ["@scope/secret-server"],
  ["--url=https://example.com/?author=me"],
];

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
    "a secret in the query by its value",
    remote("https://a.com/?k=sk-live-1"),
    ["secret-in-url url"],
  ],
  ...SECRET_ARGUMENTS.map(([args, index]): [string, McpConfigInput, string[]] => [
    `a secret in the arguments ${args.join(" ")}`,
    local({ args }),
    [`secret-in-args args[${index}]`],
  ]),
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
  ["an empty secret in the query", remote("https://a.com/?token=")],
  ...ORDINARY_ARGUMENTS.map((args): [string, McpConfigInput] => [args.join(" "), local({ args })]),
];

describe("warns of", () => {
  test.each(CASES)("%s", (_, input, warnings) => expect(codesAndPaths(input)).toEqual(warnings));

  test("what is replaced, and where", () => {
    const { warnings } = mcpConfig(local({ args: ["x", "${A} ${B}"], env: { C: "${D}" } }));
    expect(warnings[0]?.message).toContain('"${A}" in args[1], "${B}" in args[1], "${D}" in env.C');
  });
});

test.each([
  [["--api-key", "${API_KEY}"]],
  [["--token=${TOKEN:-}"]],
  [["--header", "Authorization:${AUTH_HEADER}"]],
  [["--header", "Authorization: Bearer ${TOKEN}"]],
])("takes no reference for a secret: %p", (args) => {
  const { warnings } = mcpConfig(local({ args }));
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["variable-expansion"]));
});

describe("has nothing to say of", () => {
  test.each(ORDINARY)("%s", (_, input) => expect(codesAndPaths(input)).toEqual([]));
});
