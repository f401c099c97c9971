import { unicodeEscape } from "./json.ts";

/** VS Code decodes a link's text once or twice, so that a `%` must not be left in it. */
export function vscodeLink(server: unknown): string {
  const config = JSON.stringify(server).replace(/[^ -~]|%/g, unicodeEscape);
  return `vscode:mcp/install?${encode(config)}`;
}

/** Cursor's link holds the bare entry in base64; ASCII alone, so that no decoder can mistake it. */
export function cursorLink(name: string, entry: unknown): string {
  const config = btoa(JSON.stringify(entry).replace(/[^ -~]/g, unicodeEscape));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encode(config)}`;
}

/** `encodeURIComponent` leaves `'` alone, at which some programs end a link. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
