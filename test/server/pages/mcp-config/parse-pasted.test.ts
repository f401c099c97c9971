import { describe, expect, test } from "bun:test";
import { parsePasted } from "../../../../server/pages/mcp-config/parse-pasted.ts";
import type { PastedServers } from "../../../../server/pages/mcp-config/server-form.ts";

const FILES = {
  name: "filesystem",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"],
};

/** The servers of a text; none where there is a reason for that. */
function serversOf(text: string, field?: string): PastedServers["servers"] {
  const read = parsePasted(text, field);
  return "servers" in read ? read.servers : [];
}

const firstOf = (text: string, field?: string) => serversOf(text, field)[0];

const noticeOf = (text: string): unknown => Object(parsePasted(text)).notice;

describe("readServer()", () => {
  const manifest = (entry: object) =>
    JSON.stringify({
      name: "io.github.me/notes",
      packages: [{ registryType: "npm", identifier: "notes", ...entry }],
    });

  test("reads a server.json, leaves its user's values blank, and says which they are", () => {
    const environmentVariables = [{ name: "KEY", description: "Your key", isRequired: true }];
    const text = manifest({ environmentVariables });
    expect(parsePasted(text)).toEqual({
      servers: [
        { input: { name: "notes", command: "npx", args: ["-y", "notes"], env: { KEY: "" } } },
      ],
      left_out: [],
      notice: "It needs KEY (Your key).",
    });
    const packageArguments = [{ type: "positional", valueHint: "dir", isRequired: true }];
    expect(firstOf(manifest({ packageArguments }))?.input.args).toEqual([
      "-y",
      "notes",
      "<NOTES_DIR>",
    ]);
  });

  test.each<[string, object, string]>([
    [
      "a value that is optional",
      { environmentVariables: [{ name: "LOG" }] },
      "LOG is optional and was left out; add it under the variables if you need it.",
    ],
    [
      "two defaults of one variable",
      {
        runtimeArguments: [
          { type: "named", name: "--port", valueHint: "port", default: "1", format: "number" },
          { type: "named", name: "--to", valueHint: "port", default: "2", format: "number" },
        ],
      },
      'The server.json has different defaults for PORT ("1" and "2"), which are kept.',
    ],
  ])("names no flag for %s", (_, entry, notice) => {
    expect(noticeOf(manifest(entry))).toBe(notice);
  });

  test("names no flag for a URL that needs a host", () => {
    const remotes = [{ type: "sse", url: "https://{host}/mcp", variables: { host: {} } }];
    const text = JSON.stringify({ name: "io.github.me/notes", remotes });
    expect(parsePasted(text)).toEqual({
      reason:
        "This server.json needs your host: paste https://{host}/mcp with your host in place of the placeholder.",
    });
  });

  test("gives the ways to run the server of a server.json to choose from", () => {
    const remotes = [{ type: "streamable-http", url: "https://x.test/mcp" }];
    const text = JSON.stringify({ ...JSON.parse(manifest({})), remotes });
    expect(serversOf(text).map(({ input }) => input)).toEqual([
      { name: "notes", url: "https://x.test/mcp" },
      { name: "notes", command: "npx", args: ["-y", "notes"] },
    ]);
    expect(noticeOf(text)).toContain("There are several ways to run notes; choose one.");
  });

  test.each(["npx -y a && npx -y b", "claude mcp add a -- npx -y a | tee log"])(
    "says why a line of a shell gives no input: %s",
    (line) => {
      const { reason } = Object(parsePasted(line));
      expect(reason).toStartWith("This command line has ");
      expect(reason).toContain("which a shell interprets");
    },
  );

  test("names the options of a line that it leaves out", () => {
    const line = "gemini mcp add --trust --timeout 5 a npx -y b";
    expect(noticeOf(line)).toBe("Left out: --trust, --timeout.");
  });

  test.each([
    ["https://mcp.linear.app/mcp\n", { name: "linear", url: "https://mcp.linear.app/mcp" }],
    ["@acme/notes-mcp", { name: "notes", command: "npx", args: ["-y", "@acme/notes-mcp"] }],
    ["uvx:mcp-server", { name: "server", command: "uvx", args: ["mcp-server"] }],
  ])("reads the word %j alone and where a command stands, not in another field", (word, input) => {
    expect(firstOf(word, "command")).toMatchObject({ input, isNameGuessed: true });
    expect(firstOf(word)).toMatchObject({ input, isNameGuessed: true });
    expect(serversOf(word, "name")).toEqual([]);
  });

  test("says why a server.json gives no input", () => {
    const { reason } = Object(parsePasted(manifest({ registryType: "cargo" })));
    expect(reason).toContain("no client can start cargo packages");
  });

  test("says what it has changed in the servers of a config", () => {
    const text = JSON.stringify({
      mcpServers: {
        "a b": { command: "x", env: { A: "$TOKEN" } },
        "a-bc": { command: "y", cwd: "/" },
      },
    });
    const input = { name: "a-b", command: "x", env: { A: "${TOKEN}" } };
    expect<unknown>(firstOf(text)?.input).toEqual(input);
    const notice = noticeOf(text);
    expect(notice).toContain("was renamed to a-b");
    expect(notice).toContain("it was read as a reference");
    expect(notice).toContain("The working directory (cwd) of a-bc was left out.");
  });

  test.each<[string, string, object]>([
    ["a prompt", "$ npx -y @modelcontextprotocol/server-filesystem /home/me", FILES],
    [
      "assignments and quotes",
      `API_KEY="a b" uvx mcp-server-git@1.2.3 --repository '/my repo'`,
      {
        name: "git",
        command: "uvx",
        args: ["mcp-server-git@1.2.3", "--repository", "/my repo"],
        env: { API_KEY: "a b" },
      },
    ],
    [
      "a config",
      JSON.stringify({ mcpServers: { files: { command: "npx", args: ["a"], env: { A: "1" } } } }),
      { name: "files", command: "npx", args: ["a"], env: { A: "1" } },
    ],
    [
      "a README",
      'Add this:\n```json\n{ "mcpServers": { "files": { "command": "npx" } } }\n```\nThen restart.',
      { name: "files", command: "npx" },
    ],
  ])("reads %s", (_, text, input) => {
    expect<unknown>(firstOf(text)?.input).toEqual(input);
  });

  const near = { command: "near" };
  test.each<[object, string | undefined]>([
    [{ far: { type: "sse", url: "https://mcp.example/events" } }, "The server uses SSE, "],
    [{ far: { url: "https://mcp.example/sse" } }, "The server uses SSE, "],
    [{ near, far: { url: "https://mcp.example/sse?a=b" } }, "far uses SSE, "],
    [{ far: { type: "http", url: "https://mcp.example/sse" } }, undefined],
    [{ far: { type: "streamable-http", url: "https://mcp.example/events" } }, undefined],
    [{ far: { url: "http://mcp.example/mcp" } }, undefined],
  ])("an SSE server stays one, and so does a URL that ends as one's: %j", (servers, notice) => {
    const text = JSON.stringify({ servers });
    const transport = notice === undefined ? undefined : "sse";
    expect(serversOf(text).at(-1)?.transport).toEqual(transport);
    expect(noticeOf(text)).toBe(notice ? `${notice}the older transport.` : "");
  });

  test("reads the servers of all blocks of a README, and each once", () => {
    const block = (entries: object) =>
      `\`\`\`json\n${JSON.stringify({ servers: entries })}\n\`\`\`\n`;
    const [a, b] = [{ command: "x" }, { command: "y" }];
    const text = `# A\n${block({ a })}${block({ a, b })}`;
    expect(parsePasted(text)).toEqual({
      servers: [{ input: { name: "a", command: "x" } }, { input: { name: "b", command: "y" } }],
      left_out: [],
      notice: "",
    });
    expect(serversOf(`${block({ a })}${block({ a: b })}`).length).toBe(2);
  });

  test("and all servers of a config, with the reasons for those that it left out", () => {
    const text = JSON.stringify({ mcpServers: { a: { command: "a" }, c: {} } });
    expect(parsePasted(text)).toEqual({
      servers: [{ input: { name: "a", command: "a" } }],
      left_out: [{ name: "c", reason: expect.stringContaining("must have a command or a url") }],
      notice: "",
    });
  });

  test.each<[string, object]>([
    ["my-server --port 80", { name: "my-server", command: "my-server", args: ["--port", "80"] }],
    ["$ A=1 go run ./x", { name: "go", command: "go", args: ["run", "./x"], env: { A: "1" } }],
    [
      "npx -y x --for 'this and that'",
      { name: "x", command: "npx", args: ["-y", "x", "--for", "this and that"] },
    ],
  ])("takes a command line apart alone and where a command belongs: %s", (text, input) => {
    expect<unknown>(firstOf(text)?.input).toEqual(input);
    expect<unknown>(firstOf(text, "command")?.input).toEqual(input);
  });

  test("takes a program of an unknown name apart where a command belongs, and in no other field", () => {
    const input = { name: "a", command: "a", args: ["b", "c"] };
    expect<unknown>(firstOf("a b c", "command")?.input).toEqual(input);
    for (const field of [undefined, "name"]) expect(serversOf("a b c", field)).toEqual([]);
    expect(serversOf("my-server --port 80", "name")).toEqual([]);
  });

  test.each([
    ["hello", /^No MCP server found\. /],
    ["please add the weather server", /^No MCP server found\. /],
    ["Run npx -y @acme/x to start", /^No MCP server found\. /],
    [
      '{"mcpServers": {"a": {"command": "x" "args": []}}}',
      /^This is not JSON: expected a comma \(line 1, column 38\)\.$/,
    ],
    [
      '{\n"mcpServers": {"a": {"args": ["x"\n',
      /^The text ends in the middle \(line 2\): was it cut off\?$/,
    ],
    ['{"mcpServers": {"a": {"args": ["x', /^The text ends in the middle \(line 1\): /],
    ['{"mcpServers": {"a": {"args": ["x",\n"y"}},\n"b": {}}', /^This is not JSON: expected /],
    ['{"a":1}', /^This must contain servers, as in \{ "mcpServers"/],
  ])("says of %j what it is not, and what can be pasted", (text, reason) => {
    expect(parsePasted(text)).toEqual({ reason: expect.stringMatching(reason) });
  });

  test.each([
    '{ "mcpServers": { "files": { "command": "npx", "args": ["-y"] } } }',
    '{ "files": { "command": "npx", "args": ["-y"] } }',
    '{ "name": "files", "command": "npx", "args": ["-y"] }',
  ])("reads a config of one line where a command belongs: %s", (text) => {
    const input = { name: "files", command: "npx", args: ["-y"] };
    expect<unknown>(firstOf(text, "command")?.input).toEqual(input);
  });

  test("leaves a path with spaces whole", () => {
    const path = "C:\\Program Files\\run.exe";
    expect(serversOf(path, "command")).toEqual([]);
  });

  test.each(["", "npx", "files", "my own words here", "{}", '{"a":1}', "[1]", "rm -rf /"])(
    "leaves %j in a field alone",
    (text) => {
      expect(serversOf(text, "name")).toEqual([]);
    },
  );
});
