import type { Client } from "../../../schemas/mcp-config.ts";
import type { ClientDefinition } from "../client.ts";
import type { Entry } from "../formats.ts";
import { cursorLink, jsonForLink } from "../one-liners.ts";
import type { Server } from "../server.ts";
import type { Inputs } from "../server-json/inputs.ts";

/** A button that installs a server, by a page of the client's maker: GitHub drops links of other schemes. */
interface Button {
  readonly colour: string;
  readonly link: (name: string, entry: Entry, inputs: readonly unknown[]) => string;
}

export const BUTTONS: Partial<Record<Client, Button>> = {
  vscode: {
    colour: "0098FF",
    // https://code.visualstudio.com/api/extension-guides/ai/mcp
    link: (name, entry, inputs) =>
      `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${jsonForLink(entry)}${inputs.length > 0 ? `&inputs=${jsonForLink(inputs)}` : ""}`,
  },
  cursor: {
    colour: "141414",
    // https://cursor.com/docs/mcp/install-links
    link: (name, entry) => cursorLink("https://cursor.com/en/install-mcp", name, entry),
  },
  "lm-studio": {
    colour: "4A3AFF",
    // https://lmstudio.ai/docs/app/mcp/deeplink
    link: (name, entry) => cursorLink("https://lmstudio.ai/install-mcp", name, entry),
  },
  kiro: {
    colour: "9046FF",
    // https://kiro.dev/docs/mcp/share
    link: (name, entry) =>
      `https://kiro.dev/launch/mcp/add?name=${name}&config=${jsonForLink(entry)}`,
  },
};

/** The longest link that browsers and GitHub keep as it is. */
export const LONGEST_LINK = 8000;

/** The address of a client's button; undefined for a client without one. */
export function buttonLink(
  { id, entry, inputs }: ClientDefinition,
  server: Server,
  known: Inputs,
): string | undefined {
  const written = entry(server);
  const asked = inputs?.(server.name, written, known) ?? [];
  return BUTTONS[id]?.link(server.name, written, asked).replace(/[()*~]/g, encodeMark);
}

/** `encodeURIComponent` keeps the marks that Markdown reads in a link. */
const encodeMark = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
