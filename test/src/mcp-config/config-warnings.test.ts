import { describe, expect, test } from "bun:test";
import { ALL_CLIENTS, type Client, type McpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";

const DESKTOP = "clients[0]";
const CODE = "clients[1]";
const CURSOR = "clients[2]";
const CODEX = "clients[4]";

const local = (fields: Partial<McpConfigInput>) => ({ name: "a", command: "run", ...fields });
const remote = (url: string, headers = {}) => ({ name: "a", url, headers });
const withHeader = (name: string, value: string) => remote("https://a.com", { [name]: value });

const codesAndPaths = (input: McpConfigInput) =>
  createMcpConfig(input).warnings.map(({ code, path }) => `${code} ${path}`);

/** Arguments, and which of them is the secret. */
const SECRET_ARGUMENTS: [string, number][] = [
  ["-y server --token=abc", 2],
  ["-k hunter2", 1],
  ["-e API_KEY=abc", 1],
  ["postgres://u:pw@h/db", 0],
  ["--url=https://h/mcp?token=abc", 0],
  ["ghp_abc", 0],
];

const ORDINARY_ARGUMENTS = [
  ...["-y --port 3000", "--api-key --verbose", "--token ", "--keyfile /etc/server.pem"],
  ...["--token-file /run/token", "--auth none", "--api-key-env MY_KEY", "run auth:login"],
  "--url=https://example.com/?author=me",
];

const PLACEHOLDERS = [
  ...["YOUR_KEY", "your-api-key", "YOUR KEY", "ghp_yourtokenhere", "https://your-host.example/x"],
  ...["<id>", "KEY=<your key>", "{{name}}", "{Contoso}", "--org={org}", "xxx", "KEY=sk-xxxxxx"],
  ...["ntn_****", "***", "ghp_...", "--token=...", "sk-…", "/path/to/file", "./path/to/a"],
  ...["C:\\path\\to\\x"],
  ...["/Users/username/notes", "-v=/absolute/path/to/x:/x", "@PLACEHOLDER_VERSION", "x@0.0.0"],
  ...["img:0.0.0", "x==0.0.0", "REPLACE_ME", "changeme", "put-token-here", "INSERT_KEY"],
  ...["db://user:password@host:5432/db", "db://USER:PASSWORD@h.example/db"],
];

/** The last argument is a command line, or an option and its value. */
const LINES_IN_ARGS: string[][] = [
  ["-y @acme/x --flag"],
  ["run -i img"],
  ["-m", "server", "--header X-A: b"],
  ["-y,figma-developer-mcp,--stdio"],
];

/** Arguments of `docker run`, the warnings, and the environment. */
const CONTAINERS: [string, string[], string[], Record<string, string>?][] = [
  ["without input", ["--rm", "img"], ["container-option args"]],
  ["with a terminal", ["-it", "img"], ["container-option args[1]"]],
  ["with -i after the image", ["img", "-i"], ["container-option args"]],
  ["with -e behind it", ["-i", "img", "-e", "A_B"], ["container-variable env.A_B"], { A_B: "1" }],
  ["that env does not reach", ["-i", "img"], ["container-variable env.A"], { A: "1" }],
  ["with variables of the shell", ["-i", "--env=B", "img", "-e", "D"], ["container-variable args"]],
];

const ORDINARY_CONTAINERS: [string[], Record<string, string>?][] = [
  [["run", "-i", "--rm", "-e", "A", "img"], { A: "1" }],
  [["container", "run", "--interactive", "-v=/a:/b", "img"]],
  [["run", "-i", "-v", "/a:/b", "img", "-v", "-e", "production", "-p", "3000", "-i"]],
  [["run", "-i", "img"], { DOCKER_HOST: "unix:///a", HTTPS_PROXY: "http://a:1" }],
  [["run", "-i", "-v", "DIR:/x", "-e", "B=$c", "img"], { DIR: "/d", c: "1" }],
  [["exec", "-i", "name", "server"], { A: "1" }],
];

const NO_PLACEHOLDERS = [
  ...["yourls-mcp", "https://u1.your-storagebox.de/x", "/home/user/x", "0.0.0.0", "x@1.0.0"],
  ...["**/*.ts", "a < b > c", '{"a": 1}', "/users/{id}", "{{.Names}}", "xxhash", "there"],
  ...["--placeholder", "somewhere", "insert_row,add_column", "me@host.example", "exchange-me"],
  ...["db://localhost/db", "all your base", "path=/run/to"],
];

const CLAUDE_NAMES = [
  ...["webagent", "claude_ai", "Claude_Browser", "Claude_Preview", "Claude_in_Chrome"],
  ...["remote-devices", "ccr-email", "claude-device", "claude-code-remote", "hearthbot"],
];

const CASES: [string, McpConfigInput, string[]][] = [
  ["a long name", local({ name: "a".repeat(31) }), ["risky-server-name name"]],
  ["a name that Claude Code reserves", local({ name: "workspace" }), [`risky-server-name ${CODE}`]],
  ["a command line", local({ command: "npx -y server" }), ["unsplit-command command"]],
  ["a path with a space", local({ command: "C:\\A b\\run.exe" }), [`command-not-found ${CURSOR}`]],
  ["plain http", remote("http://example.com/"), ["plain-http url"]],
  ["a secret in the query", remote("https://a.com/?api_key=1"), ["secret-in-url url"]],
  ...SECRET_ARGUMENTS.map(([args, index]): [string, McpConfigInput, string[]] => [
    `a secret in the arguments ${args}`,
    local({ args: args.split(" ") }),
    [`secret-in-args args[${index}]`],
  ]),
  ["a header's outer spaces", withHeader("X-A", " a"), ['header-whitespace headers["X-A"]']],
  ["${NAME}", local({ args: ["${HOME}"] }), ["unsupported-reference args[0]"]],
  ["${NAME} in the command", local({ command: "${HOME}/run" }), ["unsupported-reference command"]],
  ["Bearer ${NAME}", withHeader("A", "Bearer ${TOKEN}"), ["unsupported-reference headers.A"]],
  ["a command in the folder itself", local({ command: "./x" }), [`command-not-found ${DESKTOP}`]],
  ["a space for npx", local({ command: "npx", args: ["a b"] }), [`windows-argument ${DESKTOP}`]],
  ["a URL that ends in /sse", remote("https://a.com/sse"), ["sse-transport url"]],
  ["a secret in the path", remote("https://a.com/s/ghp_abcdefgh/mcp"), ["secret-in-url url"]],
  ...CLAUDE_NAMES.map((name): [string, McpConfigInput, string[]] => [
    `the name ${name}`,
    local({ name }),
    [`risky-server-name ${CODE}`],
  ]),
  ["a placeholder in the command", local({ command: "/path/to/x" }), ["placeholder command"]],
  ["one in env", local({ env: { OKTA_TOKEN: "okta-token" } }), ["placeholder env.OKTA_TOKEN"]],
  ...LINES_IN_ARGS.map((args): [string, McpConfigInput, string[]] => [
    `a command line among the arguments ${args.join(" | ")}`,
    local({ args }),
    [`unsplit-command args[${args.length - 1}]`],
  ]),
  ...CONTAINERS.map(([title, args, warnings, env = {}]): [string, McpConfigInput, string[]] => [
    `a container ${title}`,
    local({ command: "docker", args: ["run", ...args], env }),
    warnings,
  ]),
  ["the name codex_apps", local({ name: "codex_apps" }), [`risky-server-name ${CODEX}`]],
];

const ORDINARY: [string, McpConfigInput][] = [
  ["a server of npm", local({ command: "npx", args: ["-y", "@scope/server", "/home/me"] })],
  ...ORDINARY_CONTAINERS.map(([args, env = {}]): [string, McpConfigInput] => [
    args.join(" "),
    local({ command: "podman", args, env }),
  ]),
  ["a program by its path", local({ command: "C:\\Program Files\\run.exe", args: ["a b"] })],
  ["a remote server", remote("https://example.com/mcp")],
  ["a server on this machine", remote("http://localhost:3000/mcp")],
  ["$ and % with others", local({ args: ["$(id) ${} ${1} $1 $ref ^a$ 5% %20 %E2%80%99 %H%M"] })],
  ["a password with a dollar sign", local({ env: { PASSWORD: "ab$CD9" } })],
  ["variables in the script of a shell", local({ command: "sh", args: ["-c", "${A:-1} $B ~/c"] })],
  ["%NAME% in the script of cmd.exe", local({ command: "cmd", args: ["/c", "%APPDATA%\\x"] })],
  ["& in the URL", remote("https://a.com/?a=1&b=2")],
  ...NO_PLACEHOLDERS.map((text): [string, McpConfigInput] => [text, local({ args: [text] })]),
  ["a command of cmd.exe", local({ command: "cmd", args: ["/c", "npx -y a"] })],
  ...ORDINARY_ARGUMENTS.map((args): [string, McpConfigInput] => [
    args,
    local({ args: args.split(" ") }),
  ]),
];

describe("warns of", () => {
  test.each(CASES)("%s", (_, input, warnings) => expect(codesAndPaths(input)).toEqual(warnings));

  const docker = (args: string[], env = {}) =>
    local({ command: "docker", args: ["run", ...args], env });
  const replaced = (
    place: McpConfigInput,
    text: string,
    clients: string,
  ): [McpConfigInput, string] => [
    place,
    `contains ${text}, which ${clients} cannot replace; write the value`,
  ];
  test.each<[McpConfigInput, string]>([
    replaced(local({ args: ["${A:-1}"] }), "${A:-1}", "Claude Desktop, VS Code and Codex"),
    replaced(local({ args: ["${A} ${B:-2}"] }), "${A}", "Claude Desktop and Codex"),
    replaced(withHeader("Authorization", "Bearer ${A}"), "${A}", "Claude Desktop"),
    replaced(local({ args: ["~/x"] }), "~", "Claude Desktop, Claude Code and Codex"),
    [docker(["img"]), "needs -i before the image; without it, docker passes no input"],
    [docker(["-it", "img"]), "asks for a terminal, which clients do not provide; use only -i"],
    [docker(["-i", "img"], { A: "1" }), "does not reach the container; add -e A before the image"],
    [docker(["-i", "-e", "A", "img"]), "many clients do not pass A to servers; add to env: A with"],
    [local({ args: ["<token>"] }), 'contains the placeholder "<token>"; replace it'],
    [local({ command: "npx -y 'my server'" }), 'command "npx", args ["-y", "my server"]'],
  ])("%j, with what to do", (input, message) => {
    expect(createMcpConfig(input).warnings[0]?.message).toContain(message);
  });

  test.each(PLACEHOLDERS)("the placeholder %s", (text) => {
    expect(codesAndPaths(local({ args: [text] }))).toContain("placeholder args[0]");
  });
});

test.each([[["--api-key", "${API_KEY}"]], [["--header", "Authorization: Bearer ${TOKEN}"]]])(
  "takes no reference for a secret: %p",
  (args) => {
    const { warnings } = createMcpConfig(local({ args }));
    expect(warnings.map(({ code }) => code)).toEqual(["unsupported-reference"]);
  },
);

describe("a text is replaced by these clients, and stays text in the others", () => {
  const WITH_DEFAULTS: Client[] = ["claude-code", "cursor", "gemini-cli"];
  const DOLLARS: Client[] = ["copilot-cli", "gemini-cli", "qwen-code"];
  const kept = (input: McpConfigInput) =>
    ALL_CLIENTS.filter((client) =>
      createMcpConfig(input, { clients: [client] }).warnings.some(
        ({ code }) => code === "unsupported-reference",
      ),
    );

  test.each<[string, McpConfigInput, Client[]]>([
    ["${NAME:-default}", local({ args: ["${A:-b}"] }), [...WITH_DEFAULTS, "copilot-cli"]],
    ["a command", local({ command: "${HOME}/bin/x" }), [...WITH_DEFAULTS, "qwen-code"]],
    ["$NAME", local({ args: ["--as=$USER"] }), DOLLARS],
    ["${env:NAME}", local({ args: ["${env:HOME}/x"] }), ["cursor", "vscode", "windsurf", "devin"]],
    ["{env:NAME}", local({ args: ["{env:A}"] }), ["opencode", "kilo-code"]],
    ["${input:ID}", local({ args: ["${input:a}"] }), ["vscode"]],
    ["what stops VS Code", local({ command: "${env}", env: { A: "${cwd:x}" } }), []],
    ["${workspaceFolder}", local({ args: ["${workspaceFolder}/x"] }), ["cursor", "vscode"]],
    ["%NAME%", local({ args: ["%APPDATA%\\x"] }), ["gemini-cli"]],
    ["a path in the home folder", local({ args: ["~/x"] }), ["cursor", "vscode"]],
  ])("%s", (_, input, replacing) =>
    expect(kept(input)).toEqual(ALL_CLIENTS.filter((client) => !replacing.includes(client))),
  );
});

describe("has nothing to say of", () => {
  test.each(ORDINARY)("%s", (_, input) => expect(codesAndPaths(input)).toEqual([]));
});
