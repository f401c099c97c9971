import { expect } from "bun:test";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import type { ClientConfig, McpConfigInput, McpConfigResult } from "../../../schemas/index.ts";
import { referring, withReferences } from "./support.ts";

/** Every character that a reviewer could not see, but for the line feeds of the layout. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u;

const OTHER = { "other-one": { command: "x" } };

/** Every client reads the server back as it was given, alone and beside another one. */
export function expectMcpConfigPromises({ clients }: McpConfigResult, input: McpConfigInput): void {
  for (const config of clients) {
    const keys = ROOT_KEYS[config.client].split(".");
    const under = (servers: object) =>
      keys.reduceRight<object>((inner, key) => ({ [key]: inner }), servers);
    const server = { [input.name]: expected[config.client](input) };
    for (const parse of PARSERS[config.format]) {
      expect(parse(config.snippet)).toEqual(under(server));
      expect(parse(besideOther(config, keys))).toEqual(under({ ...OTHER, ...server }));
    }
    expect(config.snippet.endsWith("\n")).toBe(true);
    expect(config.snippet.replaceAll("\n", "")).not.toMatch(HIDDEN);
  }
}

const ROOT_KEYS: Record<ClientConfig["client"], string> = {
  "claude-desktop": "mcpServers",
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  vscode: "servers",
  codex: "mcp_servers",
  "copilot-cli": "mcpServers",
  opencode: "mcp.servers",
  "gemini-cli": "mcpServers",
  zed: "context_servers",
  "lm-studio": "mcpServers",
  kiro: "mcpServers",
  "qwen-code": "mcpServers",
  junie: "mcpServers",
  antigravity: "mcpServers",
};

/** The entry that each client's documentation asks for, written without the source. */
const expected: Record<ClientConfig["client"], (input: McpConfigInput) => object> = {
  "claude-desktop": (input) =>
    input.url === undefined ? local(input) : bridge(input.url, input.headers ?? {}),
  "claude-code": (input) => typed(input),
  cursor: (input) => typed(referring(input, (name) => `\${env:${name}}`)),
  vscode: (input) => typed(referring(input, (name) => `\${env:${name}}`)),
  codex: ({ headers = {}, url, ...input }) =>
    url === undefined
      ? local(input)
      : present({
          url,
          http_headers: Object.fromEntries(
            Object.entries(headers).filter(([, value]) => !WHOLE_REFERENCE.test(value)),
          ),
          env_http_headers: Object.fromEntries(
            Object.entries(headers)
              .filter(([, value]) => WHOLE_REFERENCE.test(value))
              .map(([name, value]) => [name, value.slice(2, -1)]),
          ),
        }),
  "copilot-cli": (input) => typed(input),
  opencode: (input) => opencode(referring(input, (name) => `{env:${name}}`)),
  "gemini-cli": (input) => typed(input),
  zed: (input) => untyped(input),
  "lm-studio": (input) => untyped(input),
  kiro: (input) => untyped(input),
  "qwen-code": ({ url, ...input }) =>
    url === undefined ? local(input) : present({ httpUrl: url, headers: input.headers }),
  junie: (input) => untyped(input),
  antigravity: ({ url, ...input }) =>
    url === undefined ? local(input) : present({ serverUrl: url, headers: input.headers }),
};

const WHOLE_REFERENCE = /^\$\{[A-Za-z_]\w*\}$/;

const untyped = (input: McpConfigInput) =>
  input.url === undefined ? local(input) : present({ url: input.url, headers: input.headers });

const opencode = ({ command, args = [], env, url, headers }: McpConfigInput) =>
  url === undefined
    ? { type: "local", command: [command, ...args], ...present({ environment: env }) }
    : { type: "remote", ...present({ url, headers }) };

const present = (fields: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && Object.keys(Object(value)).length > 0,
    ),
  );
const local = ({ command, args, env }: McpConfigInput) => present({ command, args, env });
const typed = (input: McpConfigInput) =>
  input.url === undefined
    ? { type: "stdio", ...local(input) }
    : { type: "http", ...present({ url: input.url, headers: input.headers }) };

function bridge(url: string, headers: Record<string, string>): object {
  const variable = (name: string) => `MCP_HEADER_${name.replaceAll("-", "_").toUpperCase()}`;
  const plain = /^http:\/\/(?!(localhost|127\.0\.0\.1)([:/?#]|$))/i.test(url);
  const args = ["-y", "mcp-remote@0.15.1", url];
  if (plain) args.push("--allow-http");
  for (const name of Object.keys(headers)) {
    args.push("--header", `${name}:\${${variable(name)}}`);
  }
  const env = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      variable(name),
      withReferences(value, (reference) => `<${reference}>`),
    ]),
  );
  return present({ command: "npx", args, env });
}

/** Of each format two readers that know nothing of one another. */
const PARSERS = {
  json: [JSON.parse, readJsonc],
  toml: [
    (text: string) => plainTree(parseToml(text)),
    (text: string) => getStaticTOMLValue(parseTOML(text, { tomlVersion: "1.0" })),
  ],
};

function readJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors);
  expect(errors).toEqual([]);
  return value;
}

/** smol-toml's tables have no prototype. */
const plainTree = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A file that already has another server, with the entry added where the user would add it. */
function besideOther({ format, entry }: ClientConfig, keys: readonly string[]): string {
  if (format === "toml") return `[${keys[0]}.other-one]\ncommand = "x"\n\n${entry}`;
  const servers = `{ "other-one": { "command": "x" },\n${entry}\n}`;
  return keys.reduceRight((inner, key) => `{ "${key}": ${inner} }`, servers);
}
