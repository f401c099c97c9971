import { describe, expect, test } from "bun:test";
import { readServer } from "../../../../server/pages/views/read-server.ts";

const FILES = {
  name: "filesystem",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"],
};

describe("readServer()", () => {
  test.each<[string, string, object]>([
    ["a command line", "npx -y @modelcontextprotocol/server-filesystem /home/me", FILES],
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
      "claude mcp add",
      "claude mcp add files -e A=1 -- npx -y @modelcontextprotocol/server-filesystem /home/me",
      { ...FILES, name: "files", env: { A: "1" } },
    ],
    [
      "claude mcp add with a URL",
      'claude mcp add --transport http far https://mcp.example/mcp --header "Authorization: Bearer x"',
      {
        name: "far",
        url: "https://mcp.example/mcp",
        headers: { Authorization: "Bearer x" },
      },
    ],
    [
      "docker run, whose variables are no name",
      "docker run -i --rm -e GITHUB_TOKEN -v /a:/b ghcr.io/github/github-mcp-server",
      {
        name: "github",
        command: "docker",
        args: [
          ...["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "-v", "/a:/b"],
          "ghcr.io/github/github-mcp-server",
        ],
      },
    ],
    [
      "code --add-mcp",
      `code --add-mcp '{"name":"files","command":"npx","args":["-y","files"]}'`,
      { name: "files", command: "npx", args: ["-y", "files"] },
    ],
    [
      "a config",
      JSON.stringify({ mcpServers: { files: { command: "npx", args: ["a"], env: { A: "1" } } } }),
      { name: "files", command: "npx", args: ["a"], env: { A: "1" } },
    ],
    [
      "the config of VS Code",
      JSON.stringify({ servers: { far: { type: "http", url: "https://mcp.example/mcp" } } }),
      { name: "far", url: "https://mcp.example/mcp" },
    ],
    [
      "a README",
      'Add this:\n```json\n{ "mcpServers": { "files": { "command": "npx" } } }\n```\nThen restart.',
      { name: "files", command: "npx" },
    ],
    ["a part of a config", '"files": { "command": "npx" },', { name: "files", command: "npx" }],
    [
      "the TOML of Codex in a README",
      'Add to `config.toml`:\n\n```toml\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files"]\n\n[mcp_servers.files.env]\nA = "1"\n```\n',
      { name: "files", command: "npx", args: ["-y", "files"], env: { A: "1" } },
    ],
    [
      "comments and commas that JSON forbids",
      '{ "servers": { /* mine */ "files": { "command": "npx", "args": ["a",], }, } }',
      { name: "files", command: "npx", args: ["a"] },
    ],
    [
      "references in a client's own form",
      '{ "servers": { "far": { "url": "https://mcp.example", "headers": { "A": "${env:KEY}" } } } }',
      { name: "far", url: "https://mcp.example", headers: { A: "${KEY}" } },
    ],
    [
      "the second block of a README, when the first has none",
      '```sh\nnpm i\n```\n\n```json\n{"mcpServers":{"b":{"command":"b"}}}\n```',
      { name: "b", command: "b" },
    ],
  ])("reads %s", async (_, text, input) => {
    expect((await readServer(text))?.input).toEqual(input);
  });

  test("says which other blocks a README has", async () => {
    const block = (name: string) => `\`\`\`json\n{"servers":{"${name}":{"command":"x"}}}\n\`\`\`\n`;
    expect((await readServer(`# A\n${block("a")}${block("b")}`))?.summary).toBe(
      "Read the server “a” of the block at line 3. Paste another block by itself for “b” (line 6).",
    );
  });

  test("says which servers of a config it left out", async () => {
    const text = JSON.stringify({ mcpServers: { a: { command: "a" }, b: { command: "b" } } });
    expect((await readServer(text))?.summary).toBe("Read the server “a”. Left out: “b”.");
  });

  test.each<[string, object]>([
    ["my-server --port 80", { name: "my-server", command: "my-server", args: ["--port", "80"] }],
    ["./run.sh -v 'a b'", { name: "run", command: "./run.sh", args: ["-v", "a b"] }],
  ])("takes any command line apart where a command belongs: %s", async (text, input) => {
    expect(await readServer(text)).toBeUndefined();
    expect((await readServer(text, true))?.input).toEqual(input);
  });

  test.each([
    '{ "mcpServers": { "files": { "command": "npx", "args": ["-y"] } } }',
    '{ "files": { "command": "npx", "args": ["-y"] } }',
    '{ "name": "files", "command": "npx", "args": ["-y"] }',
  ])("reads a config of one line where a command belongs: %s", async (text) => {
    const input = { name: "files", command: "npx", args: ["-y"] };
    expect((await readServer(text, true))?.input).toEqual(input);
  });

  test("leaves a path with spaces whole", async () => {
    expect(await readServer("C:\\Program Files\\run.exe", true)).toBeUndefined();
  });

  test.each(["", "npx", "files", "my own words here", "{}", '{"a":1}', "[1]", "rm -rf /"])(
    "leaves %j alone",
    async (text) => {
      expect(await readServer(text)).toBeUndefined();
    },
  );
});
