import { describe, expect, test } from "bun:test";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import { commandLine } from "../support.ts";

const OPEN = "<!-- handtools:install -->";
const CLOSE = "<!-- /handtools:install -->";
const files = {
  "in.json": JSON.stringify({ name: "notes", command: "npx", args: ["-y", "notes"] }),
  "server.json": JSON.stringify({
    name: "io.github.me/notes",
    packages: [
      {
        registryType: "npm",
        identifier: "notes",
        environmentVariables: [{ name: "REGION", isRequired: true }],
      },
    ],
  }),
  "README.md": `# Notes\n\n${OPEN}\n${CLOSE}\n`,
  "bare.md": "# Notes\n",
};
const handtools = (argv: string[], world: typeof files | Record<string, string> = files) =>
  commandLine(["mcp-readme", ...argv], { files: world });

describe("mcp-readme", () => {
  test("prints the section", async () => {
    const { out, exitCode } = await handtools(["in.json", "--clients", "codex"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("<summary>Codex</summary>");
    expect(out).not.toContain("<summary>Cursor</summary>");
  });

  test.each([
    ["words", ["--clients", "cursor", "codex"], ["Cursor", "Codex"]],
    ["commas", ["--clients", "cursor,codex"], ["Cursor", "Codex"]],
    ["commas and words", ["--clients", "cursor,", "codex,", "zed"], ["Cursor", "Codex", "Zed"]],
    ["one after the other", ["--clients", "codex", "--clients", "codex,zed"], ["Codex", "Zed"]],
    ["all", ["--clients", "all"], Object.values(clientDefinitions).map(({ title }) => title)],
  ])("--clients takes %s", async (_, argv, titles) => {
    const { out } = await handtools(["in.json", ...argv]);
    expect(await handtools([...argv, "in.json"])).toMatchObject({ exitCode: 0, out });
    const shown = Array.from(out.matchAll(/<summary>(.*)<\/summary>/g), ([, title]) => title);
    expect(shown).toEqual(titles);
  });

  test.each([
    [
      ["@acme/notes-mcp"],
      '"notes": {',
      "info: the server is named notes; --name gives it another name\ninfo: the server is started with npx -y @acme/notes-mcp\n",
    ],
    [
      ["https://mcp.linear.app/mcp"],
      '"linear": {',
      "info: the server is named linear; --name gives it another name\n",
    ],
    [
      ["uvx:mcp-server-git", "--name", "mine"],
      '"mine": {',
      "info: the server is started with uvx mcp-server-git\n",
    ],
  ])("takes a URL or a package in place of a FILE, %j", async (argv, text, error) => {
    const run = await handtools([...argv, "--clients", "claude-code"]);
    expect(run).toMatchObject({ exitCode: 0, error });
    expect(run.out).toContain(text);
  });

  test("names the kinds of packages for a bare word", async () => {
    expect(await handtools(["notes"])).toMatchObject({
      exitCode: 2,
      error:
        "error: notes: is no file here; a package is written npm:notes, uvx:notes or @scope/name\n",
    });
  });

  test.each([[[]], [["--check"]]])("says that --file is not there, %j", async (flags) => {
    expect(await handtools(["in.json", "--file", "NOPE.md", ...flags])).toMatchObject({
      exitCode: 1,
      error: "error: NOPE.md: no such file or directory\n",
    });
  });

  test.each([
    [{ registryType: "npm", identifier: "notes" }, "notes", "notes@1.2.0"],
    [{ registryType: "pypi", identifier: "notes" }, "notes", "notes==1.2.0"],
    [{ registryType: "nuget", identifier: "notes" }, "notes", "notes@1.2.0"],
    [{ registryType: "oci", identifier: "me/notes:1.2.0" }, "me/notes:1.2.0", "me/notes:1.2.0"],
  ])(
    "starts the newest version of %j, and with --pinned that of the manifest",
    async (given, newest, pinned) => {
      const packages = [{ ...given, version: "1.2.0", transport: { type: "stdio" } }];
      const world = { "server.json": JSON.stringify({ name: "io.github.me/notes", packages }) };
      const argv = ["server.json", "--clients", "claude-code"];
      expect((await handtools(argv, world)).out).toContain(`"${newest}"`);
      expect((await handtools([...argv, "--pinned"], world)).out).toContain(`"${pinned}"`);
    },
  );

  test("takes a server.json, with --set", async () => {
    expect((await handtools(["server.json", "--clients", "claude-code"])).out).toContain(
      '"REGION": "${REGION}"',
    );
    expect(
      (await handtools(["server.json", "--clients", "claude-code", "--set", "REGION=a b"])).out,
    ).toContain('"REGION": "a b"');
  });

  test.each(["server.json", "in.json"])("--name names the server of %s", async (file) => {
    const { out, exitCode } = await handtools([file, "--name", "mine", "--clients", "codex"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("[mcp_servers.mine]");
    const { error } = await handtools([file, "--name", "a b"]);
    expect(error).toContain("name: must be 1 to 64 letters, digits, - or _, such as a-b");
  });

  test.each([
    [
      "a server.json",
      [],
      '{"name":"io.x/ev","remotes":[{"type":"sse","url":"https://x.example/ev"}]}',
    ],
    ["a client's file", [], '{"servers":{"ev":{"type":"sse","url":"https://x.example/ev"}}}'],
    ["an input", ["--transport", "sse"], '{"name":"ev","url":"https://x.example/ev"}'],
  ])("keeps the transport of an SSE server, from %s", async (_, argv, text) => {
    const world = { x: text };
    const { out, error } = await handtools(["x", "--clients", "claude-code", ...argv], world);
    expect(error).toBe("");
    expect(out).toContain("claude mcp add --scope=user --transport=sse -- ev https://x.example/ev");
  });

  test("says what a server.json leaves open, with its place", async () => {
    const [npm] = JSON.parse(files["server.json"]).packages;
    const packages = [{ ...npm, version: "{{VERSION}}" }];
    const world = { "server.json": JSON.stringify({ name: "io.github.me/notes", packages }) };
    const { exitCode, error } = await handtools(["server.json"], world);
    expect(exitCode).toBe(0);
    expect(error).toStartWith("warning: server.json:1:");
    expect(error).toContain("the version {{VERSION}} is not filled in");
  });

  test("gives the infos of mcp-config about a server.json, but not with --check", async () => {
    const environmentVariables = [
      { name: "KEY", isRequired: true, isSecret: true },
      { name: "LOG" },
    ];
    const npm = { registryType: "npm", identifier: "notes", environmentVariables };
    const packages = [npm, { ...npm, registryType: "pypi" }, { ...npm, registryType: "mcpb" }];
    const world = {
      ...files,
      "server.json": JSON.stringify({ name: "io.github.me/notes", packages }),
    };
    const argv = ["server.json", "--set", "KEY=s3cret"];
    const config = await commandLine(["mcp-config", ...argv, "--client", "codex"], {
      files: world,
    });
    const written = await handtools([...argv, "--file", "README.md"], world);
    expect(written.error).toBe(`${config.error}wrote README.md\n`);
    expect(Array.from(config.error.matchAll(/\[([\w-]+)\]$/gm), ([, code]) => code)).toEqual([
      "package-chosen",
      "server-left-out",
      "optional-left-out",
      "secret-as-reference",
    ]);
    const after = { ...world, "README.md": String(written.files["README.md"]) };
    const checked = await handtools([...argv, "--file", "README.md", "--check"], after);
    expect(checked).toMatchObject({ exitCode: 0, error: "" });
  });

  test("writes it between the markers of --file; then --check finds nothing", async () => {
    const written = await handtools(["in.json", "--file", "README.md"]);
    expect(written).toMatchObject({ exitCode: 0, out: "", error: "wrote README.md\n" });
    expect(String(written.files["README.md"])).toContain("<summary>Cursor</summary>");
    const after = { ...files, "README.md": String(written.files["README.md"]) };
    expect(await handtools(["in.json", "--file", "README.md", "--check"], after)).toMatchObject({
      exitCode: 0,
      out: "",
      error: "",
    });
    expect(await handtools(["in.json", "--file", "README.md"], after)).toMatchObject({
      exitCode: 0,
      error: "README.md is up to date\n",
    });
  });

  test("--check writes nothing, and exits 1 with the difference", async () => {
    const checked = await handtools(["in.json", "--file", "README.md", "--check"]);
    expect(checked.exitCode).toBe(1);
    expect(checked.out).toContain("+ [![Install in Cursor]");
    expect(checked.error).toMatch(/^error: README\.md:\d+:1: is not up to date;/);
    expect(checked.files["README.md"]).toBe(files["README.md"]);
  });

  test("--reporter github marks the line, and --quiet says nothing of what is written", async () => {
    const argv = ["in.json", "--file", "README.md"];
    const checked = await handtools([...argv, "--check", "--reporter", "github"]);
    expect(checked.error).toMatch(/^::error file=README\.md,line=\d+,col=1::is not up to date;/);
    expect((await handtools([...argv, "--quiet"])).error).toBe("");
  });

  test.each([
    [
      "no markers",
      ["in.json", "--file", "bare.md"],
      `error: bare.md: has no place for the section; add a line <!-- handtools:install -->, and below it a line <!-- /handtools:install -->\n`,
    ],
    [
      "standard input for --file",
      ["in.json", "--file", "-"],
      "error: --file: must be a file, not standard input",
    ],
    ["--check without a file", ["in.json", "--check"], "error: --check: needs --file README.md"],
    [
      "--set without a server.json",
      ["in.json", "--set", "A=1"],
      "error: --set: needs a server.json",
    ],
    [
      "a value that the server.json does not ask for",
      ["server.json", "--set", "A=1"],
      "error: server.json:1:1: has no input A to set; it has REGION",
    ],
    ["no server", ["--file", "README.md"], "error: give a FILE with the server"],
    ["an unknown client", ["in.json", "--clients", "vim"], "error: --clients: must be one of"],
    ["a file in place of a client", ["--clients", "in.json"], "error: give a FILE with the server"],
  ])("rejects %s", async (_, argv, message) => {
    const { exitCode, error } = await handtools(argv);
    expect(exitCode).toBe(2);
    expect(error).toStartWith(message);
  });
});
