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
  ])("reads %s", (_, text, input) => {
    expect(readServer(text)?.input).toEqual(input);
  });

  test.each(["", "npx", "files", "my own words here", "{}", '{"a":1}', "[1]", "rm -rf /"])(
    "leaves %j alone",
    (text) => {
      expect(readServer(text)).toBeUndefined();
    },
  );
});
