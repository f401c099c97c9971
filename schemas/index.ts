export * from "./automation-cost.ts";
export type { WarningCode } from "./codes.ts";
export { type Editable, usableName, type Warning } from "./common.ts";
export * from "./contract.ts";
export type * from "./generated/mail-filter.ts";
export * from "./http.ts";
export {
  mailFilterContract,
  PROPERTY_NAMES,
  type PropertyName,
  type ValidMailFilterInput,
} from "./mail-filter.ts";
export * from "./mcp-config.ts";
export { PriceBookSchema } from "./price-book.ts";
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
