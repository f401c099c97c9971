import { automationCostContract } from "./automation-cost.ts";
import { mailFilterContract } from "./mail-filter.ts";
import { mcpConfigContract } from "./mcp-config.ts";

/** The contracts of all tools, in the order in which every surface lists them. */
export const tools = [mailFilterContract, automationCostContract, mcpConfigContract] as const;

export type ToolContract = (typeof tools)[number];
