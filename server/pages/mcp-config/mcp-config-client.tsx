/** @jsxImportSource preact */
import { CLIENTS } from "../../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../../src/mcp-config/mcp-config.ts";
import type { Tree } from "../form/form.ts";
import { live } from "../form/live.ts";
import { fillIn } from "./form.ts";
import { McpConfigPage, mcpConfigPage } from "./mcp-config.tsx";
import type { PastedServer } from "./read-server.ts";

/** The servers of the text that was read last, to choose from. */
let servers: readonly PastedServer[] = [];
let chosen = 0;
const { change } = live(mcpConfigPage, mcpConfigTool, {
  view: (state, shown) => (
    <McpConfigPage
      state={state}
      live={shown}
      found={{ titles: servers.map(({ title = "" }) => title), chosen, choose }}
    />
  ),
  remembered: { client: CLIENTS[0], system: ownSystem(), scope: "user" },
  // The readers of configs are loaded at the first sign of a user, for a page that goes offline later.
  preload: async () => (await readers()).readServer(""),
  async read(text, field) {
    const { readServer } = await readers();
    const found = await readServer(text, field || undefined);
    return "reason" in found ? found : choice(found.servers, 0);
  },
});

function choose(index: number): void {
  const { change: how, notice } = choice(servers, index);
  change(how, "Chosen.", { text: notice });
}

function choice(found: readonly PastedServer[], index: number) {
  return {
    notice: found[index]?.summary ?? "",
    change(tree: Tree) {
      servers = found;
      chosen = index;
      const server = found[index];
      if (server) fillIn(tree, server);
      return undefined;
    },
  };
}

const readers = () => import("./read-server.ts");

function ownSystem(): string {
  const platform = navigator.userAgent;
  return /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
}
