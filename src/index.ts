export type {
  AutomationCostInput,
  AutomationCostResult,
  AutomationTasks,
  Quote,
  ZapInput,
} from "../schemas/automation-cost.ts";
export type { WarningCode } from "../schemas/codes.ts";
export type { Editable } from "../schemas/common.ts";
export type { Warning } from "../schemas/contract.ts";
export type { ErrorBody, ErrorCode, Health } from "../schemas/http.ts";
export { tools } from "../schemas/index.ts";
export type {
  FilterEntry,
  FilterInput,
  FilterProperties,
  FilterResult,
  MailFilterInput,
  MailFilterResult,
  PropertyName,
} from "../schemas/mail-filter.ts";
export type {
  Client,
  ClientConfig,
  ClientLocation,
  McpConfigInput,
  McpConfigResult,
} from "../schemas/mcp-config.ts";
export type { Price, PriceBook, PriceTier } from "../schemas/price-book.ts";
export type { BetaSignup, BetaSignupOk } from "../schemas/signup.ts";
export { calculateAutomationCost } from "./automation-cost/automation-cost.ts";
export { type Breakpoint, findPriceBreakpoints } from "./automation-cost/breakpoints.ts";
export { priceBook } from "./automation-cost/price-book.ts";
export { callTool } from "./call-tool.ts";
export { InvalidInputError, type Issue, type ToolError, type ToolResult } from "./issues.ts";
export { type JsonSchema, toJsonSchema } from "./json-schema.ts";
export { createMailFilters } from "./mail-filter/mail-filter.ts";
export { createMcpConfig } from "./mcp-config/mcp-config.ts";
export type { OpenApiDocument } from "./openapi.ts";
export { createOpenApiDocument, type OpenApiOptions } from "./openapi.ts";
export type { CallOptions, ToolOptions } from "./tool.ts";
