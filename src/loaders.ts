import type { ToolContract } from "../schemas/index.ts";
import type { Tool } from "./tool.ts";

type LoaderTable = { [C in ToolContract as C["name"]]: () => Promise<Tool<C>> };

const table: LoaderTable = {
  mail_filter_generator: async () => (await import("./mail-filter/tool.ts")).mailFilterTool,
  automation_cost_calculator: async () =>
    (await import("./automation-cost/tool.ts")).automationCostTool,
  mcp_config_generator: async () => (await import("./mcp-config/tool.ts")).mcpConfigTool,
};

/** Loads one tool's code and nothing of the others', for programs that must start fast. */
export const loaders: ReadonlyMap<string, () => Promise<Tool>> = new Map(
  Object.entries<() => Promise<Tool>>(table),
);
