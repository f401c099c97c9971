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
const SECRET_ARGUMENTS: [string[], number][] = [
  [["--api-key", "sk-live-1"], 1],
  [["-y", "server", "--token=abc"], 2],
  [["--password", "hunter2", "--port", "3000"], 1],
  [["-k", "hunter2"], 1],
  [["-e", "API_KEY=abc"], 1],
  [["--header", "Authorization: Bearer abc"], 1],
  [["--header", "X-Api-Key: abc"], 1],
  [["postgres://u:pw@h/db"], 0],
  [["--url=https://h/mcp?token=abc"], 0],
  [["ghp_abc"], 0],
];

const ORDINARY_ARGUMENTS: string[][] = [
  ["-y", "--port", "3000"],
  ["--api-key", "--verbose"],
  ["--token"],
  ["--token", ""],
  ["-e", "API_KEY"],
  ["--keyfile", "/etc/server.pem"],
  ["-k", "/etc/server.pem"],
  ["--ssl-key=server.key"],
  ["--token-file", "/run/token"],
  ["--auth-mode", "oauth"],
  ["--auth", "none"],
  ["--api-key-env", "MY_KEY"],
  ["--max-tokens", "4096"],
  ["run", "auth:login"],
  ["http://localhost:4873/@scope/pkg"],
  ["--url=https://example.com/?author=me"],
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
  [
    "that a part of env does not reach",
    ["-i", "-e", "A", "--env=B=2", "-eC", "img"],
    ["container-variable env.D"],
    { A: "1", B: "2", C: "3", D: "4" },
  ],
  [
    "with variables of the shell",
    ["-i", "-e", "A", "--env=B", "-e", "C=1", "img", "-e", "D"],
    ["container-variable args"],
  ],
];

const ORDINARY_CONTAINERS: [string[], Record<string, string>?][] = [
  [["run", "-i", "--rm", "-e", "A", "img"], { A: "1" }],
  [["run", "--rm", "-i", "--env", "A", "--network", "host", "img:1", "--flag"], { A: "1" }],
  [["container", "run", "--interactive", "-v=/a:/b", "img"]],
  [["run", "-i", "-v", "/a:/b", "img", "-v", "-e", "production", "-p", "3000", "-i"]],
  [["run", "-i", "--network", "host", "img", "--network", "mainnet"]],
  [["run", "-i", "--env-host", "img"], { A: "1" }],
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
  ["two underscores in the name", local({ name: "a__b" }), ["risky-server-name name"]],
  ["a name that Claude Code reserves", local({ name: "workspace" }), [`risky-server-name ${CODE}`]],
  ["a command line", local({ command: "npx -y server" }), ["unsplit-command command"]],
  ["a path with a space", local({ command: "C:\\A b\\run.exe" }), [`command-not-found ${CURSOR}`]],
  ["plain http", remote("http://example.com/"), ["plain-http url"]],
  ["a secret in the query", remote("https://a.com/?api_key=1"), ["secret-in-url url"]],
  ["a query's secret by its value", remote("https://a.com/?k=sk-live-1"), ["secret-in-url url"]],
  ...SECRET_ARGUMENTS.map(([args, index]): [string, McpConfigInput, string[]] => [
    `a secret in the arguments ${args.join(" ")}`,
    local({ args }),
    [`secret-in-args args[${index}]`],
  ]),
  [
    "a header of the protocol",
    withHeader("Content-type", "text/plain"),
    ['protocol-header headers["Content-type"]'],
  ],
  ["a header's outer spaces", withHeader("X-A", " a"), ['header-whitespace headers["X-A"]']],
  ["${NAME}", local({ args: ["${HOME}"] }), ["unsupported-reference args[0]"]],
  ["${NAME} in the command", local({ command: "${HOME}/run" }), ["unsupported-reference command"]],
  [
    "%24%7BNAME%7D in the URL",
    remote("https://a.com/?k=%24%7BKEY%7D"),
    ["unsupported-reference url"],
  ],
  [
    "${NAME} beside other text in a header",
    withHeader("X-A", "a=${A}"),
    ['unsupported-reference headers["X-A"]'],
  ],
  [
    "Bearer ${NAME}",
    withHeader("Authorization", "Bearer ${TOKEN}"),
    ["unsupported-reference headers.Authorization"],
  ],
  ["a command in the home folder", local({ command: "~/x" }), ["unsupported-reference command"]],
  ["a command in the folder itself", local({ command: "./x" }), [`command-not-found ${DESKTOP}`]],
  [
    "an argument in the folder",
    local({ command: "node", args: ["./x.js"] }),
    [`command-not-found ${DESKTOP}`],
  ],
  ["a space for npx", local({ command: "npx", args: ["a b"] }), [`windows-argument ${DESKTOP}`]],
  [
    "a special character in an argument of a .cmd file",
    local({ command: "C:\\run.CMD", args: ["a&b"] }),
    [`windows-argument ${DESKTOP}`],
  ],
  ["a URL that ends in /sse", remote("https://a.com/sse"), ["sse-transport url"]],
  ["a secret in the path", remote("https://a.com/s/ghp_abcdefgh/mcp"), ["secret-in-url url"]],
  [
    "a secret in the path by its look",
    remote("https://a.com/s/Zm9vYmFy012QmFyZm9vMTIzNDU2/mcp"),
    ["secret-in-url url"],
  ],
  [
    "a fragment's secret",
    remote("https://a.com/#token=0123456789abcdef0123456789abcdef"),
    ["secret-in-url url"],
  ],
  ...CLAUDE_NAMES.map((name): [string, McpConfigInput, string[]] => [
    `the name ${name}`,
    local({ name }),
    [`risky-server-name ${CODE}`],
  ]),
  ["a placeholder in the command", local({ command: "/path/to/x" }), ["placeholder command"]],
  ["one in env", local({ env: { OKTA_TOKEN: "okta-token" } }), ["placeholder env.OKTA_TOKEN"]],
  ["a placeholder in a URL", remote("https://YOUR-HOST/mcp"), ["placeholder url"]],
  [
    "a placeholder in a header",
    withHeader("Authorization", "Bearer {token}"),
    ["placeholder headers.Authorization"],
  ],
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
  ["a server of uv with a key", local({ command: "uvx", args: ["x"], env: { API_KEY: "k" } })],
  ...ORDINARY_CONTAINERS.map(([args, env = {}]): [string, McpConfigInput] => [
    args.join(" "),
    local({ command: "podman", args, env }),
  ]),
  ["a program by its path", local({ command: "C:\\Program Files\\run.exe", args: ["a b"] })],
  ["a remote server", remote("https://example.com/mcp")],
  ["a remote server with a token", remote("https://a.com/mcp", { Authorization: "Bearer x" })],
  ["a server on this machine", remote("http://localhost:3000/mcp")],
  ["$ and % with others", local({ args: ["$(id) ${} ${1} $1 $ref ^a$ 5% %20 %E2%80%99 %H%M"] })],
  ["a password with a dollar sign", local({ env: { PASSWORD: "ab$CD9" } })],
  ["variables in the script of a shell", local({ command: "sh", args: ["-c", "${A:-1} $B ~/c"] })],
  ["%NAME% in the script of cmd.exe", local({ command: "cmd", args: ["/c", "%APPDATA%\\x"] })],
  ["a query without a secret", remote("https://a.com/?author=me")],
  ["& in the URL", remote("https://a.com/?a=1&b=2")],
  ...NO_PLACEHOLDERS.map((text): [string, McpConfigInput] => [text, local({ args: [text] })]),
  ["a user who is named user", local({ env: { USER: "user", NODE_ENV: "production" } })],
  ["a text of several words", local({ args: ["--prompt", "Use --flag for a list"] })],
  ["a command of cmd.exe", local({ command: "cmd", args: ["/c", "npx -y a"] })],
  ...ORDINARY_ARGUMENTS.map((args): [string, McpConfigInput] => [args.join(" "), local({ args })]),
];

