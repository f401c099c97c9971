import type { ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/tool.ts";
import { mailFilterTool } from "./mail-filter/tool.ts";
import { mcpConfigTool } from "./mcp-config/tool.ts";
import type { Tool } from "./tool.ts";

type ToolTable = { [C in ToolContract as C["name"]]: Tool<C> };

/** A missing or mistyped tool does not compile. */
const table: ToolTable = {
  mail_filter_generator: mailFilterTool,
  automation_cost_calculator: automationCostTool,
  mcp_config_generator: mcpConfigTool,
};

/** Every tool by its name. */
export const registry: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(table));
