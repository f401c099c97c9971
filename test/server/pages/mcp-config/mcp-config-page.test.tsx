import { describe, expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import { ALL_CLIENTS, type Client, type McpConfigInput } from "../../../../schemas/mcp-config.ts";
import { evaluateForm } from "../../../../server/pages/form/form-state.ts";
import { type FormValues, toFormValues } from "../../../../server/pages/form/form-values.ts";
import { mcpConfigPage } from "../../../../server/pages/mcp-config/mcp-config-page.tsx";
import { readPasted } from "../../../../server/pages/mcp-config/parse-pasted.ts";
import {
  applyServerIntent,
  fillServers,
  listServers,
  maskSecretsInForm,
  serverFormFields,
  toServerInput,
} from "../../../../server/pages/mcp-config/server-form.ts";
import { mcpPageTool, writeServers } from "../../../../server/pages/mcp-config/write-servers.ts";
import { clientDefinitions } from "../../../../src/mcp-config/clients/all-clients.ts";
import { createMcpConfig } from "../../../../src/mcp-config/index.ts";
import { runTool } from "../../../../src/tool.ts";
import { configOf } from "../../../src/mcp-config/support.ts";
import { shownPage } from "../../support/forms.ts";

const LOCAL: McpConfigInput = { name: "files", command: "npx", args: ["-y", "a server"] };
const REMOTE: McpConfigInput = { name: "far", url: "https://mcp.example/mcp?a=1&b=2" };
const SECRET: McpConfigInput = { ...LOCAL, env: { API_KEY: "x" } };

const HOST = {
  baseUrl: "https://x.example",
  run: (input: unknown, options?: object) => ({
    result: runTool(mcpPageTool, input, options),
  }),
};

function formOf(input: object, controls: Readonly<Record<string, string>> = {}): FormValues {
  const tree = toFormValues(input, serverFormFields);
  for (const [name, text] of Object.entries(controls)) tree.set(name, text);
  return tree;
}

/** The page of an input, or of a form. */
const pageOf = (...given: Parameters<typeof formOf>) => pageOfForm(formOf(...given));

async function pageOfForm(form: FormValues) {
  const host = { ...HOST, run: (_: unknown, options = {}) => writeServers(form, options) };
  const state = evaluateForm(mcpConfigPage, host, form);
  const { elements, texts } = await shownPage(renderToString(mcpConfigPage.view({ state })));
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  return { state, elements, texts, textsOf };
}

const panelOf = (input: McpConfigInput, client: Client) =>
  pageOf(input, { client, system: "macos", scope: "user" });

describe("a client's panel", () => {
  test.each([
    ["cursor", LOCAL],
    ["vscode", SECRET],
    ["claude-code", SECRET],
    ["claude-desktop", REMOTE],
    ["codex", LOCAL],
  ] as const)("of %s has all that there is to take along: %j", async (client, input) => {
    const config = configOf(createMcpConfig(input), client);
    const { elements, texts, textsOf } = await panelOf(input, client);
    expect(texts[`${client}-file`]).toBe(config.snippet.trim());
    // A file that has settings of the client too is not to be replaced.
    const isWhole = elements.some((e) => e.attributes["aria-label"]?.startsWith("Download "));
    expect(isWhole).toBe(!["claude-code", "codex"].includes(client));
    expect(texts[`${client}-entry`]).toBe(
      config.entry === config.snippet ? undefined : config.entry.trim(),
    );
    // For the user alone, a command has the value itself.
    expect(texts[`${client}-bash`]).toBe(
      config.install.bash?.replace('"--env=API_KEY=${API_KEY:?}"', "--env=API_KEY=x"),
    );
    const link = elements.find((e) => e.tag === "a" && e.text === `Add to ${config.title}`);
    expect(link?.attributes.href).toBe(config.install.link);
    const noLink = config.notes.find((note) => note.startsWith("No one-click install"));
    expect(elements.find((e) => e.attributes.class === "no-link")?.text).toBe(noLink);
    const others = config.notes.filter(
      (note) =>
        !/Windows|Linux|^Keep |^No one-click|^If the file|reads API_KEY|in the project|project config/.test(
          note,
        ),
    );
    expect(textsOf("li")).toEqual(
      expect.arrayContaining(others.map((note) => note.replaceAll("`", ""))),
    );
  });

  test.each([
    ["claude-desktop", /This follows a page about Claude Desktop; we have not tested it\.$/],
    [
      "vscode",
      /This follows a page about VS Code, and we tested it on \d{4}-\d\d-\d\d with [\d.]+\.$/,
    ],
  ] as const)("of %s says when it was tried", async (client, words) => {
    const { elements } = await panelOf(LOCAL, client);
    const tried = elements.find((e) => e.attributes.class === "tried");
    expect(tried?.text.replace(/\s+/g, " ")).toMatch(words);
  });

  test.each<[Client, McpConfigInput, string, string]>([
    ["cursor", LOCAL, "user", "Add to Cursor"],
    ["cursor", LOCAL, "project", "Copy the file"],
    ["cursor", SECRET, "user", "Copy the file"],
    ["claude-code", LOCAL, "user", "Copy the command"],
    ["codex", LOCAL, "project", "Copy the entry"],
  ])("of %s with %j for %s has one action in the bar: %s", async (client, input, scope, action) => {
    const { elements } = await pageOf(input, { client, system: "macos", scope });
    const primary = elements.filter((e) => /\bprimary\b/.test(e.attributes.class ?? ""));
    expect(primary.map(({ text }) => text)).toEqual([action]);
  });

  test.each<[Client, string, string, readonly string[]]>([
    ["cursor", "macos", "user", ["~/.cursor/mcp.json"]],
    ["cursor", "windows", "project", [".cursor/mcp.json"]],
    // It has no file of a project.
    [
      "claude-desktop",
      "windows",
      "project",
      [expect.stringMatching(/^%LOCALAPPDATA%/), expect.stringMatching(/^%APPDATA%/)],
    ],
  ])(
    "of %s on %s for the scope %s says where the file is",
    async (client, system, scope, places) => {
      const { elements, textsOf } = await pageOf(LOCAL, { client, system, scope });
      const paths = textsOf("dd").map((text) => text.replace(/ Copy$/, ""));
      const label = elements.find((e) => e.attributes.class === "label")?.text ?? "";
      expect(paths.length > 0 ? paths : [label.replace(/ of .*/, "")]).toEqual([...places]);
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

const WEATHER: McpConfigInput = {
  name: "weather",
  command: "uvx",
  args: ["weather"],
  env: { WEATHER_KEY: "sk-hush123", LANG: "en" },
};

const FAR: McpConfigInput = { ...REMOTE, headers: { Authorization: "Bearer hush123" } };

describe("several servers", () => {
  const several = (controls: Readonly<Record<string, string>>, servers = [LOCAL, WEATHER, FAR]) => {
    const form = formOf({}, controls);
    const left_out = [{ name: "broken", reason: "must have a command or a url" }];
    fillServers(form, { servers: servers.map((input) => ({ input })), left_out });
    for (const [name, text] of Object.entries(controls)) form.set(name, text);
    return form;
  };

  test.each<[Client, string]>([
    ["claude-desktop", "mcpServers"],
    ["vscode", "servers"],
  ])("are one file of %s", async (client, key) => {
    const { texts, state } = await pageOfForm(several({ client, system: "macos", scope: "user" }));
    const file = JSON.parse(texts[`${client}-file`] ?? "");
    expect(Object.keys(file[key])).toEqual(["files", "weather", "far"]);
    for (const input of [LOCAL, WEATHER, FAR]) {
      const alone = JSON.parse(
        configOf(createMcpConfig(input, { clients: [client] }), client).snippet,
      );
      expect(file[key][input.name]).toEqual(alone[key][input.name]);
    }
    expect(mcpConfigPage.summary(state)).toBe("3 servers, all in one file, 1 left out.");
  });

  test.each<[Client, object, string, string]>([
    ["claude-code", {}, "3 servers, 3 commands, 1 left out.", "Copy the commands"],
    ["codex", {}, "3 servers, 3 entries, 1 left out.", "Copy the entries"],
    ["zed", {}, "3 servers, 3 entries, 1 left out.", "Copy the entries"],
    [
      "claude-code",
      { scope: "project" },
      "3 servers, all in one file, 1 left out.",
      "Copy the file",
    ],
  ])("of %s with %j are summed up as what is copied", async (client, more, summary, action) => {
    const form = several({ client, system: "macos", scope: "user", ...more });
    const { state, textsOf } = await pageOfForm(form);
    expect(mcpConfigPage.summary(state)).toBe(summary);
    expect(textsOf("button")).toContain(action);
  });

  test("are one file of Codex, in TOML, and one command each for Claude Code", async () => {
    const codex = await pageOfForm(several({ client: "codex", system: "macos", scope: "user" }));
    const parsed: unknown = Bun.TOML.parse(codex.texts["codex-file"] ?? "");
    expect(Object.keys(Object(parsed).mcp_servers)).toEqual(["files", "weather", "far"]);
    const claude = await pageOfForm(
      several({ client: "claude-code", system: "macos", scope: "user" }),
    );
    expect(claude.texts["claude-code-bash"]?.match(/^claude mcp add/gm)?.length).toBe(3);
  });

  test("put no secret into a command where no client is chosen, as without scripts", async () => {
    const { texts } = await pageOfForm(several({}));
    expect(texts["claude-code-bash"]).toContain("WEATHER_KEY");
    expect(texts["claude-code-bash"]).not.toContain("hush123");
  });

  test("open one at a time, and keep what was typed into each", async () => {
    const form = several({ client: "cursor" });
    expect(listServers(form).shownIndex).toBe(-1);
    expect(applyServerIntent(form, "show 0")).toBe("name");
    form.set("command", "bunx");
    expect(applyServerIntent(form, "close 0")).toBe("show 0");
    expect([form.get("name"), listServers(form).shownIndex]).toEqual([undefined, -1]);
    expect(applyServerIntent(form, "show 2")).toBe("name");
    expect([form.get("name"), form.get("url")]).toEqual(["far", REMOTE.url]);
    expect(listServers(form).rows.map(({ input }) => input.command)).toEqual([
      "bunx",
      "uvx",
      undefined,
    ]);
    for (const name of ["weather", "files"]) {
      expect(applyServerIntent(form, "remove-server")).toBe("name");
      expect(form.get("name")).toBe(name);
    }
    expect(applyServerIntent(form, "remove-server")).toBeUndefined();
  });

  test("of one name are ways to run one, of which the file has the open one", async () => {
    const way = { ...REMOTE, name: "files" };
    const form = several({ client: "cursor", system: "macos", scope: "user" }, [
      LOCAL,
      way,
      WEATHER,
    ]);
    const entries = async () => {
      const { texts } = await pageOfForm(form);
      return JSON.parse(texts["cursor-file"] ?? "").mcpServers;
    };
    expect(Object.keys(await entries())).toEqual(["files", "weather"]);
    const { textsOf } = await pageOfForm(form);
    expect(textsOf("button")).toContain(`Or Remote ${REMOTE.url}Use this way`);
    applyServerIntent(form, "show 1");
    expect((await entries()).files.url).toBe(REMOTE.url);
    form.set("name", "weather");
    const { state } = await pageOfForm(form);
    expect(state.problems.map(({ name, message }) => [name, message])).toEqual([
      ["name", "must differ from the other names"],
    ]);
  });

  test("grow by one that is pasted after the button for another", () => {
    const form = several({ client: "cursor" }, [LOCAL]);
    expect(applyServerIntent(form, "add-server")).toBe("paste");
    fillServers(form, { servers: [{ input: FAR }, { input: WEATHER }], left_out: [] });
    expect(listServers(form).rows.map(({ input }) => input.name)).toEqual([
      "files",
      "far",
      "weather",
    ]);
  });

  test.each<[string, readonly McpConfigInput[], readonly McpConfigInput[]]>([
    ["another", [FAR], [LOCAL, WEATHER, FAR]],
    ["the same again, in its place", [LOCAL], [LOCAL, WEATHER]],
    ["one with a known name", [{ ...FAR, name: "weather" }], [LOCAL, { ...FAR, name: "weather" }]],
    [
      "what was left out",
      [{ ...FAR, name: "broken" }],
      [LOCAL, WEATHER, { ...FAR, name: "broken" }],
    ],
  ])("keep theirs when %s is pasted", (what, servers, rows) => {
    const form = several({ client: "cursor" }, [LOCAL, WEATHER]);
    fillServers(form, { servers: servers.map((input) => ({ input })), left_out: [] });
    const { left_out, ...list } = listServers(form);
    expect(list.rows.map(({ input }) => input)).toEqual([...rows]);
    expect(left_out.length).toBe(what === "what was left out" ? 0 : 1);
  });

  test("are at most 50, and the others are named", () => {
    const form = several({ client: "cursor" }, [LOCAL, WEATHER]);
    const servers = Array.from({ length: 49 }, (_, at) => ({
      input: { ...FAR, name: `far${at}` },
    }));
    fillServers(form, { servers, left_out: [] });
    expect(listServers(form).rows).toHaveLength(50);
    expect(listServers(form).left_out.at(-1)).toEqual({
      name: "far48",
      reason: "this page holds 50 servers",
    });
  });

  const NEW = { ...FAR, name: "new" };
  test.each<[string, readonly McpConfigInput[], string]>([
    ["nothing of a blank form", [], ""],
    ["another", [LOCAL], "weather and new added."],
    ["one with a known name", [LOCAL, { ...FAR, name: "weather" }], "weather replaced, new added."],
    ["the same again", [NEW, LOCAL, WEATHER], "You have this already."],
  ])("say what a second paste did: %s", (_, old, notice) => {
    const form = old.length > 0 ? several({ client: "cursor" }, [...old]) : formOf({});
    const text = JSON.stringify({
      mcpServers: {
        weather: { command: WEATHER.command, args: WEATHER.args, env: WEATHER.env },
        new: { url: NEW.url, headers: NEW.headers },
      },
    });
    expect(Object(readPasted(text, "", form)).notice).toBe(notice);
  });

  const SSE = { ...REMOTE, url: "http://x.example/sse" };
  const BLANK = { ...WEATHER, env: { WEATHER_KEY: "" } };
  test.each<[readonly McpConfigInput[], string, readonly string[]]>([
    [[SECRET], "The local server “files”, 1 value missing, 1 left out.", []],
    [[REMOTE, SECRET], "2 servers, 1 value missing, 1 left out.", ["1 value missing"]],
    [[REMOTE, BLANK], "2 servers, 1 value missing, 1 left out.", ["1 value missing"]],
    [[LOCAL, SSE], "2 servers, 2 warnings, 1 left out.", ["2 warnings"]],
    [
      [LOCAL, { ...FAR, name: "a_b" }],
      "2 servers, 1 value missing, 1 left out.",
      ["1 value missing"],
    ],
  ])("say in the bar and in their rows what to look at: %#", async (servers, summary, tags) => {
    const form = maskSecretsInForm(several({ client: "cursor" }, [...servers]));
    const { state, elements } = await pageOfForm(form);
    expect(mcpConfigPage.summary(state)).toBe(summary);
    const warned = elements.filter(({ attributes }) => attributes.class === "tag warn");
    expect(warned.map(({ text }) => text)).toEqual([...tags]);
  });

  test("give way to one that is pasted into their fields", () => {
    const form = formOf(LOCAL);
    fillServers(form, { servers: [{ input: FAR }], left_out: [] }, true);
    expect(listServers(form).rows.map(({ input }) => input)).toEqual([FAR]);
  });

  test("have links one at a time, and the page names those without", async () => {
    const { textsOf, elements } = await pageOfForm(
      several({ client: "cursor", system: "macos", scope: "user" }),
    );
    expect(elements.filter((e) => e.tag === "a" && e.text.startsWith("Add ")).length).toBe(1);
    expect(textsOf("small")).toContain(
      "No link for weather and far: your browser history would keep their values.",
    );
  });

  test.each<[Client, string]>([
    ["cursor", "The file contains the values of WEATHER_KEY and Authorization."],
    ["vscode", "The file contains the values of WEATHER_KEY and Authorization."],
    ["claude-code", "Your shell history keeps these commands, with the values of"],
    ["claude-desktop", "The file contains the values of WEATHER_KEY and Authorization."],
  ])("offer variables for the secrets in the file of %s, if it can read any", async (...given) => {
    const [client, note] = given;
    const { textsOf } = await pageOfForm(several({ client, system: "macos", scope: "user" }));
    expect(textsOf("p").filter((text) => text.startsWith(note)).length).toBe(1);
    expect(textsOf("button").includes("Use variables")).toBe(client !== "claude-desktop");
  });

  test("keep no secret in a draft", () => {
    const kept = JSON.stringify([...maskSecretsInForm(several({ client: "cursor" }))]);
    expect(kept).not.toContain("hush123");
    expect(kept).toContain("YOUR_WEATHER_KEY");
  });
});

describe("secrets", () => {
  const shown = async (client: Client, scope: string, input: McpConfigInput, more = {}) => {
    const { texts, textsOf } = await pageOf(input, { client, scope, system: "macos", ...more });
    const file = texts[`${client}-file`] ?? "";
    return {
      file,
      note: textsOf("p").find((text) => /^(?:Kept out|Keep )/.test(text)),
    };
  };

  test.each<[Client, McpConfigInput, string]>([
    ["cursor", WEATHER, '"${env:WEATHER_KEY}"'],
    ["vscode", FAR, '"${env:FAR_AUTHORIZATION}"'],
    ["claude-code", WEATHER, '"${WEATHER_KEY}"'],
    ["codex", WEATHER, "WEATHER_KEY"],
  ])("of %s are variables in a project alone: %j", async (client, input, reference) => {
    const inProject = await shown(client, "project", input);
    expect(inProject.file).toContain(reference);
    expect(inProject.file).not.toContain("hush123");
    expect(inProject.note).toStartWith("Kept out of the file: ");
    const forMe = await shown(client, "user", input);
    expect(forMe.file).toContain("hush123");
    expect(forMe.note).toBeUndefined();
    const asked = await shown(client, "project", input, { secrets: "values" });
    expect(asked.file).toContain("hush123");
    expect(asked.note).toStartWith("Keep ");
    const askedForMe = await shown(client, "user", input, { secrets: "variables" });
    expect(askedForMe.file).toContain(reference);
    expect(askedForMe.file).not.toContain("hush123");
  });

  test.each<[Client, McpConfigInput, object, string | undefined, readonly string[]]>([
    ["claude-code", WEATHER, {}, "sk-hush123", ["Use variables"]],
    ["claude-code", FAR, {}, "Bearer hush123", ["Use variables"]],
    ["claude-code", WEATHER, { secrets: "variables" }, "${WEATHER_KEY}", ["Write the value"]],
    ["codex", WEATHER, {}, "sk-hush123", ["Use variables"]],
    // `codex mcp add` has no option for the value: its file is shown.
    ["codex", FAR, {}, undefined, ["Use variables"]],
    ["codex", FAR, { secrets: "variables" }, undefined, ["Write the value"]],
  ])("of a command of %s with %j and %j are %s, and a note beside it has %j", async (...given) => {
    const [client, input, more, value, offers] = given;
    const controls = { client, scope: "user", system: "macos", ...more };
    const { texts, textsOf } = await pageOf(input, controls);
    const command = texts[`${client}-bash`];
    expect(value === undefined ? command : command?.includes(value)).toBe(value && true);
    const buttons = textsOf("button").filter((text) => /^(?:Use variables|Write the)/.test(text));
    expect(buttons).toEqual([...offers]);
  });

  test.each<[McpConfigInput, object]>([
    [
      { ...LOCAL, env: { API_KEY: "x", HOME_DIR: "${HOME}", LANG: "en" } },
      { API_KEY: "${env:API_KEY}", HOME_DIR: "${env:HOME}", LANG: "${env:LANG}" },
    ],
    [
      { ...REMOTE, headers: { Authorization: "Bearer x", "X-Id": "Bearer ${ID}" } },
      { Authorization: "${env:FAR_AUTHORIZATION}", "X-Id": "Bearer ${env:ID}" },
    ],
  ])("and all other values become variables for an install link: %j", async (input, values) => {
    const form = formOf(input, { client: "cursor", scope: "user", system: "macos" });
    expect(applyServerIntent(form, "secrets all")).toBe("cursor-add");
    const { texts, elements } = await pageOfForm(form);
    const { env, headers } = JSON.parse(texts["cursor-file"] ?? "").mcpServers[input.name];
    expect(env ?? headers).toEqual(values);
    expect(elements.find((e) => e.attributes.id === "cursor-add")?.tag).toBe("a");
  });

  test.each<[Client, string, string, readonly string[]]>([
    ["claude-desktop", "user", "", ["Write API_KEY here."]],
    ["cursor", "user", "", ["Write API_KEY here."]],
    ["cursor", "project", "${env:API_KEY}", []],
  ])("without a value are asked for, for %s and the scope %s", async (...given) => {
    const [client, scope, value, messages] = given;
    const input = { ...LOCAL, env: { API_KEY: "" } };
    const { texts, textsOf, state } = await pageOf(input, { client, scope, system: "macos" });
    expect(JSON.parse(texts[`${client}-file`] ?? "").mcpServers.files.env.API_KEY).toBe(value);
    expect(textsOf("p").filter((text) => text.startsWith("Write "))).toEqual([...messages]);
    expect(mcpConfigPage.summary(state).includes("1 value missing")).toBe(messages.length > 0);
  });

  test("stay values where the client would pass a reference on as text", async () => {
    for (const scope of ["user", "project"])
      expect((await shown("claude-desktop", scope, WEATHER)).file).toContain("hush123");
    for (const client of ALL_CLIENTS.filter(
      (one) => clientDefinitions[one].references === undefined,
    )) {
      const { file } = await shown(client, "project", WEATHER);
      expect(file).toContain("hush123");
    }
  });

  test.each<[McpConfigInput, readonly string[]]>([
    [{ ...LOCAL, env: { API_KEY: "x", LANG: "en", TOKEN: "${TOKEN}", AUTH_TOKEN: "" } }, ["x"]],
    [{ ...REMOTE, headers: { Authorization: "Bearer a", "X-Id": "7" } }, ["Bearer a"]],
  ])("are masked in their fields, each with a box that shows it: %j", async (input, masked) => {
    const { elements } = await pageOf(input);
    const fields = elements.filter((e) => e.attributes.class === "masked");
    expect(fields.map(({ attributes }) => attributes.value)).toEqual([...masked]);
    const toggles = elements.filter((e) => e.tag === "label" && e.text.startsWith("Show "));
    expect(toggles.map(({ text }) => text)).toEqual([expect.stringMatching(/^Show \w+ 1, value$/)]);
  });
});

test.each<[Client, object, readonly string[], boolean]>([
  ["claude-desktop", { env: { WEATHER_KEY: "${WEATHER_KEY}" } }, ["${WEATHER_KEY}"], true],
  ["cursor", { env: { WEATHER_KEY: "${WEATHER_KEY}" } }, [], true],
  ["claude-desktop", { env: { WEATHER_KEY: "" } }, ['""'], false],
  ["codex", { args: ["--agent=YourAgent", "YourAgent2"] }, ["YourAgent", "YourAgent2"], false],
  ["cursor", { args: ["C:\\Users\\username\\x"] }, ["\\\\Users\\\\username\\\\"], false],
])("%s with %j marks %j as what to replace", async (client, fields, marked, isPrimary) => {
  const { textsOf, elements } = await panelOf({ ...WEATHER, env: {}, ...fields }, client);
  expect([...new Set(textsOf("mark"))]).toEqual([...marked]);
  // A result with a gap is not the next thing to take.
  const primary = elements.filter((e) => /\bprimary\b/.test(e.attributes.class ?? ""));
  expect(primary.length).toBe(Number(isPrimary));
});

describe("the page", () => {
  test("has a section for each client where none is chosen, with the places on all systems", async () => {
    const { elements, textsOf } = await pageOf(LOCAL);
    const panels = elements.filter((e) => e.attributes.id?.startsWith("client-"));
    expect(panels.length).toBe(19);
    expect(textsOf("dt").slice(0, 3)).toEqual([
      "On macOS",
      "On Windows: the file that exists, or else the last",
      "On Linux",
    ]);
    expect(elements.filter((e) => e.attributes.name === "client")).toEqual([]);
  });

  test("warns about the chosen client alone", async () => {
    const input = { ...LOCAL, name: "a_b", args: ["${TOKEN}"] };
    const warnings = async (client: Client) => {
      const { elements } = await panelOf(input, client);
      const isWarning = (e: (typeof elements)[number]) =>
        e.attributes.class === "note warn" || e.attributes.class === "warning";
      return elements.filter(isWarning).map(({ text }) => text);
    };
    const [gemini = "", ...others] = await warnings("gemini-cli");
    expect(gemini).toContain("Gemini CLI silently ignores its policies");
    expect(others).toEqual([]);
    expect(await warnings("claude-desktop")).toEqual([
      expect.stringMatching(/Contains \$\{TOKEN\}, which Claude Desktop cannot replace;/),
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
    applyServerIntent(state.form, "rename");
    expect(state.form.get("name")).toBe("my-server");
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

  test.each([
    [1_000, []],
    [1_001, [["headers", "must have at most 1,000 items"]]],
    [2_000, [["headers", "must have at most 1,000 items"]]],
  ])("of %d headers drops none silently", async (count, problems) => {
    const names = Array.from({ length: count }, (_, index) => [`X-${index}`, "1"]);
    const { state } = await pageOf({ ...REMOTE, headers: Object.fromEntries(names) });
    expect(state.problems.map(({ name, message }) => [name, message])).toEqual(problems);
    expect(state.result !== undefined).toBe(problems.length === 0);
  });

  test("takes a guessed name, unless the user typed one", () => {
    const tree: FormValues = new Map();
    const read = (name: string, isNameGuessed: boolean) => {
      const servers = [{ input: { ...LOCAL, name }, isNameGuessed }];
      fillServers(tree, { servers, left_out: [] }, true);
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
      "placeholders stay",
      { name: "a", command: "b", env: { API_KEY: "YOUR_API_KEY_HERE", ID: "<id>" } },
      { name: "a", command: "b", env: { API_KEY: "YOUR_API_KEY_HERE", ID: "<id>" } },
    ],
    [
      "a header and a part of the URL",
      { name: "a", url: "https://x.example/?token=hush123", headers: { "X-Id": "7" } },
      { name: "a", url: "https://x.example/?token=YOUR_SECRET", headers: { "X-Id": "YOUR_X_ID" } },
    ],
    ["a command line", { name: "a", command: "API_KEY=swordfish npx x" }, { name: "a" }],
    [
      "arguments",
      { name: "a", command: "b", args: ["--token", "opensesame", "-y", "--api-key=swordfish"] },
      { name: "a", command: "b", args: ["--token", "YOUR_SECRET", "-y", "--api-key=YOUR_SECRET"] },
    ],
  ])("keeps no secrets: %s", (_, input, kept) => {
    const tree = formOf(input);
    expect<object>(toServerInput(maskSecretsInForm(tree)).input).toEqual(kept);
    expect<object>(toServerInput(tree).input).toEqual(input);
  });
});
