import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigInput,
  type ValidMcpConfigInput,
} from "../../../../schemas/index.ts";
import type { Transport } from "../../../../schemas/mcp-config.ts";
import { createMcpConfig, InvalidInputError } from "../../../../src/index.ts";
import { parseMcpConfig } from "../../../../src/mcp-config/parse/parse-config.ts";
import { tries } from "../../../support/runs.ts";
import { configOf, localInput, remoteInput, withInputs } from "../support.ts";

const readText = (...args: Parameters<typeof parseMcpConfig>) =>
  withInputs(parseMcpConfig(...args));

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
    ["opencode", "kilo-code", "lm-studio", "qwen-code", "copilot-jetbrains", "windsurf"].includes(
      client,
    );

  test.each([...ALL_CLIENTS])("%s", (client) => {
    fc.assert(
      fc.property(inputs, ([input, transport]) => {
        const result = createMcpConfig(input, { clients: [client], transport });
        const { snippet, entry } = configOf(result, client);
        // Behind the bridge a reference in a header is a place to fill in.
        fc.pre(!(snippet.includes("mcp-remote") && JSON.stringify(input.headers)?.includes("${")));
        for (const text of [snippet, entry]) {
          const { servers, transports, left_out } = readText(text);
          expect(left_out).toEqual([]);
          expect(servers).toEqual([withoutEmpty(input) as ValidMcpConfigInput]);
          const read = transport === "sse" && isSilent(client) ? "http" : transport;
          expect(transports).toEqual([read]);
        }
      }),
      tries(25),
    );
  });
});

const events = { url: "https://x.example/events" };
const bridge = (mode: string) => ({
  command: "npx",
  args: ["mcp-remote", events.url, "--transport", mode],
});

describe("the transport of", () => {
  test.each<[string, object | string, Transport[]]>([
    ["an entry of the type sse", { type: "sse", ...events }, ["sse"]],
    ["one with a transport", { transport: "sse", ...events }, ["sse"]],
    ["one of Gemini's, whose httpUrl decides", { type: "sse", httpUrl: events.url }, ["http"]],
    ["one without a type, which clients read differently", events, ["http"]],
    ["a command", { type: "sse", command: "x" }, ["stdio"]],
    ["each server of a file", { a: { type: "sse", ...events }, b: events }, ["sse", "http"]],
    ["a bridge that tries both, which is none of them", bridge("sse-first"), ["stdio"]],
    ["a line of Claude Code", `claude mcp add -t sse a ${events.url}`, ["sse"]],
    ["a line of JSON", `claude mcp add-json a '{"type":"sse","url":"${events.url}"}'`, ["sse"]],
  ])("%s", (_, config, transports) => {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    const read = readText(text);
    expect(read).toMatchObject({ transports, warnings: [] });
    for (const [index, input] of read.servers.entries()) {
      const transport = read.transports[index];
      expect(createMcpConfig(input, { transport }).transport).toBe(transports[index] ?? "stdio");
    }
  });

  test("blocks of a README tells them apart", () => {
    const block = (type: string) => `~~~\n${JSON.stringify({ a: { type, ...events } })}\n~~~\n`;
    expect(readText(block("sse"), { block: 1 }).transports).toEqual(["sse"]);
    expect(readText(block("http") + block("sse"), { block: 2 }).transports).toEqual(["sse"]);
  });
});

const npx = { name: "files", command: "npx", args: ["-y", "files"] };
const FILES = '{"command": "npx", "args": ["-y", "files"]}';
const NAMED = '{"name": "files", "command": "npx", "args": ["-y", "files"]}';

/** Texts with one local server. */
const TEXTS: [string, string][] = [
  ["a fence, comments", `~~~\n{ // x\n"servers": {"files": ${FILES.replace("}", ",}")}}}\n~~~`],
  [
    "a README with one block with servers",
    `# F\n\n1. Add:\n   ~~~\n   {"mcpServers": {"files": ${FILES}}}\n   ~~~\n`,
  ],
  ["one entry with its name, as our own input", NAMED],
  ["a list of servers under a key", `{"mcpServers": [${NAMED}]}`],
  ["a list in TOML", '[[mcp_servers]]\nname = "files"\ncommand = "npx"\nargs = ["-y", "files"]\n'],
  ["comments before all", `\ufeff// mine\n/* of { mine } */\n{"servers": {"files": ${FILES}}}`],
];

