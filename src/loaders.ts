import type { ToolContract } from "../schemas/index.ts";
import type { PrintableTool } from "./printable-tool.ts";

type LoaderTable = { [C in ToolContract as C["name"]]: () => Promise<PrintableTool<C>> };

const table: LoaderTable = {
  mail_filter_generator: async () => (await import("./mail-filter/text.ts")).printableMailFilter,
  automation_cost_calculator: async () =>
    (await import("./automation-cost/text.ts")).printableAutomationCost,
  mcp_config_generator: async () => (await import("./mcp-config/text.ts")).printableMcpConfig,
};

/**
 * Loads one tool by its name, with the code that prints its results and nothing of the other
 * tools, for programs that must start fast.
 */
export const loaders: ReadonlyMap<string, () => Promise<PrintableTool>> = new Map(
  Object.entries<() => Promise<PrintableTool>>(table),
);
