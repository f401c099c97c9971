import { expect, test } from "bun:test";
import { parse } from "smol-toml";
import { ALL_CLIENTS, type Client } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { CLIENT_CASES } from "./promises.ts";
import { configOf } from "./support.ts";

const url = "https://x.example/events";
const server = { name: "ev", url, headers: { Authorization: "Bearer ${API_TOKEN}" } };
const result = createMcpConfig(server, { clients: ALL_CLIENTS, transport: "sse" });

const header = "--header 'Authorization: Bearer ${API_TOKEN}'";

/** The lines of clients whose command has the transport. */
const LINES: Partial<Record<Client, string>> = {
  "claude-code": `claude mcp add --scope=user --transport=sse '--header=Authorization: Bearer \${API_TOKEN}' -- ev ${url}`,
  vscode: `code --add-mcp '{"name":"ev","type":"sse","url":"${url}","headers":{"Authorization":"Bearer \${env:API_TOKEN}"}}'`,
  "copilot-cli": `copilot mcp add --transport sse ${header} ev ${url}`,
  opencode: `opencode mcp add ev --url ${url} --header 'Authorization=Bearer {env:API_TOKEN}'`,
  "gemini-cli": `gemini mcp add -s user -t sse ${header.replace("--header", "-H")} ev ${url}`,
  "qwen-code": `qwen mcp add -s user -t sse ${header.replace("--header", "-H")} ev ${url}`,
  cline: `cline mcp add ev --yes --transport sse ${header} ${url}`,
  "kilo-code": `kilo mcp add ev --url ${url} --header 'Authorization=Bearer {env:API_TOKEN}'`,
};

test.each([...ALL_CLIENTS])("an SSE server for %s", (client) => {
  const { snippet, format, install } = configOf(result, client);
  const [root] = Object.values<Record<string, object>>(
    format === "toml" ? parse(snippet) : JSON.parse(snippet),
  );
  const entry = CLIENT_CASES[client].entry(server, "sse");
  expect(JSON.parse(JSON.stringify(root))).toEqual({ ev: entry });
  expect(install.bash).toBe(LINES[client]);
});

test("a client that does not support SSE says so, and that it starts a bridge", () => {
  const paths = (["codex", "zed", "kiro", "junie", "antigravity"] as const).map(
    (client) => `clients[${ALL_CLIENTS.indexOf(client)}]`,
  );
  const warnings = result.warnings.filter(({ code }) => code === "sse-transport");
  expect(warnings.map(({ path }) => path)).toEqual(paths);
  for (const { message } of warnings) {
    expect(message).toMatch(/ does not support SSE, so the entry starts the bridge mcp-remote/);
  }
});

test("a reference is warned about, which no bridge gets", () => {
  const input = { ...server, headers: { "X-A": "a ${A} b" } };
  const { warnings } = createMcpConfig(input, {
    clients: ["codex", "zed", "kiro"],
    transport: "sse",
  });
  const literal = warnings.filter(({ code }) => code === "unsupported-reference");
  expect(literal).toEqual([
    expect.objectContaining({
      path: 'headers["X-A"]',
      message: expect.stringMatching(/ which Codex, Zed and Kiro cannot replace;/),
    }),
  ]);
});
