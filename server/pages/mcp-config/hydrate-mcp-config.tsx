/** @jsxImportSource preact */
import { CLIENTS } from "../../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../../src/mcp-config/mcp-config.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { runLocally } from "../form/run-tool.ts";
import { mcpConfigPage } from "./mcp-config-page.tsx";
import { writeServers } from "./write-servers.ts";

hydrateToolPage({
  ...mcpConfigPage,
  ...runLocally(mcpConfigTool),
  run: (_, options, { form }) => writeServers(form, options),
  preferences: { client: CLIENTS[0], more: "", system: ownSystem(), scope: "user" },
  async load() {
    const { parsePasted, readPasted } = await import("./parse-pasted.ts");
    // It loads the readers of configs.
    await parsePasted("");
    return readPasted;
  },
  read: async (text, field, load) => (await load())?.(text, field),
});

function ownSystem(): string {
  const platform = navigator.userAgent;
  return /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
}
