import { describe, expect, test } from "bun:test";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";

const DESKTOP = "clients[0]";
const CODE = "clients[1]";
const CURSOR = "clients[2]";
const VSCODE = "clients[3]";
const CODEX = "clients[4]";

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
  [["-k", "hunter2"], 1],
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
  ["-k", "/etc/server.pem"],
  ["-k", "--verbose"],
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

const CLAUDE_NAMES = [
  ...["webagent", "claude_ai", "Claude_Browser", "Claude_Preview", "Claude_in_Chrome"],
  ...["remote-devices", "ccr-email", "claude-device", "claude-code-remote", "hearthbot"],
  ...["claude_ai__x", "Claude_Browser__x", "claude-in-chrome__x", "Claude_in_Chrome__x"],
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
    [`reference-as-text ${DESKTOP}`, `reference-as-text ${CODEX}`],
  ],
  [
    "${NAME} in a variable of another name",
    local({ env: { A: "${B}" } }),
    [`reference-as-text ${DESKTOP}`, `reference-as-text ${CODEX}`],
  ],
  [
    "${NAME} in the command",
    local({ command: "${HOME}/run" }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  [
    "${NAME} for a shell",
    local({ command: "/bin/sh", args: ["-c", "run ${HOME}"] }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  [
    "${CLAUDE_PROJECT_DIR}",
    local({ args: ["${CLAUDE_PROJECT_DIR}"] }),
    [`variable-expansion ${CODE}`, `variable-expansion ${CURSOR}`],
  ],
  [
    "%24%7BNAME%7D in the URL",
    remote("https://a.com/?k=%24%7BKEY%7D"),
    [
      `reference-as-text ${DESKTOP}`,
      `windows-special-character ${DESKTOP}`,
      `reference-as-text ${CODEX}`,
    ],
  ],
  [
    "${NAME} beside other text in a header",
    remote("https://a.com", { "X-A": "a=${A}" }),
    [`reference-as-text ${DESKTOP}`, `reference-as-text ${CODEX}`],
  ],
  ...["${env}", "${config}"].map((text): [string, McpConfigInput, string[]] => [
    `${text} in the command`,
    local({ command: text }),
    [...[CODE, CURSOR].map((client) => `variable-expansion ${client}`), `variable-error ${VSCODE}`],
  ]),
  ["${cwd:x}", local({ env: { A: "${cwd:x}" } }), [`variable-error ${VSCODE}`]],
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
  ["a relative path", local({ args: ["./x"] }), [`path-rewritten ${CURSOR}`]],
  ["the folder itself", local({ args: ["."] }), [`path-rewritten ${CURSOR}`]],
  [
    "a path in the home folder",
    local({ args: ["~/x"] }),
    [`path-rewritten ${CURSOR}`, `path-rewritten ${VSCODE}`],
  ],
  [
    "a command in the home folder",
    local({ command: "~/x" }),
    [
      ...[DESKTOP, CODE, CURSOR].map((client) => `command-not-found ${client}`),
      `path-rewritten ${VSCODE}`,
      `command-not-found ${CODEX}`,
    ],
  ],
  [
    "a command in the folder itself",
    local({ command: "./x" }),
    [`command-not-found ${DESKTOP}`, `command-not-found ${CODEX}`],
  ],
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
    remote("https://a.com/?a=%20b"),
    [`windows-special-character ${DESKTOP}`],
  ],
  [
    "a URL that VS Code decodes into another one",
    remote("https://a.com/mcp?user=me%2Btag%40x"),
    [`windows-special-character ${DESKTOP}`, `url-rewritten ${VSCODE}`],
  ],
  [
    "a slash in a part of the path",
    remote("https://a.com/a%2Fb"),
    [`windows-special-character ${DESKTOP}`, `url-rewritten ${VSCODE}`],
  ],
  ["two slashes before the path", remote("https://a.com//mcp"), [`url-rewritten ${CODE}`]],
  ["a scheme in upper case", remote("HTTPS://a.com/mcp"), [`url-scheme-case ${VSCODE}`]],
  ["a User-Agent", remote("https://a.com", { "user-agent": "x" }), [`header-replaced ${VSCODE}`]],
  ["a URL that ends in /sse", remote("https://a.com/sse"), ["sse-url url"]],
  ["a URL that ends in /sse?", remote("https://a.com/sse/?a=1"), ["sse-url url"]],
  ["a secret in the path", remote("https://a.com/s/ghp_abcdefgh/mcp"), ["secret-in-url url"]],
  [
    "a secret in the path by its look",
    remote("https://a.com/s/Zm9vYmFy012QmFyZm9vMTIzNDU2/mcp"),
    ["secret-in-url url"],
  ],
  [
    "a secret in the fragment",
    remote("https://a.com/#token=0123456789abcdef0123456789abcdef"),
    ["url-fragment url", "secret-in-url url"],
  ],
  ...CLAUDE_NAMES.map((name): [string, McpConfigInput, string[]] => [
    `the name ${name}`,
    local({ name }),
    [...(name.includes("__") ? ["double-underscore name"] : []), `reserved-name ${CODE}`],
  ]),
  ["the name codex_apps", local({ name: "codex_apps" }), [`reserved-name ${CODEX}`]],
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
  ["${NAME} in a header", remote("https://a.com", { "X-A": "${A}" })],
  ["Bearer ${NAME}", remote("https://a.com", { Authorization: "Bearer ${TOKEN}" })],
  ["& in the URL", remote("https://a.com/?a=1&b=2")],
  ["a placeholder for npx", local({ command: "npx", args: ["<your-key>"] })],
  ...ORDINARY_ARGUMENTS.map((args): [string, McpConfigInput] => [args.join(" "), local({ args })]),
];

describe("warns of", () => {
  test.each(CASES)("%s", (_, input, warnings) => expect(codesAndPaths(input)).toEqual(warnings));

  test("what is replaced, and where", () => {
    const input = local({ args: ["x", "${A:-1} ${B:-2}"], env: { C: "${D:-}" } });
    const { warnings } = mcpConfig(input);
    expect(warnings[0]?.message).toContain(
      '"${A:-1}" in args[1], "${B:-2}" in args[1], "${D:-}" in env.C',
    );
  });

  test("what is sent as text, and where", () => {
    const { warnings } = mcpConfig(local({ args: ["x", "${A} ${B}"], env: { C: "${D}" } }));
    expect(warnings[0]?.message).toStartWith(
      "Claude Desktop does not replace variables there and keeps ${A}, ${B} in args[1], ${D} in env.C as text",
    );
  });

  test.each([
    ["https://a.com/mcp?user=me%2Btag%40x", "https://a.com/mcp?user=me+tag@x"],
    ["https://a.com/a%2Fb", "https://a.com/a/b"],
  ])("%s, of which VS Code makes another URL", (url, asked) => {
    const { warnings } = mcpConfig(remote(url));
    expect(warnings.map(({ message }) => message).join()).toContain(`asks for ${asked};`);
  });

  test("a command line, with its parts", () => {
    const { warnings } = mcpConfig(local({ command: "npx -y 'my server'" }));
    expect(warnings[0]?.message).toEndWith('into `args`: command "npx", args ["-y", "my server"]');
  });
});

test.each([
  ["reference-as-text", ["--api-key", "${API_KEY}"]],
  ["variable-expansion", ["--token=${TOKEN:-}"]],
  ["reference-as-text", ["--header", "Authorization:${AUTH_HEADER}"]],
  ["reference-as-text", ["--header", "Authorization: Bearer ${TOKEN}"]],
])("takes no reference for a secret: %s %p", (code, args) => {
  const { warnings } = mcpConfig(local({ args }));
  expect(new Set<string>(warnings.map(({ code }) => code))).toEqual(new Set([code]));
});

describe("has nothing to say of", () => {
  test.each(ORDINARY)("%s", (_, input) => expect(codesAndPaths(input)).toEqual([]));
});
