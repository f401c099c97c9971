import type { ToolContract } from "../schemas/index.ts";
import type { PrintableTool } from "./tool.ts";

type LoaderTable = { [C in ToolContract as C["command"]]: () => Promise<PrintableTool<C>> };

const table: LoaderTable = {
  "mail-filter": async () => (await import("./mail-filter/text.ts")).printableMailFilter,
  "automation-cost": async () =>
    (await import("./automation-cost/text.ts")).printableAutomationCost,
  "mcp-config": async () => (await import("./mcp-config/text.ts")).printableMcpConfig,
};

/**
 * Loads one tool by its command, with the code that prints its results and nothing of the other
 * tools, for programs that must start fast.
 */
export const loaders: ReadonlyMap<string, () => Promise<PrintableTool>> = new Map(
  Object.entries<() => Promise<PrintableTool>>(table),
);

/** The tools that the command line offers, by command. Each is loaded without the others. */
export type Catalog = ReadonlyMap<string, () => Promise<PrintableTool>>;
