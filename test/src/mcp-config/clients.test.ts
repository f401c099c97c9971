import { describe, expect, test } from "bun:test";
import { CLIENTS, type Client } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { configOf } from "./support.ts";

const result = mcpConfig({ name: "files", command: "npx", args: ["-y", "server"] });

describe("the five clients", () => {
  test("come in the order of the contract", () => {
    expect(result.clients.map(({ client }) => client)).toEqual([...CLIENTS]);
  });

  test.each<[Client, string, string[]]>([
    ["claude-desktop", "json", ["user macos", "user windows", "user windows", "user linux"]],
    ["claude-code", "json", everySystem("project", "user")],
    ["cursor", "json", everySystem("user", "project")],
    ["vscode", "json", everySystem("user", "project")],
    ["codex", "toml", everySystem("user", "project")],
  ])("%s is %s and says where its file is", (client, format, places) => {
    const config = configOf(result, client);
    expect(config.format).toBe(format as "json");
    expect(config.locations.map(({ scope, os }) => `${scope} ${os}`)).toEqual(places);
  });
});

test("a client that there is not is rejected by its place", () => {
  const clients = ["codex", "emacs"] as Client[];
  expect(() => mcpConfig({ name: "files", command: "npx" }, { clients })).toThrow(
    'clients[1]: must be "claude-desktop" or',
  );
});

function everySystem(...scopes: string[]): string[] {
  return scopes.flatMap((scope) => ["macos", "windows", "linux"].map((os) => `${scope} ${os}`));
}

describe("notes", () => {
  const secret = mcpConfig({ name: "a", command: "b", env: { API_KEY: "k", LANG: "C" } });

  test("say which project file must not be committed, and why", () => {
    const about = (client: Client) =>
      configOf(secret, client).notes.filter((note) => note.includes("version control"));
    expect(about("claude-code")).toEqual([
      "Keep .mcp.json out of version control while the value of API_KEY is in it.",
    ]);
    expect(about("codex")[0]).toContain(".codex/config.toml");
    expect(about("claude-desktop")).toEqual([]);
  });

  test("name the variables that a line reads", () => {
    expect(configOf(secret, "codex").notes.join("\n")).toContain(
      "no value of API_KEY, but reads it",
    );
    expect(configOf(secret, "vscode").notes.join("\n")).toContain(
      "no value of API_KEY: VS Code asks for it once",
    );
  });

  test("explain the bridge of Claude Desktop", () => {
    const remote = mcpConfig({ name: "a", url: "https://example.com" });
    expect(configOf(remote, "claude-desktop").notes.join("\n")).toContain("bridge mcp-remote");
    expect(configOf(secret, "claude-desktop").notes.join("\n")).not.toContain("bridge");
  });
});

describe("writing", () => {
  test("hidden characters can be seen in JSON and in TOML", () => {
    const { clients } = mcpConfig({ name: "a", command: "x\u202e\u200b\u007f\u{e0041}\u001b" });
    const [json = "", toml = ""] = [clients[0]?.snippet, clients[4]?.snippet];
    expect(json).toContain('"x\\u202e\\u200b\\u007f\\udb40\\udc41\\u001b"');
    expect(toml).toContain('"x\\u202e\\u200b\\u007f\\U000e0041\\u001b"');
  });

  test("an entry is the snippet without what surrounds it", () => {
    const { entry } = configOf(result, "cursor");
    expect(entry).toStartWith('"files": {\n  "type": "stdio",\n');
    expect(entry).toEndWith("\n}");
    expect(configOf(result, "codex").entry).toStartWith("[mcp_servers.files]\n");
  });
});
