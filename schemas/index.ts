import { automationCostContract } from "./automation-cost.ts";
import { mailFilterContract } from "./mail-filter.ts";
import { mcpConfigContract } from "./mcp-config.ts";

export {
  type AutomationCostInput,
  type AutomationCostResult,
  type AutomationTasks,
  automationCostContract,
  BILLING,
  PLANS,
  type Quote,
  type ValidAutomationCostInput,
  type ZapInput,
} from "./automation-cost.ts";
export type { WarningCode } from "./codes.ts";
export { type Editable, toServerName } from "./common.ts";
export {
  type Contract,
  defineContract,
  type ResultOf,
  type ValidInputOf,
  type Warning,
  WarningSchema,
} from "./contract.ts";
export * from "./http.ts";
export {
  type FilterEntry,
  type FilterInput,
  type FilterProperties,
  type FilterResult,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  PROPERTY_NAMES,
  type PropertyName,
  type ValidMailFilterInput,
} from "./mail-filter.ts";
export {
  ALL_CLIENTS,
  CLIENTS,
  type Client,
  type ClientConfig,
  type ClientLocation,
  type McpConfigInput,
  type McpConfigResult,
  mcpConfigContract,
  type ValidMcpConfigInput,
} from "./mcp-config.ts";
export { type Price, type PriceBook, PriceBookSchema, type PriceTier } from "./price-book.ts";
export {
  type BetaSignup,
  type BetaSignupOk,
  BetaSignupOkSchema,
  BetaSignupSchema,
  CTA_SOURCES,
  REFERRALS,
} from "./signup.ts";

/** The contracts of all tools, in display order. */
export const tools = [mailFilterContract, automationCostContract, mcpConfigContract] as const;

/** The contract of a tool. */
export type ToolContract = (typeof tools)[number];
