import type { ClientConfig, McpConfigResult } from "../../schemas/mcp-config.ts";
import { groupBy } from "../group-by.ts";
import { SYSTEMS } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { formatPasteNote } from "./write-client-config.ts";

/** An overview of the configs; of a single client only its file, byte for byte. */
export function renderMcpConfig({ name, clients }: McpConfigResult): string {
  const [only, ...others] = clients;
  return only && others.length === 0 ? only.snippet : renderOverview(name, clients);
}

/** All configs. The note on how to paste comes once, first, and notes of several clients once, last. */
function renderOverview(name: string, clients: readonly ClientConfig[]): string {
  const counts = new Map<string, number>();
  for (const config of clients) {
    for (const note of notesBesidesPaste(config, name))
      counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > 1).map(([note]) => note);
  return [
    `Put the entry into the client's file, in place of an older "${name}". --client NAME prints a whole file.`,
    ...clients.map((config) => renderSection(config, name, clients, shared)),
    ...(shared.length === 0 ? [] : [`Several clients\n${bulleted(shared)}`]),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function renderSection(
  config: ClientConfig,
  name: string,
  clients: readonly ClientConfig[],
  shared: readonly string[],
): string {
  const { bash, powershell, link } = config.install;
  const notes = notesBesidesPaste(config, name).filter((note) => !shared.includes(note));
  const twin = clients.find(({ entry }) => entry === config.entry);
  return [
    config.title,
    ...(bash ? [`  bash, zsh: ${bash}`] : []),
    ...(powershell ? [`  PowerShell on Windows: ${powershell}`] : []),
    ...(link ? [`  link: ${link}`] : []),
    ...pathRows(config.locations),
    ...(twin && twin !== config
      ? [`  entry${describeParentKey(config)}: as for ${twin.title}`]
      : [
          `  entry${describeParentKey(config)}:`,
          ...compactShortLists(config.entry).map((line) => `    ${line}`),
        ]),
    ...(notes.length === 0 ? [] : [bulleted(notes)]),
  ].join("\n");
}

/** Leaves out the note on how to paste: the overview has it once for all clients. */
const notesBesidesPaste = ({ client, notes }: ClientConfig, name: string): readonly string[] =>
  notes.filter((note) => note !== formatPasteNote(clientDefinitions[client], name));

/** The key under which the entry belongs; a TOML table has it in its header. */
const describeParentKey = ({ client, format }: ClientConfig): string =>
  format === "json" ? ` in "${clientDefinitions[client].rootKey}"` : "";

/** One row for each path, with the systems that have it there. */
function pathRows(locations: ClientConfig["locations"]): string[] {
  return [...groupBy(locations, ({ path }) => path)].map(([path, sharers]) => {
    const systems = sharers.map(({ os }) => SYSTEMS[os]);
    return `  ${sharers[0]?.scope === "project" ? "project" : systems.join(", ")}: ${path}`;
  });
}

/** The lines of an entry, with each short list on one line. A line of JSON never ends inside a string. */
const compactShortLists = (entry: string): string[] =>
  entry
    .trimEnd()
    .replace(/^.*: \[\n(?:.*\n)*? *\],?$/gm, (list) => {
      const joined = list.replace(/\n *(?=\])|(?<=\[)\n */g, "").replace(/\n */g, " ");
      return joined.length <= WIDTH ? joined : list;
    })
    .split("\n");

/** The widest list that still reads at a glance, in columns. */
const WIDTH = 100;

const bulleted = (notes: readonly string[]): string =>
  notes.map((note) => `  - ${note}`).join("\n");
