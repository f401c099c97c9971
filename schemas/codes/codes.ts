import { automationCostCodes } from "./automation-cost.ts";
import type { Explanation } from "./explanation.ts";
import { mailFilterCodes } from "./mail-filter.ts";
import { mcpConfigCodes } from "./mcp-config.ts";

/**
 * The codes of each tool's warnings and infos. Only the command line and the documentation load
 * the texts: the library has the codes as types.
 */
export const warningCodes = {
  mail_filter_generator: mailFilterCodes,
  automation_cost_calculator: automationCostCodes,
  mcp_config_generator: mcpConfigCodes,
} satisfies Readonly<Record<string, Readonly<Record<string, Explanation>>>>;
