import { describe, expect, test } from "bun:test";
import { commandLine } from "../support.ts";

const npm = {
  registryType: "npm",
  identifier: "notes",
  environmentVariables: [{ name: "KEY", isRequired: true, isSecret: true }, { name: "LOG" }],
};
const remote = { type: "streamable-http", url: "https://notes.example/mcp" };
const files = {
  "server.json": JSON.stringify({ name: "io.github.me/notes", packages: [npm], remotes: [remote] }),
  "in.json": JSON.stringify({ name: "notes", command: "notes" }),
};
const handtools = (...argv: string[]) =>
  commandLine(argv, { environment: { HOME: "/home/ada" }, files });

describe("a server.json as FILE", () => {
  test("gives the default way, and names the others", async () => {
    const { out, error } = await handtools("mcp-config", "server.json", "--client", "cursor");
    expect(JSON.parse(out)).toEqual({ mcpServers: { notes: { type: "http", url: remote.url } } });
    expect(error).toBe(
      "info: server.json:1:187: remotes[0]: is used, https://notes.example/mcp; --package chooses another: npm [package-chosen]\n",
    );
  });

  test("takes --package, --set and --name", async () => {
    const { out } = await handtools(
      ...["mcp-config", "server.json", "--client", "cursor", "--package", "npm"],
      ...["--set", "LOG=debug", "--name", "mine"],
    );
    expect(JSON.parse(out).mcpServers.mine).toEqual({
      type: "stdio",
      command: "npx",
      args: ["-y", "notes"],
      env: { KEY: "${env:KEY}", LOG: "debug" },
    });
  });

  test("is not needed for --name", async () => {
    const argv = ["mcp-config", "in.json", "--name", "mine", "--client", "cursor"];
    const { out } = await handtools(...argv);
    expect(JSON.parse(out).mcpServers).toEqual({ mine: { type: "stdio", command: "notes" } });
  });

  test("is printed as an input by --read", async () => {
    const { out } = await handtools("mcp-config", "--read", "server.json", "--package", "npm");
    const env = { KEY: "${KEY}" };
    expect(JSON.parse(out)).toEqual({ name: "notes", command: "npx", args: ["-y", "notes"], env });
  });

  test.each(["server.json", "config.json"])("--read prints %s under another name", async (file) => {
    const config = JSON.stringify({ mcpServers: { notes: { url: remote.url } } });
    const { out } = await commandLine(["mcp-config", "--read", file, "--name", "mine"], {
      files: { ...files, "config.json": config },
    });
    expect(JSON.parse(out)).toEqual({ name: "mine", url: remote.url });
  });

  test("--read takes under another name what only clients' files may have", async () => {
    const entry = { url: "${BASE}/mcp", headers: { CONTEXT7_API_KEY: "k" } };
    const { out } = await commandLine(["mcp-config", "--read", "c.json", "--name", "mine"], {
      files: { "c.json": JSON.stringify({ mcpServers: { notes: entry } }) },
    });
    expect(JSON.parse(out)).toEqual({ name: "mine", ...entry });
  });

  test("--read gives no name to several servers", async () => {
    const servers = { a: { command: "a" }, b: { command: "b" } };
    const result = await commandLine(["mcp-config", "--read", "two.json", "--name", "mine"], {
      files: { "two.json": JSON.stringify({ servers }) },
    });
    expect(result).toMatchObject({
      exitCode: 2,
      error: "error: two.json: has 2 servers; a name is for one\n",
    });
  });

  test("is installed beside another of its name by --name, with a variable of its own", async () => {
    const server = (host: string) =>
      JSON.stringify({
        name: `io.github.${host}/notes`,
        remotes: [
          {
            ...remote,
            url: `https://${host}.example/mcp`,
            headers: [{ name: "Authorization", isRequired: true, isSecret: true }],
          },
        ],
      });
    const install = (files: Record<string, string>, ...argv: string[]) =>
      commandLine(["mcp-install", ...argv, "--client", "cursor"], {
        environment: { HOME: "/home/ada" },
        files,
      });
    const one = await install({ "a.json": server("one"), "b.json": server("two") }, "a.json");
    const world = Object.fromEntries(
      Object.entries(one.files).map(([path, text]) => [path, String(text)]),
    );
    const stopped = await install(world, "b.json");
    expect(stopped.error).toContain("has another notes; give this one a name of its own (--name");
    const both = await install(world, "b.json", "--name", "two-notes");
    const { mcpServers } = JSON.parse(String(both.files["/home/ada/.cursor/mcp.json"]));
    expect(mcpServers).toEqual({
      notes: {
        type: "http",
        url: "https://one.example/mcp",
        headers: { Authorization: "${env:NOTES_AUTHORIZATION}" },
      },
      "two-notes": {
        type: "http",
        url: "https://two.example/mcp",
        headers: { Authorization: "${env:TWO_NOTES_AUTHORIZATION}" },
      },
    });
  });

  test("is installed, with VS Code's inputs", async () => {
    const result = await handtools(
      ...["mcp-install", "server.json", "--package", "npm", "--client", "vscode"],
    );
    const { servers, inputs } = JSON.parse(
      String(result.files["/home/ada/.config/Code/User/mcp.json"]),
    );
    expect(servers.notes.env).toEqual({ KEY: "${input:notes_key}" });
    expect(inputs).toEqual([
      { type: "promptString", id: "notes_key", description: "KEY of notes", password: true },
    ]);
  });

  test("is uninstalled with its inputs, and the file is as before", async () => {
    const file = "/home/ada/.config/Code/User/mcp.json";
    const before = '{\n  "servers": {\n    "other": { "command": "x" }\n  }\n}\n';
    const flags = ["--client", "vscode"];
    const environment = { HOME: "/home/ada" };
    const installed = await commandLine(
      ["mcp-install", "server.json", "--package", "npm", ...flags],
      { environment, files: { ...files, [file]: before } },
    );
    expect(String(installed.files[file])).toContain("${input:notes_key}");
    const { files: after } = await commandLine(["mcp-uninstall", "notes", ...flags], {
      environment,
      files: installed.files,
    });
    expect(String(after[file])).toBe(before);
  });

  const REJECTED: [string, string[], string][] = [
    [
      "a way that it has not",
      ["server.json", "--package", "oci"],
      "error: server.json:1:1: has no oci package; it has remote, npm\n",
    ],
    [
      "an unknown input",
      ["server.json", "--set", "X=1"],
      "error: server.json:1:1: has no input X to set; it has none\n",
    ],
    [
      "its flags beside another file",
      ["in.json", "--package", "npm"],
      "error: --package: needs a server.json\n",
    ],
    [
      "a field of the input beside it",
      ["server.json", "--command", "x"],
      "error: --command: give it in the FILE server.json, or all as flags; put the command line of another program after --\n",
    ],
  ];
  test.each(REJECTED)("rejects %s", async (_, argv, message) => {
    const { exitCode, error } = await handtools("mcp-config", ...argv);
    expect({ exitCode, error }).toEqual({ exitCode: 2, error: message });
  });
});

test("--client all has every client, and --json only those that are named", async () => {
  const all = await handtools("mcp-config", "in.json", "--client", "all", "--json");
  expect(JSON.parse(all.out).clients.length).toBeGreaterThan(9);
  const two = await handtools(
    ...["mcp-config", "in.json", "--json", "--client", "zed", "--client", "codex"],
  );
  expect(JSON.parse(two.out).clients.map(({ client }: { client: string }) => client)).toEqual([
    "zed",
    "codex",
  ]);
});
