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

  test("is printed as an input by --read", async () => {
    const { out } = await handtools("mcp-config", "--read", "server.json", "--package", "npm");
    const env = { KEY: "${KEY}" };
    expect(JSON.parse(out)).toEqual({ name: "notes", command: "npx", args: ["-y", "notes"], env });
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
      "a name beside another file",
      ["in.json", "--name", "x"],
      "error: --name: give it in the FILE in.json, or all as flags; put the command line of another program after --\n",
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
