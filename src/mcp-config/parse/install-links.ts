import { type ConfigValues, isPlainObject } from "../json-values.ts";
import { isEntry } from "./entry-fields.ts";
import { type FoundServer, findServers } from "./find-servers.ts";

/** The servers of the install links in a text, the first of each name; none without such a link. */
export function serversOfLinks(text: string): readonly FoundServer[] {
  const links = text.replaceAll("&amp;", "&").match(LINK) ?? [];
  const found = links.flatMap((link) => serversOfLink(link));
  return [...new Map(found.toReversed().map((server) => [server.name, server])).values()].reverse();
}

const LINK = /(?:https?|cursor|vscode(?:-insiders)?|lmstudio):[^\s"'<>)\]]+/g;

/** `…?name=NAME&config=ENTRY`, `vscode:mcp/install?ENTRY`, and `…redirect?url=LINK`. */
function serversOfLink(link: string): readonly FoundServer[] {
  if (!URL.canParse(link)) return [];
  const { protocol, search, searchParams } = new URL(link);
  const inner = searchParams.get("url") ?? "";
  if (/^vscode(?:-insiders)?:/.test(inner)) return serversOfLink(inner);
  const isVsCode = protocol.startsWith("vscode");
  const config = searchParams.get("config") ?? (isVsCode ? decoded(search.slice(1)) : "");
  const entry = parseObject(config) ?? parseObject(fromBase64(config));
  if (!entry) return [];
  if (!isEntry(entry)) return findServers(entry) ?? [];
  const { name = searchParams.get("name") ?? "server", ...fields } = entry;
  return [{ name: String(name), entry: fields, path: [String(name)] }];
}

const decoded = (text: string): string => attemptText(() => decodeURIComponent(text));

/** In a query a `+` of base64 is a space. */
const fromBase64 = (text: string): string =>
  attemptText(() => {
    const base64 = text.replace(/[ -]/g, "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return decoded(new TextDecoder().decode(bytes).replace(/%(?![\dA-F]{2})/gi, "%25"));
  });

function parseObject(text: string): ConfigValues | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text, or none where the link is damaged. */
function attemptText(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof URIError || error instanceof DOMException) return "";
    throw error;
  }
}
