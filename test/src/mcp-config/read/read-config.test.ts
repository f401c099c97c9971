import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigInput,
  type ValidMcpConfigInput,
} from "../../../../schemas/index.ts";
import type { Transport } from "../../../../schemas/mcp-config.ts";
import { InvalidInputError, mcpConfig } from "../../../../src/index.ts";
import { readMcpConfig } from "../../../../src/mcp-config/read/read-config.ts";
import { tries } from "../../../support/runs.ts";
import { configOf, localInput, remoteInput } from "../support.ts";

describe("reads back what is written for", () => {
  /** Texts that one client's file cannot tell from a reference of its own. */
  const isTelling = (input: McpConfigInput) =>
    !/\{env:|\$(?:\$\{|[A-Za-z_])|%\w+%/.test(JSON.stringify(input));
  const withoutEmpty = (input: McpConfigInput) =>
    Object.fromEntries(
      Object.entries(input).filter(([, value]) => Object.keys(Object(value)).length > 0),
    );
  const local = fc.tuple(localInput, fc.constant("stdio" as const));
  const remote = fc.tuple(remoteInput, fc.constantFrom("http", "sse"));
  const inputs = fc.oneof(local, remote).filter(([input]) => isTelling(input));
  /** Their files have a URL and do not say of which transport. */
  const isSilent = (client: Client) =>
    ["opencode", "lm-studio", "qwen-code", "copilot-jetbrains", "windsurf"].includes(client);

  test.each([...ALL_CLIENTS])("%s", (client) => {
    fc.assert(
      fc.property(inputs, ([input, transport]) => {
        const result = mcpConfig(input, { clients: [client], transport });
        const { snippet, entry } = configOf(result, client);
        // Behind the bridge a reference in a header is a place to fill in.
        fc.pre(!(snippet.includes("mcp-remote") && JSON.stringify(input.headers)?.includes("${")));
        for (const text of [snippet, entry]) {
          const { servers, transports, left_out } = readMcpConfig(text);
          expect(left_out).toEqual([]);
          expect(servers).toEqual([withoutEmpty(input) as ValidMcpConfigInput]);
          const read = transport === "sse" && isSilent(client) ? "http" : transport;
          expect(transports).toEqual([read]);
        }
      }),
      tries(50),
    );
  });
});

const events = { url: "https://x.example/events" };

describe("the transport of", () => {
  test.each<[string, object | string, Transport[]]>([
    ["an entry of the type sse", { type: "sse", ...events }, ["sse"]],
    ["one of the type SSE", { type: "SSE", ...events }, ["sse"]],
    ["one with a transport", { transport: "sse", ...events }, ["sse"]],
    ["one of Cline's with a transportType", { transportType: "sse", ...events }, ["sse"]],
    ["one of Windsurf's", { type: "sse", serverUrl: events.url }, ["sse"]],
    ["one of which the type decides", { type: "http", transport: "sse", ...events }, ["http"]],
    ["one of Gemini's, whose httpUrl decides", { type: "sse", httpUrl: events.url }, ["http"]],
    ["one whose httpUrl is empty", { type: "sse", httpUrl: "", ...events }, ["sse"]],
    ["one without a type, which clients read differently", events, ["http"]],
    ["one of opencode", { type: "remote", ...events }, ["http"]],
    ["a command", { type: "sse", command: "x" }, ["stdio"]],
    ["each server of a file", { a: { type: "sse", ...events }, b: events }, ["sse", "http"]],
    ...["sse-only", "http-only"].map((mode): [string, object, Transport[]] => [
      `a bridge with ${mode}`,
      { command: "npx", args: ["mcp-remote", events.url, "--transport", mode] },
      [mode === "sse-only" ? "sse" : "http"],
    ]),
    [
      "a bridge that tries both, which is none of them",
      { command: "npx", args: ["mcp-remote", events.url, "--transport", "sse-first"] },
      ["stdio"],
    ],
    ["a line of Claude Code", `claude mcp add -t sse a ${events.url}`, ["sse"]],
    ["a line of Gemini CLI", `gemini mcp add --transport=sse a ${events.url}`, ["sse"]],
    ["a line with http", `claude mcp add -t http a ${events.url}`, ["http"]],
    [
      "a line with JSON",
      `claude mcp add-json a '${JSON.stringify({ type: "sse", ...events })}'`,
      ["sse"],
    ],
  ])("%s", (_, config, transports) => {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    const read = readMcpConfig(text);
    expect(read).toMatchObject({ transports, warnings: [] });
    for (const [index, input] of read.servers.entries()) {
      const transport = read.transports[index];
      expect(mcpConfig(input, { transport }).transport).toBe(transports[index] ?? "stdio");
    }
  });

  test("blocks of a README tells them apart", () => {
    const block = (type: string) => `~~~\n${JSON.stringify({ a: { type, ...events } })}\n~~~\n`;
    expect(readMcpConfig(block("sse"), { block: 1 }).transports).toEqual(["sse"]);
    expect(readMcpConfig(block("http") + block("sse"), { block: 2 }).transports).toEqual(["sse"]);
  });
});

const npx = { name: "files", command: "npx", args: ["-y", "files"] };

const TEXTS: [string, string, ValidMcpConfigInput[]][] = [
  [
    "the block of a README, fenced, with comments",
    '```json\n{\n  // servers\n  "mcpServers": {"files": {"command": "npx", "args": ["-y", "files"],}}\n}\n```',
    [npx],
  ],
  [
    "a README with one block with servers, which another client's block repeats",
    '# Files\n\n```sh\nnpx files\n```\n\n1. Add:\n   ~~~json\n   {"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}\n   ~~~\n\n```json\n{"servers": {"files": {"type": "stdio", "command": "npx", "args": ["-y", "files"]}}}\n```\n',
    [npx],
  ],
  [
    "a block without outer braces",
    '"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}',
    [npx],
  ],
  ["one entry with its name", '"files": {"command": "npx", "args": ["-y", "files"]}', [npx]],
  ["one entry alone", '{"command": "npx", "args": ["-y", "files"]}', [{ ...npx, name: "server" }]],
  [
    "one entry with its name, as our own input",
    '{"name": "files", "command": "npx", "args": ["-y", "files"]}',
    [npx],
  ],
  [
    "VS Code's settings with a dot",
    '{"mcp.servers": {"files": {"command": "npx", "args": ["-y", "files"]}}}',
    [npx],
  ],
  [
    "Amp's settings",
    '{"amp.mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}',
    [npx],
  ],
  ...[
    '[{"name": "files", "command": "npx", "args": ["-y", "files"]}]',
    '{"mcpServers": [{"name": "files", "command": "npx", "args": ["-y", "files"]}]}',
    '[[mcp_servers]]\nname = "files"\ncommand = "npx"\nargs = ["-y", "files"]\n',
  ].map((text): [string, string, ValidMcpConfigInput[]] => [
    `a list of servers, ${text}`,
    text,
    [npx],
  ]),
  [
    "Zed's settings beside others",
    '{"theme": "x", "context_servers": {"files": {"command": "npx", "args": ["-y", "files"]}}}',
    [npx],
  ],
  [
    "TOML with references",
    '[mcp_servers.gh]\nurl = "https://a.com/mcp"\nbearer_token_env_var = "GH"\nenv_http_headers = { X-A = "A" }\n',
    [
      {
        name: "gh",
        url: "https://a.com/mcp",
        headers: { "X-A": "${A}", Authorization: "Bearer ${GH}" },
      },
    ],
  ],
  [
    "TOML that passes variables on",
    '[mcp_servers.gh]\ncommand = "run"\nenv_vars = ["GH", { name = "B", source = "local" }]\n',
    [{ name: "gh", command: "run", env: { GH: "${GH}", B: "${B}" } }],
  ],
  [
    "references in other forms",
    '{"servers": {"a": {"url": "https://a/${env:K}", "headers": {"B": "${env:B}"}}, "b": {"type": "local", "command": ["x", "{env:C}"], "environment": {"N": 1}}}}',
    [
      { name: "a", url: "https://a/%24%7BK%7D", headers: { B: "${B}" } },
      { name: "b", command: "x", args: ["${C}"], env: { N: "1" } },
    ],
  ],
  [
    "a bridge of somebody else's",
    '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-remote@latest", "https://a/", "--header", "Authorization: Bearer ${T}"]}}}',
    [{ name: "a", url: "https://a/", headers: { Authorization: "Bearer ${T}" } }],
  ],
  [
    "a file that begins with comments",
    '\ufeff// Zed settings\n/* of { mine } */\n\n{"context_servers": {"files": {"command": "npx", "args": ["-y", "files"]}}}',
    [npx],
  ],
  [
    "the headers of a requestInit",
    '{"mcpServers": {"a": {"url": "https://a/", "requestInit": {"headers": {"Authorization": "Bearer ${T}"}}}}}',
    [{ name: "a", url: "https://a/", headers: { Authorization: "Bearer ${T}" } }],
  ],
];

describe("reads", () => {
  test.each(TEXTS)("%s", (_, text, servers) => {
    expect(readMcpConfig(text)).toMatchObject({ servers, left_out: [], warnings: [] });
  });

  test("a place to fill in a URL as a variable, and says so", () => {
    const text =
      '{"servers": {"a": {"url": "https://{owner}.x.test/{repo-name}/mcp?o={owner}&k=${K}"}}}';
    const { servers, warnings } = readMcpConfig(text);
    expect(servers).toEqual([
      {
        name: "a",
        url: "https://%24%7BOWNER%7D.x.test/%24%7BREPO_NAME%7D/mcp?o=%24%7BOWNER%7D&k=%24%7BK%7D",
      },
    ]);
    expect(warnings).toEqual([
      {
        code: "read-as",
        severity: "warning",
        path: "servers.a.url",
        message:
          "has places to fill: write your values for {owner}, {repo-name}, or set the variables OWNER, REPO_NAME",
      },
    ]);
  });

  test("a name that not every client takes under another", () => {
    const { servers, warnings } = readMcpConfig('{"mcpServers": {"Käse @ x/y": {"command": "a"}}}');
    expect(servers).toEqual([{ name: "Kase-x-y", command: "a" }]);
    expect(warnings).toMatchObject([{ code: "read-as", path: 'mcpServers["Käse @ x/y"]' }]);
  });

  const LONG = "x".repeat(70);
  test.each([
    ["two that would be the same", ["a.b", "a/b", "a b"], ["a-b", "a-b-2", "a-b-3"]],
    ["one that a later server has", ["a.b", "a-b"], ["a-b-2", "a-b"]],
    ["two without a usable character", ["日本", "中国"], ["server", "server-2"]],
    ["two that are too long", [LONG, `${LONG}y`], ["x".repeat(64), `${"x".repeat(62)}-2`]],
  ])("each server under a name of its own: %s", (_, names, wanted) => {
    const entries = names.map((name, index) => [name, { command: `run-${index}` }]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
    const { servers, warnings } = readMcpConfig(text);
    expect(servers).toEqual(wanted.map((name, index) => ({ name, command: `run-${index}` })));
    const renamed = wanted.filter((name) => !names.includes(name));
    expect(warnings.map(({ code, message }) => [code, message.split(" ").at(-1)])).toEqual(
      renamed.map((name) => ["read-as", name]),
    );
  });

  test("a key to fill in a URL as a variable of that server", () => {
    const servers = Object.fromEntries(
      ["a", "b"].map((name) => [name, { url: `https://${name}.test/{api_key}` }]),
    );
    expect(readMcpConfig(JSON.stringify({ servers })).servers.map(({ url }) => url)).toEqual([
      "https://a.test/%24%7BA_API_KEY%7D",
      "https://b.test/%24%7BB_API_KEY%7D",
    ]);
  });

  test("an entry without what one client alone knows, and says so", () => {
    const text =
      '{"mcpServers": {"a": {"command": "b", "disabled": true, "cwd": "$HOME", "timeout": 5}}}';
    const { servers, warnings } = readMcpConfig(text);
    expect(servers).toEqual([{ name: "a", command: "b" }]);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "left-out mcpServers.a.disabled",
      "left-out mcpServers.a.cwd",
      "left-out mcpServers.a.timeout",
    ]);
  });

  test.each<[string, unknown, string]>([
    ["disabled", true, "was left out: ws is disabled here and will start in other clients"],
    ["enabled", false, "was left out: ws is disabled here and will start in other clients"],
    ["disabled", "yes", "is a setting of one client and was left out"],
    ["enabled", 0, "is a setting of one client and was left out"],
    [
      "envFile",
      ".env",
      "was left out with the variables in that file: add those that the server needs to env",
    ],
  ])("says what it means that %s with %j is left out", (field, value, message) => {
    for (const server of [{ command: "b" }, { url: "https://b.example/mcp" }]) {
      const { warnings } = readMcpConfig(
        JSON.stringify({ mcpServers: { ws: { ...server, [field]: value } } }),
      );
      expect(warnings).toEqual([
        { code: "left-out", severity: "warning", path: `mcpServers.ws.${field}`, message },
      ]);
    }
  });

  test("the folder of a local server beside its input, for the clients that have one", () => {
    const written = (client: Client) => {
      const { servers, cwds } = readMcpConfig('{"a": {"command": "x", "cwd": "/srv"}}');
      const [input = { name: "" }] = servers;
      const result = mcpConfig(input, { clients: [client], cwd: cwds[0] });
      const { snippet, install } = configOf(result, client);
      const codes = result.warnings.map(({ code }) => code);
      return [readMcpConfig(snippet).cwds, Object.keys(install).length > 0, codes];
    };
    for (const client of ["codex", "vscode", "gemini-cli"] as const) {
      expect(written(client)).toEqual([["/srv"], false, []]);
    }
    expect(written("cursor")).toEqual([[undefined], true, ["left-out"]]);
  });

  test("an entry without what the other kind of server has, and says so", () => {
    const text = `{"mcpServers": {
      "a": {"command": "b", "headers": {"A": "b"}, "env": {}},
      "c": {"url": "https://x.com", "command": "", "args": ["d"], "env": {"A": "b"}}
    }}`;
    const { servers, warnings } = readMcpConfig(text);
    expect(servers).toEqual([
      { name: "a", command: "b" },
      { name: "c", url: "https://x.com" },
    ]);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "left-out mcpServers.a.headers",
      "left-out mcpServers.c.args",
      "left-out mcpServers.c.env",
    ]);
  });

  test("the servers on both levels of opencode, of which one may be named servers", () => {
    const both = `{"mcp": {
      "a": {"type": "local", "command": ["x"]},
      "servers": {"b": {"type": "local", "command": ["y"], "timeout": 5}}
    }}`;
    const { servers, left_out, warnings } = readMcpConfig(both);
    expect(servers).toEqual([
      { name: "a", command: "x" },
      { name: "b", command: "y" },
    ]);
    expect(left_out).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual(["mcp.servers.b.timeout"]);
    const named = '{"mcp": {"servers": {"type": "local", "command": ["x"]}}}';
    expect(readMcpConfig(named).servers).toEqual([{ name: "servers", command: "x" }]);
  });

  test("the servers of VS Code's settings without its inputs", () => {
    const text = '{"mcp": {"inputs": [], "servers": {"a": {"command": "x"}}}}';
    expect(readMcpConfig(text)).toMatchObject({
      servers: [{ name: "a", command: "x" }],
      left_out: [],
      warnings: [],
    });
  });

  test.each([
    ['{"mcpServers": {"a": {"command": "x"}, "b": []}}', "must be an object"],
    ['{"mcpServers": {"a": {"command": "x"}, "b": {}}}', "neither a command nor a url"],
    [
      '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "args": [{}]}}}',
      "args: must be a text",
    ],
    ['{"mcpServers": {"a": {"command": "x"}, "b": {"url": "ws://x y"}}}', "url: must be"],
    [
      '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "args": "z"}}}',
      "args: must be a list",
    ],
    ['{"mcpServers": {"a": {"command": "x"}, "b": {"url": "ftp://x/y"}}}', "url: must start with"],
  ])("the good entries of %s", (text, reason) => {
    const { servers, left_out, warnings } = readMcpConfig(text);
    expect(servers).toEqual([{ name: "a", command: "x" }]);
    expect(warnings).toMatchObject([{ code: "left-out", path: "mcpServers.b" }]);
    expect(left_out).toEqual([{ name: "b", reason: expect.stringContaining(reason) }]);
  });
});

