import { expect } from "bun:test";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import type { ClientConfig, McpConfigInput, McpConfigResult } from "../../../schemas/index.ts";
import type { Transport } from "../../../schemas/mcp-config.ts";
import { referring, withReferences, withUrl } from "./support.ts";

/** Every character that a reviewer could not see, but for the line feeds of the layout. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u;

const OTHER = { "other-one": { command: "x" } };

/** Every client reads the server back as it was given, alone and beside another one. */
export function expectMcpConfigPromises({ clients }: McpConfigResult, given: McpConfigInput): void {
  // A URL's scheme is written in lower case.
  const url = given.url?.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  const input = { ...given, ...(url !== undefined && { url }) };
  for (const config of clients) {
    const { keys = ["mcpServers"], entry } = CLIENT_CASES[config.client];
    const under = (servers: object) =>
      keys.reduceRight<object>((inner, key) => ({ [key]: inner }), servers);
    const server = { [input.name]: entry(input, input.url === undefined ? "stdio" : "http") };
    for (const parse of PARSERS[config.format]) {
      expect(parse(config.snippet)).toEqual(under(server));
      expect(parse(besideOther(config, keys))).toEqual(under({ ...OTHER, ...server }));
    }
    expect(config.snippet.endsWith("\n")).toBe(true);
    expect(config.snippet.replaceAll("\n", "")).not.toMatch(HIDDEN);
  }
}

interface ClientCase {
  /** The keys that lead to the servers, if they are others than `mcpServers`. */
  readonly keys?: readonly string[];
  /** The entry that the client's documentation asks for, written without the source. */
  readonly entry: (input: McpConfigInput, transport: Transport) => object;
  /** The fields in which the client sends a reference as text. */
  readonly keeps: readonly ("args" | "env" | "url" | "headers")[];
}

const EVERYWHERE = ["args", "env", "url", "headers"] as const;

export const CLIENT_CASES: Readonly<Record<ClientConfig["client"], ClientCase>> = {
  "claude-desktop": {
    entry: (input, transport) => (input.url ? bridge(input, transport) : local(input)),
    keeps: EVERYWHERE,
  },
  "claude-code": {
    entry: (input, type) => ({ type, ...untyped(withUrl(input, inBraces)) }),
    keeps: [],
  },
  cursor: { entry: (input, type) => ({ type, ...untyped(referring(input, inEnv)) }), keeps: [] },
  vscode: {
    keys: ["servers"],
    entry: (input, type) => ({ type, ...untyped(referring(input, inEnv)) }),
    keeps: [],
  },
  codex: {
    keys: ["mcp_servers"],
    entry: (input, transport) =>
      transport === "sse" ? bridge(input, transport) : input.url ? codexHttp(input) : codex(input),
    keeps: ["args", "url"],
  },
  "copilot-cli": { entry: (input, type) => ({ type, ...untyped(input) }), keeps: ["url"] },
  opencode: {
    keys: ["mcp"],
    entry: (input) => opencode(referring(input, (name) => `{env:${name}}`)),
    keeps: [],
  },
  "gemini-cli": {
    entry: (input, type) => ({ type, ...untyped(withUrl(input, inBraces)) }),
    keeps: [],
  },
  zed: {
    keys: ["context_servers"],
    entry: (input, transport) => (transport === "sse" ? bridge(input, transport) : untyped(input)),
    keeps: EVERYWHERE,
  },
  "lm-studio": { entry: untyped, keeps: EVERYWHERE },
  kiro: {
    entry: (input, transport) => (transport === "sse" ? bridge(input, transport) : untyped(input)),
    keeps: ["args", "url"],
  },
  "qwen-code": {
    entry(input, transport) {
      const { url, headers, ...others } = withUrl(input, inBraces);
      if (url === undefined) return local(others);
      return transport === "sse" ? present({ url, headers }) : present({ httpUrl: url, headers });
    },
    keeps: [],
  },
  junie: {
    entry: (input, transport) => (transport === "sse" ? bridge(input, transport) : untyped(input)),
    keeps: EVERYWHERE,
  },
  antigravity: {
    entry: (input, transport) =>
      transport === "sse" ? bridge(input, transport) : serverUrl(input),
    keeps: EVERYWHERE,
  },
  "copilot-jetbrains": {
    keys: ["servers"],
    entry: ({ url, headers, ...input }) =>
      url === undefined
        ? local(input)
        : present({ url, requestInit: headers && present({ headers }) }),
    keeps: EVERYWHERE,
  },
  cline: {
    entry: (input, transport) => ({
      ...untyped(input),
      ...(transport !== "stdio" && { type: transport === "sse" ? "sse" : "streamableHttp" }),
    }),
    keeps: EVERYWHERE,
  },
  windsurf: { entry: (input) => serverUrl(referring(input, inEnv)), keeps: [] },
  devin: {
    entry: (input, transport) => ({
      ...(transport !== "stdio" && { transport }),
      ...untyped(referring(input, inEnv)),
    }),
    keeps: [],
  },
  "kilo-code": {
    keys: ["mcp"],
    entry: (input) => opencode(referring(input, (name) => `{env:${name}}`)),
    keeps: [],
  },
};

