import { automationCostContract } from "./automation-cost.ts";
import type { warningCodes } from "./codes/codes.ts";
import { mailFilterContract } from "./mail-filter.ts";
import { mcpConfigContract } from "./mcp-config.ts";

/** The contracts of all tools, in the order of every list of them. */
export const tools = [mailFilterContract, automationCostContract, mcpConfigContract] as const;

/** The contract of one of the tools. */
export type ToolContract = (typeof tools)[number];

/** The codes of the warnings that a tool may give. */
export type WarningCode<Name extends ToolContract["name"]> = keyof (typeof warningCodes)[Name] &
  string;
