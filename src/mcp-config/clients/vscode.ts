import {
  type ClientDefinition,
  projectFile,
  systemPaths,
  typedEntry,
  XDG_VARIABLE,
} from "../client.ts";
import { showInvisible } from "../formats.ts";
import { jsonForLink, powershellJsonLine, vscodeLink } from "../one-liners.ts";
import { isEditorVariable } from "../references.ts";
import { mapTexts, type Server, type ServerInputs } from "../server.ts";
import { uniqueNames } from "../unique-names.ts";
import { listTexts } from "../values.ts";

export const vscode: ClientDefinition = {
  id: "vscode",
  title: "VS Code",
  format: "json",
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
  prompts: promptsIn,
  references: {
    forms: ["${env:NAME}"],
    alsoReplaces: (part, field) => (part === "~" && field !== "env") || isOwnVariable(part),
    // VS Code parses a URL before it replaces variables, and drops a server whose URL has no scheme.
    replaces: ({ path, value }) => path[0] !== "url" || hasScheme(value),
    promptReference: (input, server) => `\${input:${promptId(server.name, input.name)}}`,
  },
  commands(server, { names }, serverInputs) {
    const json = JSON.stringify(namedEntry(server, names, serverInputs));
    return {
      words: ["code", "--add-mcp", showInvisible(json)],
      powershell: powershellJsonLine("code --add-mcp", json),
    };
  },
  link: (server, serverInputs) => vscodeLink(namedEntry(server, new Set(), serverInputs)),
  button: {
    colour: "0098FF",
    // https://code.visualstudio.com/api/extension-guides/ai/mcp
    link: (name, entry, prompts) =>
      `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${jsonForLink(entry)}${prompts.length > 0 ? `&inputs=${jsonForLink(prompts)}` : ""}`,
  },
  dialect: "jsonc",
  // https://github.com/microsoft/vscode/blob/main/src/vs/platform/environment/node/userDataPath.ts
  home: XDG_VARIABLE,
  notes: ({ server, secrets, serverInputs }) => [
    'The command "MCP: Open User Configuration" opens your own file, also where a profile has another.',
    ...promptNotes([...secrets.names]),
    ...(serverInputs.size + promptsIn(server.name, typedEntry(server)).length === 0
      ? []
      : [INPUTS_NOTE]),
  ],
};

const isOwnVariable = (part: string): boolean =>
  /^\$\{(?:env|input|config|command|extensionInstallFolder|workspaceFolder\w*):[^}]*\}$/.test(
    part,
  ) ||
  part === "${/}" ||
  isEditorVariable(part.slice(2, -1));

const hasScheme = (url: string): boolean => /^https?:/i.test(url);

/** The entry with its name, as `code --add-mcp` reads it. VS Code asks for the secrets itself. */
function namedEntry(server: Server, secrets: ReadonlySet<string>, known: ServerInputs): object {
  const { name } = server;
  const entry = typedEntry(server);
  const named = promptsIn(name, entry, known);
  if (secrets.size === 0) return { name, ...entry, ...inputsMember(named) };
  const ids = promptIds(name, secrets);
  const prompts = [...Array.from(ids, ([key, id]) => secretPrompt(id, key, name)), ...named];
  return { name, ...typedEntry(withPrompts(server, ids)), ...inputsMember(prompts) };
}

/** What VS Code calls an input: a question to its user, and how to ask it. */
interface Prompt {
  readonly type: "promptString" | "pickString";
  readonly id: string;
  readonly description: string;
  readonly password?: boolean;
  readonly options?: readonly string[];
}

const secretPrompt = (id: string, asked: string, server: string): Prompt => ({
  type: "promptString",
  id,
  description: `${asked} of ${server}`,
  password: true,
});

/** The prompts that the texts of an entry name as `${input:NAME}`. */
function promptsIn(server: string, entry: unknown, known?: ServerInputs): Prompt[] {
  const texts = listTexts(entry).filter((text) => text.includes("${input:"));
  if (texts.length === 0) return [];
  const ids = texts.flatMap((text) =>
    Array.from(text.matchAll(/\$\{input:([^}]+)\}/g), ([, id = ""]) => id),
  );
  const described = new Map(
    Array.from(known?.values() ?? [], (one) => [promptId(server, one.name), one]),
  );
  return Array.from(new Set(ids), (id) => {
    const { name = id, description, secret = true, choices } = described.get(id) ?? {};
    const asked = { ...secretPrompt(id, name, server), ...(description && { description }) };
    if (!choices) return { ...asked, password: secret };
    const { password: _, ...pick } = asked;
    return { ...pick, type: "pickString", options: choices };
  });
}

const inputsMember = (prompts: readonly Prompt[]): { inputs?: readonly Prompt[] } =>
  prompts.length === 0 ? {} : { inputs: prompts };

const withPrompts = (server: Server, ids: ReadonlyMap<string, string>): Server =>
  mapTexts(server, (value, [field, key]) => {
    const id = field === "env" || field === "headers" ? ids.get(String(key)) : undefined;
    return id === undefined ? value : `\${input:${id}}`;
  });

/** The id of the prompt for each secret. */
function promptIds(server: string, secrets: ReadonlySet<string>): ReadonlyMap<string, string> {
  const unique = uniqueNames("_");
  return new Map(Array.from(secrets, (key) => [key, unique(promptId(server, key))]));
}

/** The id of VS Code's prompt for a value, of characters that Visual Studio accepts: both read the same files. */
export const promptId = (server: string, name: string): string =>
  `${server}_${name}`.toLowerCase().replace(/[^a-z0-9_]/g, "_");

const promptNotes = (secrets: readonly string[]): string[] =>
  secrets.length === 0
    ? []
    : [
        `The bash and PowerShell lines hold no value of ${secrets.join(", ")}: VS Code asks for it once and keeps the answer.`,
      ];

const INPUTS_NOTE =
  "VS Code asks for the inputs once and keeps the answers. With the entry alone, add the inputs of the whole file too.";