const WHOLE_REFERENCE = /^\$\{([A-Za-z_]\w*)\}$/;

const inBraces = (name: string) => `\${${name}}`;
const inEnv = (name: string) => `\${env:${name}}`;

const present = (fields: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && Object.keys(Object(value)).length > 0,
    ),
  );

const local = ({ command, args, env }: McpConfigInput) => present({ command, args, env });

function untyped(input: McpConfigInput): object {
  const { url, headers } = input;
  return url === undefined ? local(input) : present({ url, headers });
}

const serverUrl = ({ url, headers, ...input }: McpConfigInput) =>
  url === undefined ? local(input) : present({ serverUrl: url, headers });

const opencode = ({ command, args = [], env, url, headers }: McpConfigInput) =>
  url === undefined
    ? { type: "local", command: [command, ...args], ...present({ environment: env }) }
    : { type: "remote", ...present({ url, headers }) };

function codex({ command, args, env = {} }: McpConfigInput): object {
  const isPassedOn = ([name, value]: [string, string]) => value === inBraces(name);
  const variables = Object.entries(env);
  return present({
    command,
    args,
    env_vars: variables.filter(isPassedOn).map(([name]) => name),
    env: Object.fromEntries(variables.filter((variable) => !isPassedOn(variable))),
  });
}

function codexHttp({ url, headers = {} }: McpConfigInput): object {
  const { Authorization = "", ...others } = headers;
  const [, bearer] = /^Bearer \$\{(\w+)\}$/.exec(Authorization) ?? [];
  const all = Object.entries(bearer === undefined ? headers : others);
  return present({
    url,
    ...(bearer && { bearer_token_env_var: bearer }),
    http_headers: Object.fromEntries(all.filter(([, value]) => !WHOLE_REFERENCE.test(value))),
    env_http_headers: Object.fromEntries(
      all.flatMap(([name, value]) => {
        const [, variable] = WHOLE_REFERENCE.exec(value) ?? [];
        return variable === undefined ? [] : [[name, variable]];
      }),
    ),
  });
}

/** mcp-remote's own options. */
function bridge({ url = "", headers = {} }: McpConfigInput, transport: Transport): object {
  const variable = (name: string) => `MCP_HEADER_${name.replaceAll("-", "_").toUpperCase()}`;
  const isPlain = /^http:\/\/(?!(localhost|127\.0\.0\.1)([:/?#]|$))/i.test(url);
  const args = [
    ...["-y", "mcp-remote@0.15.1", url],
    ...(transport === "sse" ? ["--transport", "sse-only"] : []),
    ...(isPlain ? ["--allow-http"] : []),
    ...Object.keys(headers).flatMap((name) => ["--header", `${name}:\${${variable(name)}}`]),
  ];
  const values = Object.entries(headers).map(([name, value]) => [
    variable(name),
    withReferences(value, (name) => `<${name}>`),
  ]);
  return present({ command: "npx", args, env: Object.fromEntries(values) });
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
