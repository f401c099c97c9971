import { describe, expect, test } from "bun:test";
import { parse as parseToml } from "smol-toml";
import {
  ALL_CLIENTS,
  type Client,
  type ClientConfig,
  type McpConfigInput,
  type McpConfigResult,
} from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { CLIENT_CASES } from "./promises.ts";
import { configOf } from "./support.ts";

const config = (input: McpConfigInput, client: Client) =>
  configOf(createMcpConfig(input, { clients: [client] }), client);

/** The server in the client's file. */
const entry = (input: McpConfigInput, client: Client): unknown =>
  JSON.parse(JSON.stringify(entryIn(config(input, client))));

function entryIn({ snippet, format }: ClientConfig): unknown {
  const file: object = format === "json" ? JSON.parse(snippet) : parseToml(snippet);
  const [root] = Object.values(file);
  return Object.values(root)[0];
}

const TOKEN = "${GITHUB_TOKEN}";
const local: McpConfigInput = {
  name: "gh",
  command: "run",
  args: ["--as", "me@${HOST}"],
  env: { GITHUB_TOKEN: TOKEN, OTHER: TOKEN, LANG: "C" },
};

const remote: McpConfigInput = {
  name: "gh",
  url: "https://example.com/mcp?user=%24%7BUSER%7D",
  headers: { Authorization: `Bearer ${TOKEN}`, "X-Key": "${KEY}", "X-A": "1" },
};

describe("a reference has the form of", () => {
  test.each([...ALL_CLIENTS])("%s in a local server", (client) => {
    expect(entry(local, client)).toEqual(CLIENT_CASES[client].entry(local, "stdio"));
  });

  test.each([...ALL_CLIENTS])("%s in a remote server", (client) => {
    expect(entry(remote, client)).toEqual(CLIENT_CASES[client].entry(remote, "http"));
  });
});

test("a reference in a URL may keep its dollar sign, which URLs allow", () => {
  const input = { name: "gh", url: "https://example.com/$%7BA%7D/%24%7BB%7D?user=$%7BUSER%7D" };
  expect(entry(input, "cursor")).toMatchObject({
    url: "https://example.com/${env:A}/${env:B}?user=${env:USER}",
  });
  const codes = ({ warnings }: McpConfigResult) => warnings.map(({ code }) => code);
  expect(codes(createMcpConfig(input, { clients: ["vscode"] }))).toEqual([]);
  expect(codes(createMcpConfig(input, { clients: ["codex"] }))).toEqual(["unsupported-reference"]);
});

describe("a URL of the command line", () => {
  const of = (url: string, headers = {}, clients: readonly Client[] = ALL_CLIENTS) =>
    createMcpConfig({ name: "a", url, headers }, { clients, limits: "extended" });
  const urlIn = (server: unknown): unknown => {
    const { url, httpUrl, serverUrl, args } = Object(server);
    return url ?? httpUrl ?? serverUrl ?? args[2];
  };
  const urlFor = (result: McpConfigResult, client: Client): unknown =>
    urlIn(entryIn(configOf(result, client)));
  const keeping = (url: string) =>
    ALL_CLIENTS.filter((client) =>
      of(url, undefined, [client]).warnings.some(({ code }) => code === "unsupported-reference"),
    );
  const WITHOUT = ALL_CLIENTS.filter((client) => CLIENT_CASES[client].keeps.includes("url"));

  test.each<[string, string, Client[]]>([
    ["begins with a variable", "${URL}/mcp", ["vscode"]],
    ["is a variable", "${URL}", ["vscode"]],
    ["has a variable for its port", "http://localhost:${PORT}/mcp", []],
  ])("that %s has the form of each client, and a warning where it stays text", (_, url, more) => {
    const result = of(url);
    const text = new Set([...WITHOUT, ...more]);
    expect(new Set(keeping(url))).toEqual(text);
    expect(result.warnings.filter(({ code }) => code !== "unsupported-reference")).toEqual([]);
    for (const { client } of result.clients) {
      const encoded = { name: "a", url: url.replace("{", "%7B").replace("}", "%7D") };
      expect([client, urlFor(result, client)]).toEqual([
        client,
        text.has(client) ? url : urlIn(CLIENT_CASES[client].entry(encoded, "http")),
      ]);
    }
  });

  test("keeps a default, and no client's lines or links lose it", () => {
    const url = "${API_BASE_URL:-https://a.example}/mcp";
    const result = of(url);
    for (const { client, install } of result.clients) {
      expect([client, urlFor(result, client)]).toEqual([client, url]);
      if (install.bash && client !== "vscode") expect(install.bash).toContain(url);
    }
  });

  test("that begins with a variable is in lines and links as the client reads it", () => {
    const result = of("${URL}/mcp", { Authorization: "Bearer ${T}" });
    expect(configOf(result, "claude-code").install.bash).toContain("'${URL}/mcp'");
    const { searchParams } = new URL(configOf(result, "cursor").install.link ?? "");
    expect(JSON.parse(atob(searchParams.get("config") ?? "")).url).toBe("${env:URL}/mcp");
    expect(configOf(result, "codex").install).toEqual({});
  });
});

