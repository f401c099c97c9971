import { expect, test } from "bun:test";
import { parse } from "smol-toml";
import { ALL_CLIENTS, type Client } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { configOf } from "./support.ts";

const url = "https://x.example/events";
const server = { name: "ev", url, headers: { Authorization: "Bearer ${API_TOKEN}" } };
const headers = server.headers;
const result = mcpConfig(server, { clients: ALL_CLIENTS, transport: "sse" });

/** mcp-remote's own options for a server without Streamable HTTP, and for a header. */
const bridge = {
  command: "npx",
  args: [
    ...["-y", "mcp-remote@0.15.1", url, "--transport", "sse-only"],
    ...["--header", "Authorization:${MCP_HEADER_AUTHORIZATION}"],
  ],
  env: { MCP_HEADER_AUTHORIZATION: "Bearer <API_TOKEN>" },
};
const typed = { type: "sse", url, headers };
const inEnv = { Authorization: "Bearer ${env:API_TOKEN}" };
const header = "--header 'Authorization: Bearer ${API_TOKEN}'";

/** The entry that a client's documentation, or its own command, gives for an SSE server, and that command. */
const ENTRIES: Record<Client, [entry: object, bash?: string]> = {
  "claude-desktop": [bridge],
  "claude-code": [
    typed,
    `claude mcp add --scope=user --transport=sse '--header=Authorization: Bearer \${API_TOKEN}' -- ev ${url}`,
  ],
  cursor: [{ ...typed, headers: inEnv }],
  vscode: [
    { ...typed, headers: inEnv },
    `code --add-mcp '{"name":"ev","type":"sse","url":"${url}","headers":{"Authorization":"Bearer \${env:API_TOKEN}"}}'`,
  ],
  codex: [bridge],
  "copilot-cli": [typed, `copilot mcp add --transport sse ${header} ev ${url}`],
  opencode: [
    { type: "remote", url, headers: { Authorization: "Bearer {env:API_TOKEN}" } },
    `opencode mcp add --global ev --url ${url} --header 'Authorization=Bearer {env:API_TOKEN}'`,
  ],
  "gemini-cli": [
    typed,
    `gemini mcp add -s user -t sse ${header.replace("--header", "-H")} ev ${url}`,
  ],
  zed: [bridge],
  "lm-studio": [{ url, headers }],
  // It replaces variables in env.
  kiro: [{ ...bridge, env: { MCP_HEADER_AUTHORIZATION: "Bearer ${API_TOKEN}" } }],
  "qwen-code": [{ url, headers }],
  junie: [bridge],
  antigravity: [bridge],
};

test("the result says that the server speaks SSE", () => expect(result.transport).toBe("sse"));

test.each([...ALL_CLIENTS])("an SSE server for %s", (client) => {
  const { snippet, format, install } = configOf(result, client);
  const [root] = Object.values<Record<string, object>>(
    format === "toml" ? parse(snippet) : JSON.parse(snippet),
  );
  const servers = client === "opencode" ? root?.servers : root;
  const [entry, bash] = ENTRIES[client];
  expect(JSON.parse(JSON.stringify(servers))).toEqual({ ev: entry });
  expect(install.bash).toBe(bash);
});

test("a client that does not speak SSE says so, and that it starts a bridge", () => {
  const paths = (["codex", "zed", "kiro", "junie", "antigravity"] as const).map(
    (client) => `clients[${ALL_CLIENTS.indexOf(client)}]`,
  );
  const warnings = result.warnings.filter(({ code }) => code === "sse-url");
  expect(warnings.map(({ path }) => path)).toEqual(paths);
  for (const { message } of warnings) {
    expect(message).toMatch(/ does not speak SSE, so the entry starts the bridge mcp-remote/);
  }
});

test("a client that finds out itself says how", () => {
  const falling = result.clients.filter(({ notes }) =>
    notes.some((note) => /and SSE when/.test(note)),
  );
  expect(falling.map(({ client }) => client)).toEqual(["opencode", "lm-studio"]);
});

test("links have the type", () => {
  const { clients } = mcpConfig({ name: "ev", url }, { transport: "sse" });
  const [, config = ""] = /config=(.*)$/.exec(clients[2]?.install.link ?? "") ?? [];
  expect(JSON.parse(atob(decodeURIComponent(config)))).toEqual({ type: "sse", url });
  expect(clients[3]?.install.link).toContain(encodeURIComponent('"type":"sse"'));
});

test("a reference is warned about where no bridge replaces it", () => {
  const input = { ...server, headers: { "X-A": "a ${A} b" } };
  const { warnings } = mcpConfig(input, { clients: ["codex", "zed", "kiro"], transport: "sse" });
  const literal = warnings.filter(({ code }) => code === "reference-as-text");
  // Kiro replaces it in the environment, where the bridge reads it.
  expect(literal).toEqual([
    expect.objectContaining({
      path: 'headers["X-A"]',
      message: expect.stringMatching(/ in Codex and Zed;/),
    }),
  ]);
});
