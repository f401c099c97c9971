import type { Client, ClientConfig, McpConfigInput } from "../../schemas/index.ts";
import { mcpConfig } from "../../src/index.ts";
import { configOf } from "../mcp-config/config-of.ts";

/** What the generator says for one client. */
export const generated = (input: McpConfigInput, client: Client): ClientConfig =>
  configOf(mcpConfig(input), client);

/** The shell variables from which a bash line reads this input's secrets. */
export const shellVariables = ({ env = {}, headers = {} }: McpConfigInput) => ({
  ...env,
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      `MCP_HEADER_${name.toUpperCase().replaceAll("-", "_")}`,
      value,
    ]),
  ),
});
