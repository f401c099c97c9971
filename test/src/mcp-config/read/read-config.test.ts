import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigInput,
  type ValidMcpConfigInput,
} from "../../../../schemas/index.ts";
import type { Transport } from "../../../../schemas/inputs/mcp-config.ts";
import { InvalidInputError, mcpConfig } from "../../../../src/index.ts";
import { readMcpConfig } from "../../../../src/mcp-config/read/read-config.ts";
import { tries } from "../../../support/runs.ts";
import { configOf, localInput, remoteInput } from "../support.ts";

describe("reads back what is written for", () => {
  /** Texts that one client's file cannot tell from a reference of its own. */
  const isTelling = (input: McpConfigInput) => !JSON.stringify(input).includes("{env:");
  const withoutEmpty = (input: McpConfigInput) =>
    Object.fromEntries(
      Object.entries(input).filter(([, value]) => Object.keys(Object(value)).length > 0),
    );
  const local = fc.tuple(localInput, fc.constant("stdio" as const));
  const remote = fc.tuple(remoteInput, fc.constantFrom("http", "sse"));
  const inputs = fc.oneof(local, remote).filter(([input]) => isTelling(input));
  /** Their files have a URL and do not say of which transport. */
  const isSilent = (client: Client) => ["opencode", "lm-studio", "qwen-code"].includes(client);

  test.each([...ALL_CLIENTS])("%s", (client) => {
    fc.assert(
      fc.property(inputs, ([input, transport]) => {
        const result = mcpConfig(input, { clients: [client], transport });
        const { snippet, entry } = configOf(result, client);
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
    ["one with a transport", { transport: "sse", ...events }, ["sse"]],
    ["one of Cline's with a transportType", { transportType: "sse", ...events }, ["sse"]],
    ["one of Windsurf's", { type: "sse", serverUrl: events.url }, ["sse"]],
    ["one of which the type decides", { type: "http", transport: "sse", ...events }, ["http"]],
    ["one of Gemini's, whose httpUrl decides", { type: "sse", httpUrl: events.url }, ["http"]],
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
    "VS Code's settings",
    '{"mcp": {"servers": {"files": {"command": "npx", "args": ["-y", "files"]}}}}',
    [npx],
  ],
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
    "a block that begins with a comment, without outer braces",
    '// .cursor/mcp.json\n"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}',
    [npx],
  ],
  [
    "a comment before the block of a README",
    '# Files\n\n```jsonc\n// settings.json\n{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}\n```\n',
    [npx],
  ],
  [
    "the older form of Zed",
    '{"context_servers": {"files": {"command": {"path": "npx", "args": ["-y", "files"], "env": {"A": "b"}}, "settings": {}}}}',
    [{ ...npx, env: { A: "b" } }],
  ],
  [
    "the headers of a requestInit",
    '{"mcpServers": {"a": {"url": "https://a/", "requestInit": {"headers": {"Authorization": "Bearer ${T}"}}}}}',
    [{ name: "a", url: "https://a/", headers: { Authorization: "Bearer ${T}" } }],
  ],
  [
    "an older remote key",
    '{"mcpServers": {"a": {"serverUrl": "https://a/"}}}',
    [{ name: "a", url: "https://a/" }],
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
        code: "url-placeholder",
        severity: "warning",
        path: "servers.a.url",
        message:
          "has places to fill: write your values for {owner}, {repo-name}, or set the variables OWNER, REPO_NAME",
      },
    ]);
  });

  test("one entry with a name that is not a text as a server without one", () => {
    const { servers, warnings } = readMcpConfig('{"name": 1, "command": "a"}');
    expect(servers).toEqual([{ name: "server", command: "a" }]);
    expect(warnings).toMatchObject([{ code: "field-left-out", path: "server.name" }]);
  });

  test("a name that not every client takes under another", () => {
    const { servers, warnings } = readMcpConfig('{"mcpServers": {"Käse @ x/y": {"command": "a"}}}');
    expect(servers).toEqual([{ name: "Kase-x-y", command: "a" }]);
    expect(warnings).toMatchObject([{ code: "name-changed", path: 'mcpServers["Käse @ x/y"]' }]);
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
      renamed.map((name) => ["name-changed", name]),
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
    const text = '{"mcpServers": {"a": {"command": "b", "disabled": true, "cwd": "/"}}}';
    const { servers, warnings } = readMcpConfig(text);
    expect(servers).toEqual([{ name: "a", command: "b" }]);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "field-left-out mcpServers.a.disabled",
      "field-left-out mcpServers.a.cwd",
    ]);
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
      "field-left-out mcpServers.a.headers",
      "field-left-out mcpServers.c.args",
      "field-left-out mcpServers.c.env",
    ]);
  });

  test("the servers on both levels of opencode, of which one may be named servers", () => {
    const both = `{"mcp": {
      "a": {"type": "local", "command": ["x"]},
      "servers": {"b": {"type": "local", "command": ["y"], "cwd": "/"}}
    }}`;
    const { servers, left_out, warnings } = readMcpConfig(both);
    expect(servers).toEqual([
      { name: "a", command: "x" },
      { name: "b", command: "y" },
    ]);
    expect(left_out).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual(["mcp.servers.b.cwd"]);
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
    expect(warnings).toMatchObject([{ code: "server-left-out", path: "mcpServers.b" }]);
    expect(left_out).toEqual([{ name: "b", reason: expect.stringContaining(reason) }]);
  });
});

describe("a README with several blocks of different servers", () => {
  const block = (json: string) => `\`\`\`json\n${json}\n\`\`\`\n\n`;
  const a = '{"mcpServers": {"a": {"command": "x"}, "b": {}}}';
  const c = '{"servers": {"c": {"command": "y"}}}';
  const text = `# Title\n\n${block("{}")}${block(a)}${block(c)}${block(a)}`;

  test("is read only with the number of a block", () => {
    expect(() => readMcpConfig(text)).toThrow(
      "has 2 blocks with servers; choose one (--block N): 1 with a, b (line 8); 2 with c (line 12)",
    );
    expect(readMcpConfig(text, { block: 1 }).servers).toEqual([{ name: "a", command: "x" }]);
    expect(readMcpConfig(text, { block: 2 }).servers).toEqual([{ name: "c", command: "y" }]);
  });

  test.each([0, 3, 1.5, Number.NaN])("has no block %p", (number) => {
    expect(() => readMcpConfig(text, { block: number })).toThrow(InvalidInputError);
  });

  test("and a config alone is its block 1", () => {
    expect(readMcpConfig(c, { block: 1 }).servers).toEqual([{ name: "c", command: "y" }]);
    expect(() => readMcpConfig(c, { block: 2 })).toThrow("has 1 block with servers");
  });
});

describe("rejects", () => {
  test.each([
    ["", "is empty"],
    ["hello", "is not a config that the client can read"],
    ['{"mcpServers": ', "(line 1)"],
    ['{"a": 1}', "has no servers"],
    ['{"mcpServers": {"a": {}, "a": {}}}', 'the key "a" is given twice'],
    ["[mcp_servers.a]\n[mcp_servers.a]\n", "(line 2)"],
    [`${"/**/ ".repeat(1000)}x`, "(line 1)"],
  ])("%j", (text, message) => {
    expect(() => readMcpConfig(text)).toThrow(InvalidInputError);
    expect(() => readMcpConfig(text)).toThrow(message);
  });

  test("a text that is nested too deeply for the parsers", () => {
    const deep = `{"a": ${'{"a":'.repeat(200_000)}1${"}".repeat(200_001)}`;
    expect(() => readMcpConfig(deep)).toThrow(InvalidInputError);
  });
});
