import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { formatSome } from "../text.ts";
import {
  aboutShell,
  type ClientDefinition,
  type ClientNote,
  replacesReferences,
  type ServerFacts,
} from "./client-definition.ts";
import {
  envOrHeaders,
  listServerStrings,
  type McpServer,
  type ServerVariable,
  type VariableValues,
} from "./mcp-server.ts";
import { findSecrets, type Secrets } from "./secrets.ts";
import { listShellVariables, toBashCommand, toPowerShellCommand } from "./shell-commands.ts";
import {
  findReferences,
  parseBearerReference,
  rewriteReferences,
  type StringWithReferences,
  variableForKey,
} from "./variable-references.ts";
import {
  formatJsonFile,
  formatJsonMember,
  formatToml,
  type ServerEntry,
} from "./write-json-toml.ts";

export interface WrittenServer {
  readonly name: string;
  readonly client: ClientDefinition;
  /** The server with references in the client's syntax. */
  readonly server: McpServer;
  /** The strings whose references the client replaces. */
  readonly replaced: readonly StringWithReferences[];
  readonly entry: ServerEntry;
  /** The prompts for the entry's values, which VS Code stores as `inputs`. */
  readonly prompts: readonly unknown[];
  /** The client's whole file with only this server. */
  readonly snippet: string;
}

/** Writes a client's config: its file, commands and notes. `parts` is for editing files, and for the page. */
export function writeClientConfig(client: ClientDefinition, facts: ServerFacts) {
  const parts = writeServer(client, facts);
  const { snippet, entry } = parts;
  const { install, notes } = describeInstall(parts, facts);
  const config: ClientConfig = {
    client: client.id,
    title: client.title,
    source: client.source,
    verified: client.verified,
    format: client.format,
    locations: [...client.locations],
    snippet,
    entry: client.format === "toml" ? snippet : formatJsonMember(facts.server.name, entry),
    install,
    notes: notes.map(({ text }) => text),
  };
  return { config, parts: { ...parts, notes } };
}

function writeServer(client: ClientDefinition, facts: ServerFacts): WrittenServer {
  const { references, userValues } = facts;
  const { syntaxes: [syntax] = [], promptReference } = client.references ?? {};
  const replaced = references.filter((text) => replacesReferences(client, text));
  const server = rewriteReferences(facts.server, replaced, (name) => {
    const input = userValues.get(name);
    if (input && promptReference) return promptReference(input, facts.server);
    return syntax?.replace("NAME", () => name);
  });
  const others = references.filter((text) => !replaced.includes(text));
  // The client does not replace these, so write the value or the placeholder `<NAME>`.
  const inFile = rewriteReferences(server, others, (name) =>
    userValues.has(name) ? (userValues.get(name)?.value ?? `<${name}>`) : undefined,
  );
  const { name } = server;
  const cwd = client.hasCwd && server.transport === "stdio" ? server.cwd : undefined;
  const entry = { ...client.entry(inFile), ...(cwd !== undefined && { cwd }) };
  const prompts = client.prompts?.(name, entry, userValues) ?? [];
  const snippet =
    client.format === "toml"
      ? formatToml(client.rootKey, name, entry)
      : formatJsonFile(client.rootKey, formatJsonMember(name, entry), prompts);
  return { name, client, server, replaced, entry, prompts, snippet };
}

