import {
  aboutShell,
  type ClientRow,
  JSONC,
  projectFile,
  systemPaths,
  typedEntry,
  XDG_VARIABLE,
} from "../client-definition.ts";
import { asString, uniqueNames } from "../json-values.ts";
import {
  type McpServer,
  mapStrings,
  type ServerVariable,
  type VariableValues,
} from "../mcp-server.ts";
import { encodeJsonForLink, toPowerShellJsonCommand } from "../shell-commands.ts";
import { isEditorVariable } from "../variable-references.ts";
import { showInvisible } from "../write-json-toml.ts";

export const vscode: ClientRow = {
  title: "VS Code",
  program: "code",
  source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
  verified: "2026-11-25, 1.139.1",
  rootKey: "servers",
  locations: [
    ...systemPaths("user", {
      macos: "~/Library/Application Support/Code/User/mcp.json",
      windows: "%APPDATA%\\Code\\User\\mcp.json",
      linux: "~/.config/Code/User/mcp.json",
    }),
    ...projectFile(".vscode/mcp.json"),
  ],
  entry: typedEntry,
  hasCwd: true,
  prompts: (name, entry, known) => listPrompts(name, entry, byPrompt(name, known)),
  references: {
    syntaxes: ["${env:NAME}"],
    alsoReplaces: (part, field) => (part === "~" && field !== "env") || isOwnVariable(part),
    // VS Code parses the URL before replacing variables, and drops URLs without a scheme.
    replaces: ({ path, value }) => path[0] !== "url" || /^https?:/i.test(value),
    promptReference: (input, server) => `\${input:${promptId(server.name, input.name)}}`,
  },
  dialect: JSONC,
  isOwnKind: ({ url }) => /^(?:unix|pipe):\/\//.test(asString(url)),
  // https://github.com/microsoft/vscode/blob/main/src/vs/platform/environment/node/userDataPath.ts
  home: [XDG_VARIABLE],
  install: {
    commands(server, { names }, userValues) {
      const json = JSON.stringify(namedEntry(server, names, userValues));
      return {
        words: ["code", "--add-mcp", showInvisible(json)],
        powershell: toPowerShellJsonCommand("code --add-mcp", json),
      };
    },
    link: (server, userValues) =>
      `vscode:mcp/install?${encodeJsonForLink(namedEntry(server, new Set(), userValues))}`,
    button: {
      colour: "0098FF",
      // https://code.visualstudio.com/api/extension-guides/ai/mcp
      link: (name, entry, prompts) =>
        `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encodeJsonForLink(entry)}${prompts.length > 0 ? `&inputs=${encodeJsonForLink(prompts)}` : ""}`,
    },
  },
  notes: ({ secrets, userValues, strings }) => [
    'The command "MCP: Open User Configuration" opens your user config, even if a profile has another; VS Code also reads .mcp.json and ~/.copilot/mcp-config.json.',
    ...(secrets.names.size === 0
      ? []
      : aboutShell(
          `The bash and PowerShell commands omit the value of ${[...secrets.names].join(", ")}: VS Code asks for it once and stores it.`,
        )),
    ...(userValues.size > 0 || strings.some(({ value }) => value.includes("${input:"))
      ? [INPUTS_NOTE]
      : []),
  ],
};

const isOwnVariable = (part: string): boolean =>
  /^\$\{(?:env|input|config|command|extensionInstallFolder|workspaceFolder\w*):[^}]*\}$/.test(
    part,
  ) ||
  part === "${/}" ||
  isEditorVariable(part.slice(2, -1));

/** The entry with its name, as `code --add-mcp` reads it. VS Code prompts for the secrets. */
function namedEntry(
  server: McpServer,
  secrets: ReadonlySet<string>,
  known: VariableValues,
): object {
  const { name } = server;
  const unique = uniqueNames("_");
  const ids = new Map(Array.from(secrets, (key) => [key, unique(promptId(name, key))]));
  const asked = mapStrings(server, (value, [field, key]) => {
    const id = field === "env" || field === "headers" ? ids.get(String(key)) : undefined;
    return id === undefined ? value : `\${input:${id}}`;
  });
  const entry = typedEntry(asked);
  const inputs = byPrompt(name, known);
  for (const [key, id] of ids) inputs.set(id, { name: key, secret: true });
  const prompts = listPrompts(name, entry, inputs);
  return { name, ...entry, ...(prompts.length > 0 && { inputs: prompts }) };
}

/** The prompts for the `${input:NAME}` references in an entry. VS Code calls them inputs. */
function listPrompts(
  server: string,
  entry: unknown,
  known: ReadonlyMap<string, ServerVariable>,
): readonly object[] {
  const ids = JSON.stringify(entry).matchAll(/\$\{input:([^}"\\]+)\}/g);
  return Array.from(new Set(Array.from(ids, ([, id = ""]) => id)), (id) => {
    const { name = id, description, secret = true, choices } = known.get(id) ?? {};
    const asked = { id, description: description || `${name} of ${server}` };
    return choices
      ? { type: "pickString", ...asked, options: choices }
      : { type: "promptString", ...asked, password: secret };
  });
}

const byPrompt = (server: string, known: VariableValues = new Map()): Map<string, ServerVariable> =>
  new Map(Array.from(known.values(), (one) => [promptId(server, one.name), one]));

/** The prompt's ID, in characters that Visual Studio accepts, because it reads the same files. */
const promptId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");

const INPUTS_NOTE =
  "VS Code asks for the inputs once and stores them; Copilot's agent sessions do not get such a server. If you paste only the entry, add the file's inputs too.";
