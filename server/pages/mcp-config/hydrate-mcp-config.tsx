/** @jsxImportSource preact */
import { CLIENTS, type McpConfigResult } from "../../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../../src/mcp-config/mcp-config.ts";
import type { ReadText } from "../form/form-state.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { runLocally } from "../form/run-tool.ts";
import { mcpConfigPage } from "./mcp-config-page.tsx";
import type { PastedServer } from "./parse-pasted.ts";
import { fillServerForm } from "./server-form.ts";

hydrateToolPage<McpConfigResult, unknown, typeof import("./parse-pasted.ts")>({
  ...mcpConfigPage,
  ...runLocally(mcpConfigTool),
  preferences: { client: CLIENTS[0], system: ownSystem(), scope: "user" },
  async load() {
    const readers = await import("./parse-pasted.ts");
    // It loads the readers of configs.
    await readers.parsePasted("");
    return readers;
  },
  async read(text, field, load) {
    const found = await (await load())?.parsePasted(text, field || undefined);
    return found && ("reason" in found ? found : chosenOf(found.servers, 0));
  },
});

/** A server, and the others of its text to choose from. */
function chosenOf(servers: readonly PastedServer[], chosen: number): ReadText {
  const server = servers[chosen];
  return {
    notice: server?.summary ?? "",
    change(form) {
      if (server) fillServerForm(form, server);
      return undefined;
    },
    alternatives: {
      titles: servers.map(({ title = "" }) => title),
      chosen,
      choose: (index) => chosenOf(servers, index),
    },
  };
}

function ownSystem(): string {
  const platform = navigator.userAgent;
  return /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
}
