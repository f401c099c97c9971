import type { Warning } from "../../schemas/common.ts";
import type { TextOptionsOf } from "../../schemas/contract.ts";
import type { ClientConfig, McpConfigResult, mcpConfigContract } from "../../schemas/mcp-config.ts";
import type { Rendering } from "../tool.ts";

/**
 * The five configs with headings; with `client` that client's file alone, byte for byte, and the
 * warnings that concern it.
 */
export function renderMcpConfig(
  { clients, warnings }: McpConfigResult,
  { client }: TextOptionsOf<typeof mcpConfigContract>,
): Rendering {
  const ownPaths = clients.map((_, index) => `clients[${index}]`);
  // The message names the client; its place in the result means nothing in the text.
  const withoutPlace = (warning: Warning) =>
    ownPaths.includes(warning.path) ? { ...warning, path: "" } : warning;
  const chosen = clients.findIndex((config) => config.client === client);
  const config = clients[chosen];
  if (!config) {
    return { text: clients.map(section).join("\n"), warnings: warnings.map(withoutPlace) };
  }
  const concerns = ({ path }: Warning) => path === ownPaths[chosen] || !ownPaths.includes(path);
  return { text: config.snippet, warnings: warnings.filter(concerns).map(withoutPlace) };
}

function section({ title, locations, snippet, install, notes }: ClientConfig): string {
  const { bash, powershell, link } = install;
  return [
    `${title}\n${"=".repeat(title.length)}\n`,
    `${locationLines(locations).join("\n")}\n`,
    snippet,
    ...(bash ? [`bash:\n  ${bash}\n`] : []),
    ...(powershell ? [`PowerShell:\n  ${powershell}\n`] : []),
    ...(link ? [`Link:\n  ${link}\n`] : []),
    `${notes.map((note) => `- ${note}`).join("\n")}\n`,
  ].join("\n");
}

/** One line for each path, with the systems on which it is the path. */
function locationLines(locations: ClientConfig["locations"]): string[] {
  const places = new Set(locations.map(({ scope, path }) => `${scope}\n${path}`));
  return Array.from(places, (place) => {
    const [scope, path] = place.split("\n");
    const systems = locations
      .filter((location) => location.scope === scope && location.path === path)
      .map(({ os }) => SYSTEMS[os]);
    return `${scope}, ${systems.length === 3 ? "every system" : systems.join(" and ")}: ${path}`;
  });
}

const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;
