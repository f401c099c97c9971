import type { ToolCommand } from "./tool-command.ts";

/** The commands of the tools by name. Each loads without the others, so that it starts fast. */
export const toolCommands: ToolCommands = new Map([
  ["mail-filter", async () => (await import("./tools/mail-filter.ts")).mailFilterCommand],
  [
    "automation-cost",
    async () => (await import("./tools/automation-cost.ts")).automationCostCommand,
  ],
  ["mcp-config", async () => (await import("./tools/mcp-config.ts")).mcpConfigCommand],
]);

export type ToolCommands = ReadonlyMap<string, () => Promise<ToolCommand>>;
