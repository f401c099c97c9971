import { type ConfigValues, isPlainObject } from "../json-values.ts";
import { isEntry } from "./entry-fields.ts";
import { type FoundServer, findServers } from "./find-servers.ts";

/** Lists the servers in the install links of a text. For a repeated name, the first wins. */
export function parseServersOfLinks(text: string): readonly FoundServer[] {
  const links = text.replaceAll("&amp;", "&").match(INSTALL_LINK) ?? [];
  const found = links.flatMap((link) => parseServersOfLink(link));
  return [...new Map(found.toReversed().map((server) => [server.name, server])).values()].reverse();
}

const INSTALL_LINK = /(?:https?|cursor|vscode(?:-insiders)?|lmstudio):[^\s"'<>)\]]+/g;

/** Parses `…?name=NAME&config=ENTRY`, `vscode:mcp/install?ENTRY`, and `…redirect?url=LINK`. */
function parseServersOfLink(link: string): readonly FoundServer[] {
  if (!URL.canParse(link)) return [];
  const query = link.slice(link.indexOf("?") + 1);
  const given = new Map(new URL(link).searchParams);
  const inner = given.get("url") ?? "";
  if (/^vscode(?:-insiders)?:/.test(inner)) return parseServersOfLink(inner);
  // The whole query of VS Code is JSON. The parser of a query accepts damaged escapes.
  const parameter = `json=${query.replace(/[+#&]/g, encodeURIComponent)}`;
  const json = new Map(new URL(`query:?${parameter}`).searchParams).get("json");
  const config = given.get("config") ?? (link.startsWith("vscode") && json ? json : "");
  const entry = parseObject(config) ?? parseObject(fromBase64(config));
  if (!entry) return [];
  if (!isEntry(entry)) return findServers(entry) ?? [];
  const { name = given.get("name") ?? "server", ...fields } = entry;
  return [{ name: String(name), entry: fields, path: [String(name)] }];
}

/** In a query, base64's `+` becomes a space. */
function fromBase64(text: string): string {
  const base64 = text.replace(/[ -]/g, "+").replaceAll("_", "/").replace(/=+$/, "");
  if (!/^[\w+/]+$/.test(base64) || base64.length % 4 === 1) return "";
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
}

function parseObject(text: string): ConfigValues | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
