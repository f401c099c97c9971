import { describe, expect, test } from "bun:test";
import type { McpConfigInput, Warning } from "../../../../schemas/index.ts";
import { clientPanel, mcpConfigView } from "../../../../server/pages/views/mcp-config.ts";
import { mcpConfig } from "../../../../src/mcp-config/index.ts";
import { configOf } from "../../../src/mcp-config/support.ts";
import { elementsOf } from "../../support/expect.ts";

const CONTEXT = { fileHref: undefined, priceBook: undefined, warnings: [] };
const LOCAL: McpConfigInput = { name: "files", command: "npx", args: ["-y", "a server"] };
const REMOTE: McpConfigInput = { name: "far", url: "https://mcp.example/mcp?a=1&b=2" };
const SECRET: McpConfigInput = { ...LOCAL, env: { API_KEY: "x" } };

async function panelOf(input: McpConfigInput, client: Parameters<typeof configOf>[1]) {
  const config = configOf(mcpConfig(input), client);
  const elements = await elementsOf(
    clientPanel(config, [], [{ reference: "${A}", command: "set env A ${A}" }]).markup,
  );
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  const copied = (id: string) => elements.find((e) => e.attributes.id === `${client}-${id}`)?.text;
  return { config, elements, textsOf, copied };
}

describe("a client's panel", () => {
  test.each([
    ["cursor", LOCAL],
    ["vscode", REMOTE],
    ["vscode", SECRET],
    ["claude-code", SECRET],
    ["claude-desktop", REMOTE],
    ["codex", LOCAL],
  ] as const)("of %s has all that there is to take along: %j", async (client, input) => {
    const { config, elements, copied, textsOf } = await panelOf(input, client);
    expect(copied("file")).toBe(config.snippet.trim());
    expect(copied("entry")).toBe(config.entry === config.snippet ? undefined : config.entry.trim());
    expect(copied("bash")).toBe(config.install.bash);
    expect(copied("powershell")).toBe(config.install.powershell);
    const links = elements.filter(({ tag }) => tag === "a");
    const source = links.pop();
    expect(source?.attributes.href).toBe(config.source);
    const [link] = links;
    expect(link?.attributes.href).toBe(config.install.link);
    expect(link?.text).toBe(config.install.link && `Add to ${config.title}`);
    const noLink = config.notes.filter((note) => note.startsWith("No one-click install"));
    const others = config.notes.filter((note) => !noLink.includes(note));
    expect(textsOf("li").slice(3, -1)).toEqual(others.map((note) => note.replaceAll("`", "")));
    expect(
      elements.filter((e) => e.attributes.class === "no-link").map(({ text }) => text),
    ).toEqual(noLink);
    expect(textsOf("button").includes("Use ${A} instead")).toBe(noLink.length > 0);
  });

  test("names no quick way where there is none", async () => {
    expect((await panelOf(LOCAL, "claude-desktop")).textsOf("h4")).not.toContain("The quick way");
    expect((await panelOf(LOCAL, "cursor")).textsOf("h4")).toContain("The quick way");
  });

  test("says once where a file is that several systems have in the same place", async () => {
    const { textsOf } = await panelOf(LOCAL, "cursor");
    expect(textsOf("dt")).toEqual([
      "For you, on macOS and Linux",
      "For you, on Windows",
      "In a project",
    ]);
    expect(textsOf("dd")).toEqual([
      "~/.cursor/mcp.json Copy",
      "%USERPROFILE%\\.cursor\\mcp.json Copy",
      ".cursor/mcp.json Copy",
    ]);
  });

  test("tells two places on one system apart", async () => {
    expect((await panelOf(LOCAL, "claude-desktop")).textsOf("dt")).toEqual([
      "For you, on macOS",
      "For you, on Windows",
      "Or, on Windows",
      "For you, on Linux",
    ]);
  });

  test("marks the notes that are about one system", async () => {
    const { elements } = await panelOf(REMOTE, "claude-desktop");
    const about = (system: string) =>
      elements
        .filter(({ tag, attributes }) => tag === "li" && attributes["data-systems"] === system)
        .map(({ text }) => text);
    expect(about("windows")).toEqual([expect.stringMatching(/^On Windows .*MSIX/)]);
    expect(about("linux")).toEqual([expect.stringMatching(/^Claude Desktop for Linux/)]);
    expect(about("macos")).toEqual([]);
  });
});

describe("the config's view", () => {
  const sectionsOf = async (input: McpConfigInput, warnings: readonly Warning[]) => {
    const run = () => undefined;
    const { markup } = mcpConfigView.body(mcpConfig(input), { ...CONTEXT, input, run, warnings });
    return (await elementsOf(markup)).filter(({ tag }) => tag === "section");
  };

  test("has a section for each client, for the script to make tabs of", async () => {
    const sections = await sectionsOf(LOCAL, []);
    expect(sections.map(({ attributes }) => attributes["aria-label"])).toEqual(
      mcpConfig(LOCAL).clients.map(({ title }) => title),
    );
    expect(new Set(sections.map(({ attributes }) => attributes.id)).size).toBe(5);
  });

  test("puts a client's warnings into its section alone", async () => {
    const warning = (index: number): Warning => ({
      code: "x",
      severity: "warning",
      path: `clients[${index}]`,
      message: `beware of ${index}`,
    });
    const sections = await sectionsOf(LOCAL, [warning(1), warning(4)]);
    const beware = sections.map(({ text }) => text.match(/Beware of \d/)?.[0]);
    expect(beware).toEqual([undefined, "Beware of 1", undefined, undefined, "Beware of 4"]);
  });

  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

  test.each<[string, McpConfigInput, readonly string[]]>([
    [
      "a variable",
      { ...LOCAL, env: { API_KEY: "x", HOME_DIR: "${HOME}" } },
      ["set env API_KEY ${API_KEY}"],
    ],
    [
      "a header, with the server's name",
      { ...REMOTE, headers: { Authorization: "Bearer x", "X-Id": "Bearer ${ID}" } },
      ["set headers Authorization ${FAR_AUTHORIZATION}"],
    ],
    ["nothing that is a reference", { ...LOCAL, env: { A: "${A}" } }, []],
    [
      "the first twenty of many variables",
      { ...LOCAL, env: Object.fromEntries(letters.map((letter) => [letter, "x"])) },
      letters.slice(0, 20).map((letter) => `set env ${letter} \${${letter}}`),
    ],
  ])("offers a reference in place of %s", async (_, input, commands) => {
    const run = () => undefined;
    const { markup } = mcpConfigView.body(mcpConfig(input, { clients: ["cursor"] }), {
      ...CONTEXT,
      input,
      run,
    });
    const buttons = (await elementsOf(markup)).filter(({ attributes }) => attributes.name === "do");
    expect(buttons.map(({ attributes }) => attributes.value)).toEqual([...commands]);
    expect(buttons.map(({ text }) => text)).toEqual(
      commands.map((command) => `Use ${command.split(" ").at(-1)} instead`),
    );
  });

  test.each([
    [LOCAL, "The local server “files”, for 5 clients."],
    [REMOTE, "The remote server “far”, for 5 clients."],
  ])("sums up %j", (input, summary) => {
    expect(mcpConfigView.summary(mcpConfig(input))).toBe(summary);
  });

  test("sums up an SSE server", () => {
    const result = mcpConfig(REMOTE, { transport: "sse" });
    expect(mcpConfigView.summary(result)).toBe("The remote SSE server “far”, for 5 clients.");
  });
});