const bearer = { name: "a", url: "https://a/", headers: { Authorization: "Bearer ${T}" } };

/** Texts with other servers. */
const SERVERS: [string, string, ValidMcpConfigInput[]][] = [
  ["one entry alone", FILES, [{ ...npx, name: "server" }]],
  [
    "TOML with references",
    '[mcp_servers.a]\nurl = "https://a/"\nbearer_token_env_var = "T"\nenv_http_headers = { X-A = "A" }\n',
    [{ ...bearer, headers: { "X-A": "${A}", ...bearer.headers } }],
  ],
  [
    "TOML that passes variables on",
    '[mcp_servers.gh]\ncommand = "run"\nenv_vars = ["GH", { name = "B", source = "local" }]\n',
    [{ name: "gh", command: "run", env: { GH: "${GH}", B: "${B}" } }],
  ],
  [
    "references in other forms",
    '{"mcp": {"b": {"type": "local", "command": ["x", "{env:C}"], "environment": {"N": 1}}}}',
    [{ name: "b", command: "x", args: ["${C}"], env: { N: "1" } }],
  ],
  [
    "a bridge of somebody else's",
    '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-remote@latest", "https://a/", "--header", "Authorization: Bearer ${T}"]}}}',
    [bearer],
  ],
];

/** A place and the kind of each finding. */
const saidOf = ({ warnings }: ReturnType<typeof readText>): string[] =>
  warnings.map(({ code, path }) => `${code} ${path}`);

