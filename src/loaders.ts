import type { ToolContract } from "../schemas/index.ts";
import type { Tool } from "./tool.ts";

type LoaderTable = { [C in ToolContract as C["command"]]: () => Promise<Tool<C>> };

const loaderTable: LoaderTable = {
  "mail-filter": async () => (await import("./mail-filter/mail-filter.ts")).mailFilterTool,
  "automation-cost": async () =>
    (await import("./automation-cost/automation-cost.ts")).automationCostTool,
  "mcp-config": async () => (await import("./mcp-config/mcp-config.ts")).mcpConfigTool,
};

/** The tools by command. Each loads without the others, so that a command starts fast. */
export type ToolLoaders = ReadonlyMap<string, () => Promise<Tool>>;

export const toolLoaders: ToolLoaders = new Map(Object.entries<() => Promise<Tool>>(loaderTable));