describe("a client that can only send the text", () => {
  const warned = (input: McpConfigInput, place: string) =>
    ALL_CLIENTS.filter((client) =>
      createMcpConfig(input, { clients: [client] }).warnings.some(
        ({ code, path }) => code === "unsupported-reference" && path === place,
      ),
    );

  /** Codex passes variables on by their own names, and reads headers of two forms from its environment. */
  test.each<[string, "args" | "env" | "url" | "headers", McpConfigInput, Client[]?]>([
    ["env.A", "env", { name: "a", command: "b", env: { A: "${A}" } }],
    ["env.A", "env", { name: "a", command: "b", env: { A: "${B}" } }, ["codex"]],
    ["args[0]", "args", { name: "a", command: "b", args: ["${A}"] }],
    ["url", "url", { name: "a", url: "https://a/%24%7BA%7D" }],
    ["headers.A", "headers", { name: "a", url: "https://a", headers: { A: "${A}" } }],
    ["headers.A", "headers", { name: "a", url: "https://a", headers: { A: "x ${A}" } }, ["codex"]],
  ])("is warned about at %s", (place, field, input, more = []) => {
    const keeping = ALL_CLIENTS.filter(
      (client) => CLIENT_CASES[client].keeps.includes(field) || more.includes(client),
    );
    expect(warned(input, place)).toEqual(keeping);
  });
});

describe("a one-liner and a link hold the reference, not the secret", () => {
  const env = { GITHUB_TOKEN: TOKEN };
  const input: McpConfigInput = { name: "gh", command: "run", env };

  test("of Claude Code, of VS Code without inputs, and of Cursor", () => {
    const entry = { type: "stdio", command: "run", env: { GITHUB_TOKEN: "${env:GITHUB_TOKEN}" } };
    const claude = config(input, "claude-code").install.bash;
    expect(claude).toContain("'--env=GITHUB_TOKEN=${GITHUB_TOKEN}'");
    const { bash = "", link = "" } = config(input, "vscode").install;
    const definition = { name: "gh", ...entry };
    expect(JSON.parse(bash.slice("code --add-mcp '".length, -1))).toEqual(definition);
    expect(JSON.parse(decodeURIComponent(link.slice(link.indexOf("?") + 1)))).toEqual(definition);
    const { searchParams } = new URL(config(input, "cursor").install.link ?? "");
    expect(JSON.parse(atob(searchParams.get("config") ?? ""))).toEqual(entry);
  });

  test("of Codex there is none, and a note says why", () => {
    const { install, notes } = config(input, "codex");
    expect(install).toEqual({});
    expect(notes.join("\n")).toContain("`codex mcp add` supports no references");
  });

  test.each([
    ["Bearer ${A}", "A"],
    ["Bearer abc", "A_AUTHORIZATION"],
  ])("of Codex names the variable of a token, %s", (Authorization, variable) =>
    expect(
      config({ name: "a", url: "https://a.com", headers: { Authorization } }, "codex").install.bash,
    ).toBe(`codex mcp add --url=https://a.com --bearer-token-env-var=${variable} -- a`),
  );

  test.each([
    [{ A: "${A}" }, true],
    [{ A: "Bearer ${A}" }, true],
    [{ A: "a${A}" }, false],
    [{ A: "${A}", B: "1" }, false],
    [{ A: "${workspaceFolder}" }, false],
  ])("a link with %p: %p", (values, given) => {
    expect(
      config({ name: "a", command: "b", env: values }, "cursor").install.link !== undefined,
    ).toBe(given);
  });
});

test.each(["Sentry-Bearer", "AWS4-HMAC-SHA256", "Token"])(
  "%s before a reference is a scheme in every client",
  (scheme) => {
    const headers = { Authorization: `${scheme} \${T}` };
    const input = { name: "a", url: "https://a.com", headers };
    const { clients } = createMcpConfig(input);
    for (const { client, install, notes } of clients) {
      if (client === "cursor" || client === "vscode") expect(install.link).toBeDefined();
      expect(notes.join("\n")).not.toContain("version control");
    }
    expect(config(input, "claude-desktop").snippet).toContain(`"${scheme} <T>"`);
    expect(config(input, "claude-code").install.bash).toContain(`${scheme} \${T}`);
  },
);

test.each(["${X:-${FOO}}", "a${X:-b${FOO}c}", "${X:-}"])("%s is text", (text) => {
  const input = { name: "a", command: "b", args: [text], env: { A: text } };
  for (const client of ["cursor", "vscode", "opencode", "claude-code"] as const) {
    expect(config(input, client).snippet).toContain(JSON.stringify(text));
    expect(config(input, client).notes.join("\n")).not.toContain("FOO");
  }
});

test("${input:NAME} writes the inputs that VS Code needs", () => {
  const input = { name: "a", command: "b", args: ["${input:key}"], env: { A: "x${input:key}" } };
  const { snippet, entry } = config(input, "vscode");
  expect(JSON.parse(snippet)).toEqual({
    servers: { a: { type: "stdio", ...{ command: "b", args: input.args, env: input.env } } },
    inputs: [{ type: "promptString", id: "key", description: "key of a", password: true }],
  });
  expect(entry).not.toContain("inputs");
});
