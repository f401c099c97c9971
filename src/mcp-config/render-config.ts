import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { groupBy } from "../group-by.ts";
import { SYSTEMS } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import type { McpConfigInParts } from "./mcp-config.ts";

/** Prints an overview. For a single client, prints only its file, byte for byte. */
export function renderMcpConfig({ name, clients, parts }: McpConfigInParts): string {
  const [only, ...others] = clients;
  if (only && others.length === 0) return only.snippet;
  // The advice on pasting stands once, first, and notes that several clients share once, last.
  const configs = clients.map((config, index) => {
    const notes = parts[index]?.notes.filter(({ about }) => about !== "paste") ?? [];
    return { ...config, notes: notes.map(({ text }) => text) };
  });
  const groups = groupBy(
    configs.flatMap(({ notes }) => notes),
    (note) => note,
  );
  const shared = [...groups].filter(([, notes]) => notes.length > 1).map(([note]) => note);
  return [
    `Add the entry to the client's file, replacing any older "${name}". --client NAME prints a whole file.`,
    ...configs.map((config) => renderSection(config, configs, shared)),
    ...(shared.length === 0 ? [] : [`Several clients\n${bulleted(shared)}`]),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function renderSection(
  config: ClientConfig,
  clients: readonly ClientConfig[],
  shared: readonly string[],
): string {
  const { bash, powershell, link } = config.install;
  const notes = config.notes.filter((note) => !shared.includes(note));
  const twin = clients.find(({ entry }) => entry === config.entry);
  return [
    config.title,
    ...(bash ? [`  bash, zsh: ${bash}`] : []),
    ...(powershell ? [`  PowerShell on Windows: ${powershell}`] : []),
    ...(link ? [`  link: ${link}`] : []),
    ...listPathRows(config.locations),
    ...(twin && twin !== config
      ? [`  entry${describeParentKey(config)}: as for ${twin.title}`]
      : [
          `  entry${describeParentKey(config)}:`,
          ...compactShortLists(config.entry).map((line) => `    ${line}`),
        ]),
    ...(notes.length === 0 ? [] : [bulleted(notes)]),
  ].join("\n");
}

/** The key that contains the entry. A TOML table has it in its header. */
const describeParentKey = ({ client, format }: ClientConfig): string =>
  format === "json" ? ` in "${clientDefinitions[client].rootKey}"` : "";

/** One row for each path, with its operating systems. */
function listPathRows(locations: ClientConfig["locations"]): string[] {
  return [...groupBy(locations, ({ path }) => path)].map(([path, sharers]) => {
    const systems = sharers.map(({ os }) => SYSTEMS[os]);
    return `  ${sharers[0]?.scope === "project" ? "project" : systems.join(", ")}: ${path}`;
  });
}

/** Puts each short list on one line. JSON strings cannot contain line breaks. */
const compactShortLists = (entry: string): string[] =>
  entry
    .trimEnd()
    .replace(/^.*: \[\n(?:.*\n)*? *\],?$/gm, (list) => {
      const joined = list.replace(/\n *(?=\])|(?<=\[)\n */g, "").replace(/\n */g, " ");
      return joined.length <= MAX_WIDTH ? joined : list;
    })
    .split("\n");

/** Maximum width of a list on one line, in columns. */
const MAX_WIDTH = 100;

const bulleted = (notes: readonly string[]): string =>
  notes.map((note) => `  - ${note}`).join("\n");