describe("warns of", () => {
  test.each(CASES)("%s", (_, input, warnings) => expect(codesAndPaths(input)).toEqual(warnings));

  const docker = (args: string[], env = {}) =>
    local({ command: "docker", args: ["run", ...args], env });
  test.each<[McpConfigInput, string]>([
    [
      local({ args: ["${A:-1} ${B:-2}"] }),
      "contains ${A:-1}, ${B:-2}, which Claude Desktop, VS Code and Codex cannot replace; write the value",
    ],
    [
      local({ args: ["${A} ${B:-2}"] }),
      "contains ${A}, which Claude Desktop and Codex cannot replace; write",
    ],
    [
      withHeader("Authorization", "Bearer ${A}"),
      "contains ${A}, which Claude Desktop cannot replace; write",
    ],
    [
      local({ args: ["~/x"] }),
      "contains ~, which Claude Desktop, Claude Code and Codex cannot replace; write",
    ],
    [
      local({ command: "~/x" }),
      "contains ~, which Claude Desktop, Claude Code, Cursor and Codex cannot replace; write the value itself",
    ],
    [
      docker(["img"]),
      "needs -i before the image; without it, docker passes no input to the server",
    ],
    [docker(["-it", "img"]), "asks for a terminal, which clients do not provide; use only -i"],
    [docker(["-i", "img"], { A: "1" }), "does not reach the container; add -e A before the image"],
    [
      docker(["-i", "-e", "A", "img"]),
      "many clients do not pass A to servers; add to env: A with ${A}",
    ],
    [
      withHeader("Authorization", "Bearer <token>"),
      'contains the placeholder "<token>"; replace it',
    ],
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
    ["the same in a URL", remote("https://a.com/$%7BA%7D", { "X-A": "${A:-b}" }), WITH_DEFAULTS],
    ["a command", local({ command: "${HOME}/bin/x" }), [...WITH_DEFAULTS, "qwen-code"]],
    ["$NAME", local({ args: ["--as=$USER"] }), DOLLARS],
    ["${env:NAME}", local({ args: ["${env:HOME}/x"] }), ["cursor", "vscode", "windsurf", "devin"]],
    [
      "{env:A} and {file:B}",
      local({ args: ["{env:A}"], env: { B: "{file:~/b}" } }),
      ["opencode", "kilo-code"],
    ],
    ["${input:ID}", local({ args: ["${input:a}"] }), ["vscode"]],
    ["what stops VS Code", local({ command: "${env}", env: { A: "${cwd:x}" } }), []],
    ["${workspaceFolder}", local({ args: ["${workspaceFolder}/x"] }), ["cursor", "vscode"]],
    ["${CLAUDE_PROJECT_DIR}", local({ args: ["${CLAUDE_PROJECT_DIR}"] }), ["claude-code"]],
    ["%NAME%", local({ args: ["%APPDATA%\\x"] }), ["gemini-cli"]],
    ["a path in the home folder", local({ args: ["~/x"] }), ["cursor", "vscode"]],
    ["a path in the home folder, in env", local({ env: { A: "~/x" } }), []],
  ])("%s", (_, input, replacing) =>
    expect(kept(input)).toEqual(ALL_CLIENTS.filter((client) => !replacing.includes(client))),
  );
});

describe("has nothing to say of", () => {
  test.each(ORDINARY)("%s", (_, input) => expect(codesAndPaths(input)).toEqual([]));
});
