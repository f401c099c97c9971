import { writeJsonLine } from "./json.ts";

/** VS Code decodes a link's text once or twice, so that a `%` must not be left in it. */
export const vscodeLink = (server: unknown): string =>
  `vscode:mcp/install?${encode(writeJsonLine(server, /[^ -~]|%/g))}`;

/** Cursor's link holds the bare entry in base64; ASCII alone, so that no decoder can mistake it. */
export const cursorLink = (name: string, entry: unknown): string =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encode(btoa(writeJsonLine(entry, /[^ -~]/g)))}`;

/** `encodeURIComponent` leaves `'` alone, at which some programs end a link. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
