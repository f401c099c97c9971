import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { showInvisible, typedEntry } from "../formats.ts";
import { powershellJsonLine, vscodeLink } from "../one-liners.ts";
import type { Server, StringMap } from "../server.ts";

export const vscode: ClientDefinition = {
  id: "vscode",
  title: "VS Code",
  format: "json",
  rootKey: "servers",
  locations: [
    ...locations("user", {
      macos: "~/Library/Application Support/Code/User/mcp.json",
      windows: "%APPDATA%\\Code\\User\\mcp.json",
      linux: "~/.config/Code/User/mcp.json",
    }),
    ...projectFile(".vscode/mcp.json"),
  ],
  entry: typedEntry,
  variables:
    /\$\{(?:(?:env|input|config|command|extensionInstallFolder|workspaceFolder\w*):[^}]*|(?:workspace|file|relativeFile)\w*|userHome|cwd|execPath|execInstallFolder|pathSeparator|\/|lineNumber|columnNumber|selectedText|defaultBuildTask)\}/g,
  rewrittenPaths: { fields: ["command", "args"], pattern: /^~(?:$|[\\/])/ },
  commands(server, { names }) {
    const json = JSON.stringify(definition(server, names));
    return {
      bash: ["code", "--add-mcp", showInvisible(json)],
      powershell: powershellJsonLine("code --add-mcp", json),
    };
  },
  link: (server) => vscodeLink({ name: server.name, ...typedEntry(server) }),
  notes: (_, { names }) => [
    "The command MCP: Open User Configuration opens the user's file, also in a profile of its own.",
    ...promptNotes([...names]),
  ],
  warnAbout(server, diagnostics) {
    if (server.transport === "stdio" && Object.hasOwn(server.env, "PATH")) {
      const message =
        "VS Code appends env.PATH to its own PATH, while the other clients replace theirs";
      diagnostics.info("path-appended", message);
    }
  },
};

/** The entry with its name, as `code --add-mcp` takes it. VS Code asks for the secrets itself. */
function definition(server: Server, secrets: ReadonlySet<string>): object {
  const ids = inputIds(server.name, secrets);
  const inputs = [...ids].map(([key, id]) => ({
    type: "promptString",
    id,
    description: `${key} of ${server.name}`,
    password: true,
  }));
  const entry = typedEntry(withInputs(server, ids));
  return { name: server.name, ...entry, ...(inputs.length === 0 ? {} : { inputs }) };
}

function withInputs(server: Server, ids: ReadonlyMap<string, string>): Server {
  const reference = (map: StringMap) =>
    Object.fromEntries(
      Object.entries(map).map(([key, value]) => {
        const id = ids.get(key);
        return [key, id === undefined ? value : `\${input:${id}}`];
      }),
    );
  return server.transport === "stdio"
    ? { ...server, env: reference(server.env) }
    : { ...server, headers: reference(server.headers) };
}

/** An id for each secret, of the characters that Visual Studio takes too. */
function inputIds(server: string, secrets: ReadonlySet<string>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  /** The last number given for each base, so that many equal bases are not counted from 2 again. */
  const counts = new Map<string, number>();
  for (const key of secrets) {
    const base = `${server}_${key}`.toLowerCase().replace(/[^a-z0-9]/g, "_");
    let id = base;
    let count = counts.get(base) ?? 1;
    while (taken.has(id)) {
      count += 1;
      id = `${base}_${count}`;
    }
    counts.set(base, count);
    taken.add(id);
    ids.set(key, id);
  }
  return ids;
}

const promptNotes = (secrets: readonly string[]): string[] =>
  secrets.length === 0
    ? []
    : [
        `The bash and PowerShell lines hold no value of ${secrets.join(", ")}: VS Code asks for it once and keeps the answer.`,
      ];
