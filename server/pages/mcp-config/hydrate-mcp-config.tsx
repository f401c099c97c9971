/** @jsxImportSource preact */
import { CLIENTS, extendedMcpConfigInput, mcpConfigContract } from "../../../schemas/mcp-config.ts";
import { validate } from "../../../src/issues.ts";
import { writeConfigsInParts } from "../../../src/mcp-config/mcp-config.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { isBeyondApi } from "../form/run-tool.ts";
import { mcpConfigPage } from "./mcp-config-page.tsx";
import { writeServers } from "./write-servers.ts";

hydrateToolPage({
  ...mcpConfigPage,
  // A link is tried before there is a form.
  run: (input, options, { form }) =>
    form.size > 0
      ? writeServers(form, options)
      : { result: writeConfigsInParts(validate(extendedMcpConfigInput, input), options) },
  isBeyondApi: (input) => isBeyondApi(mcpConfigContract, input),
  preferences: { client: CLIENTS[0], more: "", system: ownSystem(), scope: "user" },
  loadReader: async () => (await import("./parse-pasted.ts")).readPasted,
  readText: async (text, field, load) => (await load())?.(text, field),
});

function ownSystem(): string {
  const platform = navigator.userAgent;
  return /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
}
