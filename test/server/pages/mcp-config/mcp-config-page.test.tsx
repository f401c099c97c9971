import { describe, expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import {
  type Client,
  type McpConfigInput,
  mcpConfigContract,
} from "../../../../schemas/mcp-config.ts";
import { evaluateForm } from "../../../../server/pages/form/form-state.ts";
import { type FormValues, toFormValues } from "../../../../server/pages/form/form-values.ts";
import { mcpConfigPage } from "../../../../server/pages/mcp-config/mcp-config-page.tsx";
import {
  applyServerIntent,
  fillServerForm,
  maskSecretsInForm,
  serverFormFields,
  toServerInput,
} from "../../../../server/pages/mcp-config/server-form.ts";
import { createMcpConfig } from "../../../../src/mcp-config/index.ts";
import { configOf } from "../../../src/mcp-config/support.ts";
import { shownPage } from "../../support/forms.ts";

const LOCAL: McpConfigInput = { name: "files", command: "npx", args: ["-y", "a server"] };
const REMOTE: McpConfigInput = { name: "far", url: "https://mcp.example/mcp?a=1&b=2" };
const SECRET: McpConfigInput = { ...LOCAL, env: { API_KEY: "x" } };

const HOST = {
  baseUrl: "https://x.example",
  schema: mcpConfigContract.input,
  run: createMcpConfig,
};

function formOf(input: object, controls: Readonly<Record<string, string>> = {}): FormValues {
  const tree = toFormValues(input, serverFormFields);
  for (const [name, text] of Object.entries(controls)) tree.set(name, text);
  return tree;
}

/** The page of a form. */
async function pageOf(...[input, controls]: Parameters<typeof formOf>) {
  const state = evaluateForm(mcpConfigPage, HOST, formOf(input, controls));
  const { elements, texts } = await shownPage(renderToString(mcpConfigPage.view({ state })));
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  return { state, elements, texts, textsOf };
}

const panelOf = (input: McpConfigInput, client: Client) =>
  pageOf(input, { client, system: "macos", scope: "user" });

describe("a client's panel", () => {
  test.each([
    ["cursor", LOCAL],
    ["vscode", REMOTE],
    ["vscode", SECRET],
    ["claude-code", SECRET],
    ["claude-desktop", REMOTE],
    ["codex", LOCAL],
  ] as const)("of %s has all that there is to take along: %j", async (client, input) => {
    const config = configOf(createMcpConfig(input), client);
    const { elements, texts, textsOf } = await panelOf(input, client);
    expect(texts[`${client}-file`]).toBe(config.snippet.trim());
    expect(texts[`${client}-entry`]).toBe(
      config.entry === config.snippet ? undefined : config.entry.trim(),
    );
    expect(texts[`${client}-bash`]).toBe(config.install.bash);
    const link = elements.find((e) => e.tag === "a" && e.text === `Add to ${config.title}`);
    expect(link?.attributes.href).toBe(config.install.link);
    const noLink = config.notes.find((note) => note.startsWith("No one-click install"));
    expect(elements.find((e) => e.attributes.class === "no-link")?.text).toBe(noLink);
    const committed = config.notes.find((note) => note.startsWith("Keep "));
    const inProject = await pageOf(input, { client, system: "macos", scope: "project" });
    expect(inProject.textsOf("p").some((text) => text.startsWith(`${committed}`))).toBe(
      committed !== undefined,
    );
    const others = config.notes.filter((note) => !/Windows|Linux|^Keep |^No one-click/.test(note));
    expect(textsOf("li")).toEqual(
      expect.arrayContaining(others.map((note) => note.replaceAll("`", ""))),
    );
  });

  test.each([
    ["claude-desktop", "Not tried by us: based on a page about Claude Desktop."],
    ["vscode", /^Tried on \d{4}-\d\d-\d\d with [\d.]+, based on a page about VS Code\.$/],
  ] as const)("of %s says when it was tried", async (client, words) => {
    const { elements } = await panelOf(LOCAL, client);
    const tried = elements.find((e) => e.attributes.class === "tried");
    expect(tried?.text.replace(/\s+/g, " ")).toMatch(words);
  });

  test("names no quick way where there is none", async () => {
    expect((await panelOf(LOCAL, "claude-desktop")).textsOf("h4")).not.toContain("The quick way");
    expect((await panelOf(LOCAL, "cursor")).textsOf("h4")).toContain("The quick way");
  });

  test.each<[Client, string, string, readonly string[]]>([
    ["cursor", "macos", "user", ["On macOS: ~/.cursor/mcp.json"]],
    ["cursor", "windows", "project", ["In a project: .cursor/mcp.json"]],
    // It has no file of a project.
    [
      "claude-desktop",
      "windows",
      "project",
      [
        expect.stringMatching(/^On Windows: %LOCALAPPDATA%/),
        expect.stringMatching(/^On Windows: %APPDATA%/),
      ],
    ],
  ])(
    "of %s on %s for the scope %s says where the file is",
    async (client, system, scope, places) => {
      const { textsOf } = await pageOf(LOCAL, { client, system, scope });
      const paths = textsOf("dd").map((text) => text.replace(/ Copy$/, ""));
      expect(textsOf("dt").map((place, index) => `${place}: ${paths[index]}`)).toEqual([...places]);
    },
  );

  test("has the notes and the line for the chosen system alone", async () => {
    const on = async (system: string) =>
      (await pageOf(REMOTE, { client: "claude-desktop", system })).textsOf("li").join("\n");
    expect(await on("windows")).toContain("MSIX");
    expect(await on("linux")).toContain("Claude Desktop for Linux");
    expect(await on("macos")).not.toMatch(/On Windows|for Linux/);
    const line = async (system: string) => {
      const { texts } = await pageOf(SECRET, { client: "claude-code", system });
      return [texts["claude-code-bash"], texts["claude-code-powershell"]].map(Boolean);
    };
    expect(await line("linux")).toEqual([true, false]);
    expect(await line("windows")).toEqual([false, true]);
  });
});

describe("the page", () => {
  test("has a section for each client where none is chosen, with the places on all systems", async () => {
    const { elements, textsOf } = await pageOf(LOCAL);
    const panels = elements.filter((e) => e.attributes.id?.startsWith("client-"));
    expect(panels.length).toBe(19);
    expect(textsOf("dt").slice(0, 4)).toEqual(["On macOS", "On Windows", "On Windows", "On Linux"]);
    expect(elements.filter((e) => e.attributes.name === "client")).toEqual([]);
  });

  test("warns about the chosen client alone", async () => {
    const input = { ...LOCAL, name: "a_b", args: ["${TOKEN}"] };
    const warnings = async (client: Client) =>
      (await panelOf(input, client)).elements
        .filter((e) => e.tag === "li" && e.attributes.class === "warning")
        .map(({ text }) => text);
    const [gemini = "", ...others] = await warnings("gemini-cli");
    expect(gemini).toContain("Gemini CLI does not apply its policies");
    expect(others).toEqual([]);
    expect(await warnings("claude-desktop")).toEqual([
      expect.stringMatching(/keeps \$\{TOKEN\} as text in Claude Desktop;/),
    ]);
    expect(await warnings("cursor")).toEqual([]);
  });

  test.each([
    [LOCAL, {}, "The local server “files”, for 19 clients."],
    [REMOTE, {}, "The remote server “far”, for 19 clients."],
    [REMOTE, { transport: "sse" }, "The remote SSE server “far”, for 19 clients."],
    [{ command: "npx" }, {}, "Now enter a name for the server."],
    [{ name: "a" }, {}, "Now enter the command that starts the server, or its URL."],
  ])("sums up %j with %j", async (input, controls, summary) => {
    expect((await pageOf(input, controls)).texts.status?.trim()).toBe(summary);
  });

  test("keeps the result for a name that clients do not take, and offers one that they do", async () => {
    const { state, textsOf } = await pageOf({ ...LOCAL, name: "my server!" });
    expect(state.result?.name).toBe("my-server");
    expect(textsOf("button")).toContain("Use my-server");
    applyServerIntent(state.tree, "rename");
    expect(state.tree.get("name")).toBe("my-server");
    expect((await pageOf({ ...LOCAL, name: "!!" })).state.result).toBeUndefined();
  });
});

describe("the form", () => {
  const BOTH = { ...LOCAL, ...REMOTE };
  test.each([
    ["local", LOCAL],
    ["remote", REMOTE],
  ])("of both kinds is the input of the chosen one: %s", (use, input) => {
    expect(toServerInput(formOf({ ...BOTH, name: input.name }, { use })).input).toEqual({
      ...input,
    });
    expect(Object.keys(toServerInput(formOf(BOTH)).input)).toContain("command");
    expect(Object.keys(toServerInput(formOf(BOTH)).input)).toContain("url");
  });

  test.each<[string, McpConfigInput, object]>([
    [
      "variables",
      { ...LOCAL, env: { API_KEY: "x", HOME_DIR: "${HOME}" } },
      { API_KEY: "${API_KEY}", HOME_DIR: "${HOME}" },
    ],
    [
      "headers, with the server's name",
      { ...REMOTE, headers: { Authorization: "Bearer x", "X-Id": "Bearer ${ID}" } },
      { Authorization: "${FAR_AUTHORIZATION}", "X-Id": "Bearer ${ID}" },
    ],
  ])("puts references in place of %s", (_, input, values) => {
    const tree = formOf(input, { client: "cursor" });
    expect(applyServerIntent(tree, "refer")).toBe("cursor-add");
    const { env, headers } = toServerInput(tree).input;
    expect(env ?? headers).toEqual(values);
  });

  test("takes a guessed name, unless the user typed one", () => {
    const tree = formOf(mcpConfigContract.example_input);
    const read = (name: string, isNameGuessed: boolean) => {
      fillServerForm(tree, { input: { ...LOCAL, name }, isNameGuessed });
      return tree.get("name");
    };
    expect(read("a", true)).toBe("a");
    expect(read("b", true)).toBe("b");
    tree.set("name", "mine");
    expect(read("c", true)).toBe("mine");
    expect(read("d", true)).toBe("mine");
    expect(read("e", false)).toBe("e");
    expect(read("f", true)).toBe("f");
  });

  test.each<[string, object, object]>([
    [
      "values, whose names stay",
      { name: "a", command: "b", env: { API_KEY: "x", PLAIN: "y", REF: "${REF}" } },
      {
        name: "a",
        command: "b",
        env: { API_KEY: "YOUR_API_KEY", PLAIN: "YOUR_PLAIN", REF: "${REF}" },
      },
    ],
    [
      "a header and a part of the URL",
      { name: "a", url: "https://x.example/?token=hush123", headers: { "X-Id": "7" } },
      { name: "a", url: "https://x.example/?token=YOUR_SECRET", headers: { "X-Id": "YOUR_X_ID" } },
    ],
    [
      "arguments",
      { name: "a", command: "b", args: ["--token", "opensesame", "-y", "--api-key=swordfish"] },
      { name: "a", command: "b", args: ["--token", "YOUR_SECRET", "-y", "--api-key=YOUR_SECRET"] },
    ],
    [
      "the line in the command",
      { command: "npx x --token swordfish" },
      { command: "npx x --token YOUR_SECRET" },
    ],
    [
      "a line with a variable before it",
      { name: "a", command: "API_KEY=swordfish npx x" },
      { name: "a" },
    ],
  ])("keeps no secrets: %s", (_, input, kept) => {
    const tree = formOf(input);
    expect<object>(toServerInput(maskSecretsInForm(tree)).input).toEqual(kept);
    expect<object>(toServerInput(tree).input).toEqual(input);
  });
});
