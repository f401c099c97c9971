export * from "./automation-cost.ts";
export type { WarningCode } from "./codes.ts";
export { type Editable, usableName, type Warning } from "./common.ts";
export * from "./contract.ts";
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
export * from "./mcp-config.ts";
export { type Price, type PriceBook, PriceBookSchema, type PriceTier } from "./price-book.ts";
export {
  type BetaSignup,
  type BetaSignupOk,
  BetaSignupOkSchema,
  BetaSignupSchema,
  CTA_SOURCES,
  REFERRALS,
} from "./signup.ts";
export * from "./tools.ts";
export { WarningSchema } from "./warning.ts";
