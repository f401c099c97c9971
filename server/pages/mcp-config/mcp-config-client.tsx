import { mcpConfigTool } from "../../../src/mcp-config/mcp-config.ts";
import { browserHost } from "../form/browser-host.ts";
import { live } from "../form/live.ts";
import { mcpConfigPage } from "./mcp-config.tsx";

const form = document.querySelector<HTMLFormElement>("#tool-form");
if (form) live(form, mcpConfigPage, browserHost(mcpConfigTool, form));