/** Describes the commands and the link that add the server, with notes for the user. */
function describeInstall(
  { client, server, replaced, entry: { cwd } }: WrittenServer,
  facts: ServerFacts,
) {
  const { secrets, userValues } = facts;
  const ways = (cwd === undefined && client.install) || {};
  const command = ways.commands?.(server, secrets, userValues) ?? {};
  const { words, because } = command;
  const bash = words && toBashCommand(words);
  const powershell =
    "powershell" in command ? command.powershell : words && toPowerShellCommand(words);
  const noLink = ways.link && noteWithoutLink(facts);
  const link = noLink === undefined && ways.link?.(server, userValues);
  const install: ClientConfig["install"] = {};
  if (bash !== undefined) install.bash = bash;
  if (powershell !== undefined) install.powershell = powershell;
  if (link) install.link = link;
  const variables = bash === undefined ? [] : listShellVariables(words ?? []);
  const ofRow = client
    .notes(facts)
    .map((note) => (typeof note === "string" ? { about: "client" as const, text: note } : note))
    .filter(({ about }) => about !== "shell" || words !== undefined);
  const notes: ClientNote[] = [
    { about: "paste", text: formatPasteNote(client, server.name) },
    ...ofRow,
    ...(because ? aboutShell(`There is no shell command, because ${because}.`) : []),
    ...noteOnReferences(client, replaced, userValues),
    ...(variables.length > 0
      ? aboutShell(
          `The shell command reads ${variables.join(", ")} from your shell: set it there first.`,
        )
      : []),
    ...noteOnProject(client, secrets),
    ...(words && bash === undefined ? aboutShell(NO_SHELL_COMMAND) : []),
    ...(bash !== undefined && powershell === undefined ? aboutShell(NO_POWERSHELL_LINE) : []),
    ...(cwd === undefined ? [] : aboutShell(NO_COMMAND_OR_LINK)),
    ...(noLink === undefined ? [] : [noLink]),
  ];
  return { install, notes };
}

/** Computes facts about a server that all clients share. */
export function collectServerFacts(
  server: McpServer,
  userValues: readonly ServerVariable[] = [],
): ServerFacts {
  const strings = listServerStrings(server);
  const references = findReferences(server, strings);
  return {
    server,
    strings,
    references,
    secrets: findSecrets(server),
    userValues: new Map(userValues.map((input) => [input.name, input])),
  };
}

/** Explains why a link would leave a secret in the browser history, and what to do. */
function noteWithoutLink({ server, secrets }: ServerFacts): ClientNote | undefined {
  const values = Object.entries(envOrHeaders(server));
  const keys = values.filter(([, value]) => !parseBearerReference(value)).map(([key]) => key);
  if (keys.length > 0) {
    const references = keys.map((key) => `\${${variableForKey(server, key)}}`);
    const text = `No one-click install while a value is written out (${formatSome(keys)}): your browser history would keep it. Use ${formatSome(references)} instead.`;
    return { about: "link/values", text };
  }
  const field =
    server.transport === "stdio"
      ? secrets.args.length > 0 && "args"
      : (secrets.parameters.length > 0 || secrets.inPath) && "url";
  const text = `No one-click install while ${field} seems to hold a secret: it would end up in your browser history.`;
  return field ? { about: "link", text } : undefined;
}

const formatPasteNote = (client: ClientDefinition, name: string): string =>
  client.format === "json"
    ? `If the file has other servers, add "${name}" to its "${client.rootKey}", replacing any old entry of that name.`
    : `If the file has other settings, append these tables and remove the old ones: a second [${client.rootKey}.${name}] is an error.`;

const noteOnReferences = (
  { title, references }: ClientDefinition,
  replaced: readonly StringWithReferences[],
  userValues: VariableValues,
): ClientNote[] => {
  const isAsked = (name: string) => references?.promptReference && userValues.has(name);
  const needed = new Set(replaced.flatMap(({ names }) => names).filter((name) => !isAsked(name)));
  if (needed.size === 0) return [];
  const text = `${title} reads ${[...needed].join(", ")} from its environment: set it before you start ${title}.`;
  return [{ about: "client", text }];
};

function noteOnProject(
  { locations, file }: ClientDefinition,
  { secretNames }: Secrets,
): ClientNote[] {
  const inProject = locations.filter(({ scope }) => scope === "project");
  const project = inProject.at(file?.readsOnlyFirst ? 0 : -1);
  if (!project || secretNames.length === 0) return [];
  const text = `Keep ${project.path} out of version control while the value of ${secretNames.join(", ")} is in it.`;
  return [{ about: "project", text }];
}

const NO_COMMAND_OR_LINK = "There is no shell command and no link, because neither can set cwd.";
const NO_SHELL_COMMAND =
  "There is no shell command, because the server contains a line break or a hidden character.";
const NO_POWERSHELL_LINE =
  'There is no PowerShell command, because it would be too long, or contain something that Windows changes: an empty word, a hidden character, a backslash at the end of a word, or one of "%&|<>^().';
