import { automationCostContract } from "./automation-cost.ts";
import { mailFilterContract } from "./mail-filter.ts";
import { mcpConfigContract } from "./mcp-config.ts";

/** The contracts of all tools, in the order of every list of them. */
export const tools = [mailFilterContract, automationCostContract, mcpConfigContract] as const;

/** The contract of one of the tools. */
export type ToolContract = (typeof tools)[number];