describe("reads", () => {
  test.each(TEXTS)("%s", (_, text) => {
    expect(readText(text)).toMatchObject({ servers: [npx], left_out: [], warnings: [] });
  });

  test.each(SERVERS)("%s", (_, text, servers) => {
    expect(readText(text)).toMatchObject({ servers, left_out: [], warnings: [] });
  });

  test("a place to fill in a URL as a variable, and says so", () => {
    const text =
      '{"servers": {"a": {"url": "https://{owner}.x.test/{repo-name}/mcp?o={owner}&k=${K}"}}}';
    const { servers, warnings } = readText(text);
    expect(servers.map(({ url }) => url)).toEqual([
      "https://%24%7BOWNER%7D.x.test/%24%7BREPO_NAME%7D/mcp?o=%24%7BOWNER%7D&k=%24%7BK%7D",
    ]);
    const message = expect.stringContaining("or set the variables OWNER, REPO_NAME");
    const finding = {
      code: "read-as",
      severity: "warning",
      path: "servers.a.url",
      message,
    } as const;
    expect(warnings).toEqual([finding]);
  });

  test("a name that not every client takes under another", () => {
    const { servers, warnings } = readText('{"mcpServers": {"Käse @ x/y": {"command": "a"}}}');
    expect(servers).toEqual([{ name: "Kase-x-y", command: "a" }]);
    expect(warnings).toMatchObject([{ code: "read-as", path: 'mcpServers["Käse @ x/y"]' }]);
  });

  const LONG = "x".repeat(70);
  test.each([
    ["two that would be the same", ["a.b", "a/b", "a b"], ["a-b", "a-b-2", "a-b-3"]],
    ["two without a usable character", ["日本", "中国"], ["server", "server-2"]],
    ["two that are too long", [LONG, `${LONG}y`], ["x".repeat(64), `${"x".repeat(62)}-2`]],
  ])("each server under a name of its own: %s", (_, names, wanted) => {
    const entries = names.map((name, index) => [name, { command: `run-${index}` }]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
    const { servers, warnings } = readText(text);
    expect(servers).toEqual(wanted.map((name, index) => ({ name, command: `run-${index}` })));
    const renamed = wanted.filter((name) => !names.includes(name));
    expect(warnings.map(({ code, message }) => [code, message.split(" ").at(-1)])).toEqual(
      renamed.map((name) => ["read-as", name]),
    );
  });

  test.each<[string, unknown, string]>([
    ["enabled", false, "was skipped: ws is disabled here and will start in other clients"],
    ["disabled", "yes", "is a setting of one client and was skipped"],
    ["envFile", ".env", "was skipped with the variables in that file; add the variables"],
  ])("says what it means that %s with %j is left out", (field, value, message) => {
    for (const server of [{ command: "b" }, { url: "https://b.example/mcp" }]) {
      const text = JSON.stringify({ mcpServers: { ws: { ...server, [field]: value } } });
      const path = `mcpServers.ws.${field}`;
      const finding = { code: "left-out", severity: "warning", path };
      const { warnings } = readText(text);
      expect(warnings).toMatchObject([{ ...finding, message: expect.stringContaining(message) }]);
    }
  });

  test("the folder of a local server beside its input, for the clients that have one", () => {
    const written = (client: Client) => {
      const [server] = parseMcpConfig('{"a": {"command": "x", "cwd": "/srv"}}').servers;
      const { input = { name: "" }, cwd } = server ?? {};
      const result = createMcpConfig(input, { clients: [client], cwd });
      const { snippet, install } = configOf(result, client);
      const codes = result.warnings.map(({ code }) => code);
      return [parseMcpConfig(snippet).servers[0]?.cwd, Object.keys(install).length > 0, codes];
    };
    for (const client of ["codex", "vscode", "gemini-cli"] as const) {
      expect(written(client)).toEqual(["/srv", false, []]);
    }
    expect(written("cursor")).toEqual([undefined, true, ["left-out"]]);
  });

  test.each([
    ["[]", "must be an object"],
    ["{}", "must have a command or a url"],
    ['{"httpUrl ": "x", "headers": {"A": "b"}}', 'or a url, but has only "httpUrl ", "headers"'],
    ['{"command": "y", "args": [{}]}', "args: must be a string"],
    ['{"command": "y", "env": {"A": {"b": 1}}}', "env.A: must be a string"],
    ['{"url": "ftp://x/y"}', "url: must start with"],
    ['{"type": "ws", "url": "https://x.test"}', "uses WebSocket"],
  ])("the good entry beside %s, and says why it is alone", (entry, reason) => {
    const result = readText(`{"mcpServers": {"a": {"command": "x"}, "b": ${entry}}}`);
    expect(result.servers).toEqual([{ name: "a", command: "x" }]);
    expect(saidOf(result)).toEqual(["left-out mcpServers.b"]);
    expect(result.left_out).toEqual([{ name: "b", reason: expect.stringContaining(reason) }]);
  });
});

describe("references of other clients", () => {
  /** A variable as it is read in a file with this key, and the findings about it. */
  const valueIn = (rootKey: string, value: string) => {
    const entry = { type: "local", command: ["x"], environment: { A: value } };
    const result = readText(JSON.stringify({ [rootKey]: { a: entry } }));
    return [result.servers[0]?.env?.A, ...saidOf(result).filter((said) => said.endsWith(".A"))];
  };

  test.each<[string, string, string, string?, string?]>([
    ["VS Code's", "servers", "${env:T}", "${T}"],
    ["opencode's in the file of another client", "mcpServers", "{env:T}", "${T}"],
    ["what may be Gemini's", "mcpServers", "Bearer $GITHUB_PAT", "Bearer ${GITHUB_PAT}", "read-as"],
    ["not a dollar sign in a password", "mcpServers", "pa$word$1"],
    ["nor in a word", "mcpServers", "x$HOME @$HOME $$HOME $Home"],
    ["nor what VS Code does not replace", "servers", "$HOME"],
    ["nor the name of a client's own variable", "servers", "${workspaceFolder}"],
  ])("become ours: %s", (_, rootKey, text, value = text, code = undefined) => {
    const said = code ? [`${code} ${rootKey}.a.environment.A`] : [];
    expect(valueIn(rootKey, text)).toEqual([value, ...said]);
  });

  test("of a project of Claude Code are not those of Gemini", () => {
    const entry = { command: "x", env: { A: "$HOME" } };
    const text = JSON.stringify({ projects: { "/p": { mcpServers: { a: entry } } } });
    const servers = [{ name: "a", ...entry }];
    expect(readText(text)).toMatchObject({ servers, left_out: [], warnings: [] });
  });

  test("for which VS Code asks get a name of a variable, each its own", () => {
    const read = {
      "${input:t}": "${T}",
      "x${input:API_KEY}": "x${API_KEY}",
      "${input:api-token}": "${A_API_TOKEN}",
      "${input:apiToken}": "${A_API_TOKEN_2}",
      " ${input:t}": " ${T}",
      "${input:path}": "${A_PATH}",
      // Another file's server may ask for its own `api-key`: the variable is not the same.
      "${input:api-key}": "${A_API_KEY}",
    };
    const entry = { command: "x", args: Object.keys(read) };
    const { servers, warnings } = readText(JSON.stringify({ servers: { a: entry } }));
    expect(servers[0]?.args).toEqual(Object.values(read));
    expect(warnings.map(({ path }) => path)).toEqual(
      [0, 2, 3, 4, 5, 6].map((index) => `servers.a.args[${index}]`),
    );
    expect(warnings[0]).toMatchObject({
      code: "read-as",
      message: "prompts for t in VS Code; it was read as ${T}, so set that variable",
    });
  });

  test("in a script stay with its shell, but for those that no shell knows", () => {
    const args = ["-c", "run $HOME ${A:-b} ${env:T}"];
    const { servers, warnings } = readText(JSON.stringify({ command: "sh", args }));
    expect(servers[0]?.args).toEqual(["-c", "run $HOME ${A:-b} ${T}"]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, string, string, string?]>([
    ["$URL/mcp", "mcpServers", "${URL}/mcp", "read-as"],
    ["http://localhost:${PORT}/${KEY}", "mcpServers", "http://localhost:${PORT}/${KEY}"],
    ["https://a.example/${input:key}", "servers", "https://a.example/%24%7BA_KEY%7D", "read-as"],
    ["{base}/mcp", "servers", "${BASE}/mcp", "read-as"],
  ])("in the URL %s of %s become ours", (url, key, wanted, code = undefined) => {
    const { servers, warnings } = readText(JSON.stringify({ [key]: { a: { url } } }));
    expect(servers).toEqual([{ name: "a", url: wanted }]);
    expect<object[]>(warnings).toMatchObject(code ? [{ code }] : []);
  });

  test("become ours in the headers and the URL of somebody else's bridge", () => {
    const args = ["mcp-remote", "${env:URL}/mcp", "--header", "X_KEY:${K}"];
    const env = { K: "Bearer $GITHUB_PAT" };
    const { servers } = readText(
      JSON.stringify({ mcpServers: { a: { command: "npx", args, env } } }),
    );
    expect(servers).toEqual([
      { name: "a", url: "${URL}/mcp", headers: { X_KEY: "Bearer ${GITHUB_PAT}" } },
    ]);
  });
});

describe("keeps a server", () => {
  const remote = { name: "a", url: "https://a.example/mcp" };
  const local = { name: "a", command: "npx", args: ["-y", "b"] };
  const { url } = remote;
  const { name: _, ...start } = local;
  const both = { url, ...start };
  const headers = { CONTEXT7_API_KEY: "k" };

  test.each<[string, object, ValidMcpConfigInput, string?]>([
    ["with an empty URL beside a command", { type: "stdio", ...start, url: "" }, local],
    ["with fields of null", { command: null, args: null, env: null, url, headers: null }, remote],
    ["with a type of http and both", { type: "http", ...both }, remote, "command args"],
    ["without a type and both", both, local, "url"],
    ["with switches that are on", { url, enabled: true, disabled: false }, remote],
    ["with both switches off", { url, enabled: false, disabled: true }, remote, "enabled disabled"],
    ["with numbers", { command: "npx", args: ["-y", 1] }, { ...local, args: ["-y", "1"] }],
    ["with environment", { ...start, environment: { B: "2" } }, { ...local, env: { B: "2" } }],
    ["of Zed, with its old command", { command: { path: "npx", args: ["-y", "b"] } }, local],
    ["of Cline", { transport: { type: "http", url, headers } }, { ...remote, headers }],
    ["without a client's settings", { ...start, cwd: "$HOME", timeout: 5 }, local, "cwd timeout"],
    ["without env at a URL", { url, args: ["d"], env: { A: "b" } }, remote, "args env"],
  ])("%s", (_, entry, server, left = "") => {
    const result = readText(JSON.stringify({ mcpServers: { a: entry } }));
    const said = left.split(" ").map((field) => `left-out mcpServers.a.${field}`);
    expect([result.servers, result.left_out]).toEqual([[server], []]);
    expect(saidOf(result)).toEqual(left === "" ? [] : said);
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
    const servers = [
      { name: "docs", ...docs },
      { name: "one", command: "x" },
    ];
    expect(readText(text)).toMatchObject({ servers, left_out: [], warnings: [] });
  });
});

describe("a README with several blocks of different servers", () => {
  const block = (json: string) => `\`\`\`json\n${json}\n\`\`\`\n\n`;
  const a = '{"mcpServers": {"a": {"command": "x"}, "b": {}}}';
  const c = '{"servers": {"c": {"command": "y"}}}';
  const text = `# Title\n\n${block("{}")}${block(a)}${block(c)}${block(a)}`;

  test("is read only with the number of a block", () => {
    expect(() => readText(text)).toThrow(
      "contains 2 code blocks with servers; choose one with --block N: 1 in line 8, a (x), b; 2 in line 12, c (y)",
    );
    expect(readText(text, { block: 1 }).servers).toEqual([{ name: "a", command: "x" }]);
    expect(readText(text, { block: 2 }).servers).toEqual([{ name: "c", command: "y" }]);
  });

  test("is listed without secrets", () => {
    const key = "sk-live-0123456789abcdef0123";
    const keyed = `{"mcpServers": {"a": {"command": "npx", "args": ["--api-key", "${key}", "x"]}}}`;
    expect(() => readText(block(keyed) + block(c))).toThrow(
      "choose one with --block N: 1 in line 2, a (npx --api-key *** x); 2 in line 6, c (y)",
    );
  });

  test.each([0, 3, 1.5, Number.NaN])("has no block %p", (number) => {
    expect(() => readText(text, { block: number })).toThrow(InvalidInputError);
  });

  test("and a config alone is its block 1", () => {
    expect(readText(c, { block: 1 }).servers).toEqual([{ name: "c", command: "y" }]);
    expect(() => readText(c, { block: 2 })).toThrow("contains 1 code block with servers");
  });
});

describe("the name __proto__ is not lost for", () => {
  test.each([
    ["a variable of a config", '{"a":{"command":"x","env":{"__proto__":"1"}}}', "env"],
    ["a variable before a program", "claude mcp add a -e __proto__=1 -e B=2 -- npx x", "env"],
    ["a header of a line", 'claude mcp add a https://x.test -H "__proto__: 1"', "headers"],
  ])("%s", (_, text, field) => {
    const { servers, left_out } = readText(text);
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
    ["", "must not be empty"],
    ['{"mcpServers": ', "is not JSON: expected a value (line 1, column 15)"],
    ['{"a":{"command":"C:\\Users"}}', "write a backslash as \\\\ (line 1, column 17)"],
    ["{\n “a”: {}}", "is not JSON: use straight quotes, not curly ones (line 2, column 2)"],
    ["[Link](https://x.test) to\n\na page", "must contain an MCP server: a client's config"],
    ['{"a":{"command":"x" "args":[]}}', "is not JSON: expected a comma (line 1, column 21)"],
    ["[a]\ncommand = npx\n", "is not TOML: invalid value (line 2, column 11)"],
    ["[mcp_servers.a]\n[mcp_servers.a]\n", "(line 2, column 2)"],
    [`${"/**/ ".repeat(1000)}x`, "must contain an MCP server"],
  ])("%j", (text, message) => {
    expect(() => readText(text)).toThrow(InvalidInputError);
    expect(() => readText(text)).toThrow(message);
  });

  test("a text that is nested too deeply for the parsers", () => {
    const deep = `{"a": ${'{"a":'.repeat(200_000)}1${"}".repeat(200_001)}`;
    expect(() => readText(deep)).toThrow(InvalidInputError);
  });
});