describe("references of other clients", () => {
  /** The value of one variable in a file, and the warnings about it. */
  const valueIn = (rootKey: string, value: string, more: object = {}, file: object = {}) => {
    const entry = { command: "x", env: { A: value }, ...more };
    const { servers, warnings } = readMcpConfig(
      JSON.stringify({ [rootKey]: { a: entry }, ...file }),
    );
    return [
      servers[0]?.env?.A,
      warnings.filter(({ path }) => path.endsWith(".A")).map(({ code }) => String(code)),
    ];
  };
  const UNSURE = ["read-as"];

  test.each<[string, string, string, object, string, string[]]>([
    ["Cursor's", "mcpServers", "Bearer ${env:T}", {}, "Bearer ${T}", []],
    ["VS Code's", "servers", "${env:T}", {}, "${T}", []],
    ["opencode's", "mcp", "{env:T}", { type: "local" }, "${T}", []],
    ["opencode's in the file of another client", "mcpServers", "{env:T}", {}, "${T}", []],
    [
      "what may be Gemini's",
      "mcpServers",
      "Bearer $GITHUB_PAT",
      {},
      "Bearer ${GITHUB_PAT}",
      UNSURE,
    ],
    [
      "what may be Gemini's, within a text",
      "mcpServers",
      "a=$A_1,$B/c",
      {},
      "a=${A_1},${B}/c",
      UNSURE,
    ],
  ])("%s become ours", (_, rootKey, text, more, value, codes) => {
    expect(valueIn(rootKey, text, more)).toEqual([value, codes]);
  });

  test.each<[string, string, string]>([
    ["a dollar sign in a password", "mcpServers", "pa$word$1"],
    ["a dollar sign in a word", "mcpServers", "x$HOME @$HOME $$HOME $Home"],
    ["a folder of Windows", "mcpServers", "%APPDATA%\\x"],
    ["what VS Code does not replace", "servers", "$HOME"],
    ["what Zed does not replace", "context_servers", "$HOME"],
    ["the name of a client's own variable", "servers", "${workspaceFolder}"],
  ])("%s stays", (_, rootKey, text) => {
    expect(valueIn(rootKey, text)).toEqual([text, []]);
  });

  test("of a project of Claude Code are not those of Gemini", () => {
    const entry = { command: "x", env: { A: "$HOME" } };
    const text = JSON.stringify({ projects: { "/p": { mcpServers: { a: entry } } } });
    expect(readMcpConfig(text)).toEqual({
      servers: [{ name: "a", ...entry }],
      transports: ["stdio"],
      cwds: [undefined],
      left_out: [],
      warnings: [],
    });
  });

  test("for which VS Code asks get a name of a variable, each its own", () => {
    const args = [
      "${input:t}",
      "x${input:API_KEY}",
      "${input:api-token}",
      "${input:apiToken}",
      "${input:t}",
      "${input:path}",
      "${input:api-key}",
    ];
    const { servers, warnings } = readMcpConfig(
      JSON.stringify({ servers: { a: { command: "x", args } } }),
    );
    expect(servers[0]?.args).toEqual([
      "${T}",
      "x${API_KEY}",
      "${A_API_TOKEN}",
      "${A_API_TOKEN_2}",
      "${T}",
      "${A_PATH}",
      // Another file's server may ask for its own `api-key`: the variable is not the same.
      "${A_API_KEY}",
    ]);
    expect(warnings.map(({ path }) => path)).toEqual(
      [0, 2, 3, 4, 5, 6].map((index) => `servers.a.args[${index}]`),
    );
    expect(warnings[0]).toMatchObject({
      code: "read-as",
      message: "asks for t in VS Code, and was read as ${T}: set that variable",
    });
  });

  test("in a script stay with its shell, but for those that no shell knows", () => {
    const args = ["-c", "run $HOME ${A:-b} ${env:T}"];
    const { servers, warnings } = readMcpConfig(JSON.stringify({ command: "sh", args }));
    expect(servers[0]?.args).toEqual(["-c", "run $HOME ${A:-b} ${T}"]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, string, ValidMcpConfigInput, object[]]>([
    ["{env:URL}/mcp", "opencode", { name: "a", url: "${URL}/mcp" }, []],
    ["$URL/mcp", "mcpServers", { name: "a", url: "${URL}/mcp" }, [{ code: "read-as" }]],
    [
      "${API_BASE_URL:-https://a.example}/mcp",
      "mcpServers",
      { name: "a", url: "${API_BASE_URL:-https://a.example}/mcp" },
      [],
    ],
    [
      "http://localhost:${PORT}/${KEY}",
      "mcpServers",
      { name: "a", url: "http://localhost:${PORT}/${KEY}" },
      [],
    ],
    [
      "https://a.example/${input:key}",
      "servers",
      { name: "a", url: "https://a.example/%24%7BA_KEY%7D" },
      [{ code: "read-as" }],
    ],
    ["{base}/mcp", "servers", { name: "a", url: "${BASE}/mcp" }, [{ code: "read-as" }]],
  ])("in the URL %s of %s become ours", (url, key, input, codes) => {
    const { servers, warnings, left_out } = readMcpConfig(
      JSON.stringify({ [key === "opencode" ? "mcp" : key]: { a: { url } } }),
    );
    expect({ servers, left_out }).toEqual({ servers: [input], left_out: [] });
    expect(warnings).toMatchObject(codes);
  });

  test("become ours in the headers and the URL of somebody else's bridge", () => {
    const args = ["mcp-remote", "${env:URL}/mcp", "--header", "X_KEY:${K}"];
    const env = { K: "Bearer $GITHUB_PAT" };
    const { servers } = readMcpConfig(
      JSON.stringify({ mcpServers: { a: { command: "npx", args, env } } }),
    );
    expect(servers).toEqual([
      { name: "a", url: "${URL}/mcp", headers: { X_KEY: "Bearer ${GITHUB_PAT}" } },
    ]);
  });
});

describe("keeps a server", () => {
  const read = (entry: object) => {
    const { servers, left_out, warnings } = readMcpConfig(
      JSON.stringify({ mcpServers: { a: entry } }),
    );
    expect(left_out).toEqual([]);
    return {
      server: servers[0],
      said: warnings.map(({ code, path }) => `${code} ${path.slice("mcpServers.a.".length)}`),
    };
  };
  const remote = { name: "a", url: "https://a.example/mcp" };
  const local = { name: "a", command: "npx", args: ["-y", "b"] };
  const both = { url: remote.url, command: local.command, args: local.args };
  const noUrl = ["left-out url"];
  const noCommand = ["left-out command", "left-out args"];

  test.each<[string, object, object, string[]]>([
    [
      "with a header of Context7",
      { url: remote.url, headers: { CONTEXT7_API_KEY: "k" } },
      { ...remote, headers: { CONTEXT7_API_KEY: "k" } },
      [],
    ],
    [
      "with an empty URL beside a command",
      { type: "stdio", command: "npx", args: ["-y", "b"], url: "" },
      local,
      [],
    ],
    ["with an empty command beside a URL", { command: "", args: [], url: remote.url }, remote, []],
    [
      "with fields of null",
      { command: null, args: null, env: null, url: remote.url, headers: null },
      remote,
      [],
    ],
    ["with a type of stdio and both", { type: "stdio", ...both }, local, noUrl],
    ["with a type of http and both", { type: "http", ...both }, remote, noCommand],
    ["without a type and both", both, local, noUrl],
    [
      "with Gemini's URL and a command",
      { httpUrl: remote.url, command: "npx" },
      remote,
      ["left-out command"],
    ],
    ["with two URLs", { url: "https://b.example", httpUrl: remote.url }, remote, ["left-out url"]],
    ["with another client's type", { type: "streamable-http", url: remote.url }, remote, []],
    ["with switches that are on", { url: remote.url, enabled: true, disabled: false }, remote, []],
    [
      "with switches that are off",
      { url: remote.url, enabled: false, disabled: true },
      remote,
      ["left-out enabled", "left-out disabled"],
    ],
    [
      "with numbers and booleans",
      { command: "npx", args: ["-y", 1], env: { A: 1, B: true } },
      { name: "a", command: "npx", args: ["-y", "1"], env: { A: "1", B: "true" } },
      [],
    ],
    [
      "with a variable of null",
      { command: "npx", args: ["-y", "b"], env: { A: null } },
      local,
      ["left-out env.A"],
    ],
    [
      "with env and environment",
      { command: "npx", env: { A: "1" }, environment: { B: "2" } },
      { name: "a", command: "npx", env: { A: "1", B: "2" } },
      [],
    ],
    [
      "behind cmd, as it is",
      { command: "cmd", args: ["/c", "npx", "-y", "b"] },
      { name: "a", command: "cmd", args: ["/c", "npx", "-y", "b"] },
      [],
    ],
  ])("%s", (_, entry, server, said) =>
    expect(read(entry)).toEqual({ server, said } as ReturnType<typeof read>),
  );

  test.each<[string, object, string]>([
    ["with neither, in empty texts", { command: "", url: "" }, "has neither a command nor a url"],
    [
      "under other keys",
      { "httpUrl ": remote.url, headers: { A: "b" }, transport: { type: "http" } },
      'has neither a command nor a url, only "httpUrl ", "headers", "transport"',
    ],
    [
      "with a list of headers",
      { url: remote.url, headers: ["A: b"] },
      "headers: must be an object",
    ],
    ["with a text for env", { command: "npx", env: "A=b" }, "env: must be an object"],
    ["over WebSocket", { type: "ws", url: "https://a.example" }, "is reached over WebSocket"],
  ])("not %s, and says why", (_, entry, reason) => {
    const text = JSON.stringify({ mcpServers: { a: entry } });
    expect(readMcpConfig(text)).toMatchObject({
      servers: [],
      left_out: [{ name: "a", reason: expect.stringContaining(reason) }],
      warnings: [{ path: "mcpServers.a" }],
    });
  });
});

describe("the projects of Claude Code", () => {
  const docs = { command: "docs" };
  const file = (projects: object, mcpServers: object = {}) =>
    JSON.stringify({ mcpServers, projects });

  test("are read beside the user's servers, equal ones once", () => {
    const text = file(
      { "/w/app": { mcpServers: { docs, one: { command: "x" } }, history: [] }, "/w/empty": {} },
      { docs },
    );
    expect(readMcpConfig(text)).toEqual({
      servers: [
        { name: "docs", ...docs },
        { name: "one", command: "x" },
      ],
      transports: ["stdio", "stdio"],
      cwds: [undefined, undefined],
      left_out: [],
      warnings: [],
    });
  });
});

describe("a README with several blocks of different servers", () => {
  const block = (json: string) => `\`\`\`json\n${json}\n\`\`\`\n\n`;
  const a = '{"mcpServers": {"a": {"command": "x"}, "b": {}}}';
  const c = '{"servers": {"c": {"command": "y"}}}';
  const text = `# Title\n\n${block("{}")}${block(a)}${block(c)}${block(a)}`;

  test("is read only with the number of a block", () => {
    expect(() => readMcpConfig(text)).toThrow(
      "has 2 blocks with servers; choose one (--block N): 1 in line 8, a (x), b; 2 in line 12, c (y)",
    );
    expect(readMcpConfig(text, { block: 1 }).servers).toEqual([{ name: "a", command: "x" }]);
    expect(readMcpConfig(text, { block: 2 }).servers).toEqual([{ name: "c", command: "y" }]);
  });

  test("is listed without secrets", () => {
    const key = "sk-live-0123456789abcdef0123";
    const keyed = `{"mcpServers": {"a": {"command": "npx", "args": ["--api-key", "${key}", "x"]}}}`;
    expect(() => readMcpConfig(block(keyed) + block(c))).toThrow(
      "choose one (--block N): 1 in line 2, a (npx --api-key *** x); 2 in line 6, c (y)",
    );
  });

  test.each([0, 3, 1.5, Number.NaN])("has no block %p", (number) => {
    expect(() => readMcpConfig(text, { block: number })).toThrow(InvalidInputError);
  });

  test("and a config alone is its block 1", () => {
    expect(readMcpConfig(c, { block: 1 }).servers).toEqual([{ name: "c", command: "y" }]);
    expect(() => readMcpConfig(c, { block: 2 })).toThrow("has 1 block with servers");
  });
});

test.each(["command", "url", "type", "transport"])(
  "an object with a toString of its own is no %s",
  (field) => {
    const entry = { url: "https://x.test", [field]: { toString: "" } };
    const text = JSON.stringify({ mcp: { a: entry } });
    const { servers, left_out } = readMcpConfig(text);
    expect(servers.length + left_out.length).toBe(1);
  },
);

describe("the name __proto__ is not lost for", () => {
  test.each([
    ["a variable of a config", '{"a":{"command":"x","env":{"__proto__":"1"}}}', "env"],
    [
      "a variable that Codex passes on",
      '[mcp_servers.a]\ncommand = "x"\nenv_vars = ["__proto__"]\n',
      "env",
    ],
    ["a variable before a program", "claude mcp add a -e __proto__=1 -e B=2 -- npx x", "env"],
    ["a variable after a program", "claude mcp add a npx -e __proto__=1 x", "env"],
    [
      "a header of a config",
      '{"a":{"url":"https://x.test","headers":{"__proto__":"1"}}}',
      "headers",
    ],
    ["a header of a line", 'claude mcp add a https://x.test -H "__proto__: 1"', "headers"],
  ])("%s", (_, text, field) => {
    const { servers, left_out } = readMcpConfig(text);
    const told = [
      ...servers.map((server) => JSON.stringify(server)),
      ...left_out.map(({ reason }) => reason),
    ];
    expect(told.join()).toMatch(
      field === "env" ? /^env\.__proto__: must not/ : /"headers":\{"__proto__":"1"/,
    );
  });
});

describe("rejects", () => {
  test.each([
    ["", "is empty"],
    ["hello", "has no MCP server: give a client's config"],
    ['{"mcpServers": ', "is not JSON: expected a value (line 1, column 15)"],
    ['{"a":{"command":"C:\\Users"}}', "a backslash is written \\\\ (line 1, column 17)"],
    ["{\n “a”: {}}", "is not JSON: the quotes are curly, and must be straight (line 2, column 2)"],
    ['{"a":{"command":"x”}}\n', "is not JSON: the quotes are curly, and must be straight"],
    ["[Link](https://x.test) to\n\na page", "has no MCP server: give a client's config"],
    ['{"a":{"command":"x" "args":[]}}', "is not JSON: expected a comma (line 1, column 21)"],
    ['"a":{"command":"x" "args":[]}', "is not JSON: expected a comma (line 1, column 20)"],
    [
      '{"a":{"command":"x"}} {"b":{}}',
      "expected the end after the first value (line 1, column 23)",
    ],
    ["# A page\n\na = [\n\n```\nls\n```\n", "has no MCP server"],
    ["[a]\ncommand = npx\n", "is not TOML: invalid value (line 2, column 11)"],
    ['{"a": 1}', "has no servers"],
    ['{"mcpServers": {"a": {}, "a": {}}}', 'the key "a" is given twice'],
    ["[mcp_servers.a]\n[mcp_servers.a]\n", "(line 2, column 2)"],
    [`${"/**/ ".repeat(1000)}x`, "has no MCP server"],
  ])("%j", (text, message) => {
    expect(() => readMcpConfig(text)).toThrow(InvalidInputError);
    expect(() => readMcpConfig(text)).toThrow(message);
  });

  test("says why a server is left out, and where", () => {
    const reasons = (entry: object) =>
      readMcpConfig(JSON.stringify({ mcpServers: { a: entry } })).left_out.map(
        ({ reason }) => reason,
      );
    expect(reasons({ command: "x", env: { A: { b: 1 } } })).toEqual(["env.A: must be a text"]);
  });

  test("a text that is nested too deeply for the parsers", () => {
    const deep = `{"a": ${'{"a":'.repeat(200_000)}1${"}".repeat(200_001)}`;
    expect(() => readMcpConfig(deep)).toThrow(InvalidInputError);
  });
});
