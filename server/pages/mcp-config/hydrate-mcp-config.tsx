/** @jsxImportSource preact */
import { CLIENTS, extendedMcpConfigInput } from "../../../schemas/mcp-config.ts";
import { validate } from "../../../src/issues.ts";
import { writeConfigsInParts } from "../../../src/mcp-config/mcp-config.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { mcpConfigPage } from "./mcp-config-page.tsx";
import { writeServers } from "./write-servers.ts";

hydrateToolPage({
  ...mcpConfigPage,
  // A link is tried before there is a form.
  run: (input, options, { form }) =>
    form.size > 0
      ? writeServers(form, options)
      : { result: writeConfigsInParts(validate(extendedMcpConfigInput, input), options) },
  preferences: { client: CLIENTS[0], more: "", system: ownSystem(), scope: "user" },
  loadReader: async () => ({ readText: (await import("./parse-pasted.ts")).readPasted }),
});

function ownSystem(): string {
  const platform = navigator.userAgent;
  return /Windows/.test(platform) ? "windows" : /Mac/.test(platform) ? "macos" : "linux";
}
