import { describe, expect, test } from "bun:test";
import type { McpConfigInput } from "../../../schemas/index.ts";
import type { Transport } from "../../../schemas/mcp-config.ts";
import { callTool, createMcpConfig } from "../../../src/index.ts";
import { problems } from "../../support/rejection.ts";

/** Each problem of an input in a line; none when it is accepted. */
const issuesOf = (
  input: McpConfigInput,
  options: { readonly limits?: "service" | "extended"; readonly transport?: Transport } = {},
): readonly string[] => problems(() => createMcpConfig(input, options));

const local = { name: "a", command: "run" };
const remote = { name: "a", url: "https://example.com/mcp" };
const withHeader = (name: string, value: string) => ({ ...remote, headers: { [name]: value } });
const twice = (one: string, other: string) => ({
  ...remote,
  headers: { [one]: "1", [other]: "2" },
});
/** An object literal would set the prototype. */
const prototypeKey: Record<string, string> = JSON.parse('{"__proto__":"x"}');

const REJECTED: [string, McpConfigInput, string][] = [
  ["neither command nor url", { name: "a" }, "must have `command` for a local server, or `url`"],
  ["both command and url", { ...local, url: remote.url }, "url: must not be set with `command`"],
  ["args with url", { ...remote, args: ["x"] }, "args: must not be set with `url`"],
  ["a blank command", { ...local, command: " \t\u00a0" }, "command: must not be blank"],
  ["the name __proto__", { ...local, name: "__proto__" }, "name: must not be named __proto__"],
  ["the variable __proto__", { ...local, env: prototypeKey }, "env.__proto__: must not be named"],
  ["NUL in the command", { ...local, command: "a\0" }, "command: must not contain a NUL"],
  ["half a pair in the command", { ...local, command: "\ud800" }, "command: must be valid Unicode"],
  ["é in a header", withHeader("X-A", "é"), 'headers["X-A"]: must contain only ASCII'],
  ["a header twice", twice("X-A", "x-a"), 'headers["x-a"]: repeats the header X-A'],
  ["a URL of another scheme", { name: "a", url: "ws://example.com" }, "url: must start with http"],
  ["a URL without a host", { name: "a", url: "http:///mcp" }, "url: must have a host"],
  ["a URL with an impossible port", { name: "a", url: "http://a:99999/" }, "url: must have a host"],
  ["a user in the URL", { name: "a", url: "https://me@example.com" }, "url: must not have a user"],
];

const ADVISED: [string, McpConfigInput, string][] = [
  ["a name with a scope", { ...local, name: "@scope/Käse server" }, "such as scope-Kase-server"],
  [
    "an underscore",
    withHeader("X_KEY", "1"),
    "many servers drop headers whose names contain _; check whether",
  ],
];

const ACCEPTED: [string, McpConfigInput][] = [
  ["empty args and env with url", { ...remote, args: [], env: {} }],
  ["names that every object has", { ...local, name: "constructor", env: { toString: "1" } }],
  ["an empty argument and an empty value", { ...local, args: [""], env: { A: "" } }],
  ["a tab in a header", withHeader("X-A", "a\tb")],
  ["control characters in an argument", { ...local, args: ["\u0001\n\u007f"] }],
  ["a query and a fragment", { name: "a", url: "https://example.com/?a=1#b" }],
];

describe("rejected", () => {
  test.each(REJECTED)("%s", (_, input, issue) => {
    expect(issuesOf(input)).toEqual([expect.stringContaining(issue)]);
  });

  test.each(ADVISED)("%s, with what to do", (_, input, issue) => {
    expect(issuesOf(input)).toEqual([expect.stringContaining(issue)]);
  });

  test.each<[Transport, McpConfigInput, string]>([
    ["sse", local, "command: must not be set with the transport sse"],
    ["stdio", remote, "url: must not be set with the transport stdio"],
  ])("the transport %s with %j", (transport, input, issue) => {
    expect(issuesOf(input, { transport })).toEqual([expect.stringContaining(issue)]);
  });

  test("with every reason at once", () => {
    const places = (input: McpConfigInput) => issuesOf(input).map((issue) => issue.split(":")[0]);
    const start = { name: "__proto__", command: " " };
    expect(places({ ...start, args: ["\0"], headers: { A: "1" } })).toEqual([
      ...["headers", "name", "args[0]", "command"],
    ]);
    expect(places({ ...start, url: "ftp://x.example" })).toEqual([
      ...["url", "name", "url", "command"],
    ]);
  });
});

test("a URL's scheme is written in lower case, as VS Code wants it", () => {
  const { clients } = createMcpConfig({ name: "a", url: "HTTPS://A.example/Mcp" });
  for (const { snippet } of clients) expect(snippet).toContain("https://A.example/Mcp");
});

describe("accepted", () => {
  test.each(ACCEPTED)("%s", (_, input) => expect(issuesOf(input)).toEqual([]));
});

describe("with the limits of the command line", () => {
  const at = (url: string): McpConfigInput => ({ name: "a", url });

  test.each<[string, McpConfigInput]>([
    ["a header of any characters of a token", withHeader("!#$%&'*+-.^_`|~", "1")],
    ["a URL that is a variable", at("${URL}")],
    ["a variable behind another one", at("http://${HOST}:${PORT}/${PATH}?k=${KEY}")],
    ["a default", at("${API_BASE_URL:-https://a.example}/mcp")],
    ["an encoded variable", at("%24%7BURL%7D/mcp?k=%24%7BKEY%7D")],
  ])("%s is accepted, but not by the service", (_, input) => {
    expect(issuesOf(input, { limits: "extended" })).toEqual([]);
    expect(issuesOf(input)).toHaveLength(1);
    expect(callTool("mcp_config_generator", input).ok).toBe(false);
  });

  test.each<[string, McpConfigInput, string]>([
    ["a header with a space", withHeader("A B", "1"), 'headers["A B"]: the name must be'],
    ["headers of one variable", twice("A-B", "a_b"), "headers.a_b: repeats the header A-B"],
    ["a variable within another one", at("${A:-${B}}/mcp"), "url: must be an absolute URL"],
    ["another scheme behind a default", at("${A:-ftp://a.example}/mcp"), "url: must start with"],
    ["a default with a password", at("${A:-https://u:p@a.example}"), "url: must not have a user"],
    ["NUL in a variable", at("${A\0}/mcp"), "url: must not contain a NUL"],
  ])("%s is rejected", (_, input, issue) => {
    expect(issuesOf(input, { limits: "extended" })).toEqual([expect.stringContaining(issue)]);
  });
});
