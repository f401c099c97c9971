import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import type { ClientConfig, McpConfigInput } from "../../schemas/index.ts";
import { mcpConfig } from "../../src/index.ts";
import { localInput, remoteInput } from "./hostile.ts";

/** What each client's documentation wants for a server, spelled out without the source. */
const expected: Record<ClientConfig["client"], (input: McpConfigInput) => object> = {
  "claude-desktop": (input) =>
    input.url === undefined ? local(input) : bridge(input.url, input.headers ?? {}),
  "claude-code": (input) => typed(input),
  cursor: (input) => typed(input),
  vscode: (input) => typed(input),
  codex: ({ headers = {}, url, ...input }) =>
    url === undefined ? local(input) : present({ url, http_headers: headers }),
};

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
  for (const name of Object.keys(headers)) args.push("--header", `${name}:\${${variable(name)}}`);
  const env = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [variable(name), value]),
  );
  return present({ command: "npx", args, env });
}

function readJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors);
  expect(errors).toEqual([]);
  return value;
}

const parsers = {
  json: [JSON.parse, readJsonc],
  toml: [
    (text: string) => plainTree(parseToml(text)),
    (text: string) => getStaticTOMLValue(parseTOML(text, { tomlVersion: "1.0" })),
  ],
};

/** smol-toml's tables have no prototype. */
const plainTree = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const ROOT_KEYS = {
  "claude-desktop": "mcpServers",
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  vscode: "servers",
  codex: "mcp_servers",
} as const;

/** A file that already has another server, with the entry added where the user would add it. */
const besideOther = ({ format, entry }: ClientConfig, root: string): string =>
  format === "json"
    ? `{ "${root}": { "other-one": { "command": "x" },\n${entry}\n} }`
    : `[${root}.other-one]\ncommand = "x"\n\n${entry}`;

/** Every character that a reviewer could not see, but for the line feeds of the layout. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u;

for (const [kind, inputs] of Object.entries({ local: localInput, remote: remoteInput })) {
  test(`every client reads a hostile ${kind} server back as it was given`, () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const result = mcpConfig(input);
        for (const config of result.clients) {
          const root = ROOT_KEYS[config.client];
          const entry = expected[config.client](input);
          const other = { "other-one": { command: "x" } };
          for (const parse of parsers[config.format]) {
            expect(parse(config.snippet)).toEqual({ [root]: { [input.name]: entry } });
            expect(parse(besideOther(config, root))).toEqual({
              [root]: { ...other, [input.name]: entry },
            });
          }
          expect(config.snippet.endsWith("\n")).toBe(true);
          expect(config.snippet.replaceAll("\n", "")).not.toMatch(HIDDEN);
        }
      }),
      { numRuns: 3000 },
    );
  });
}
