export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../issues.ts";
export { compareMailFilters, type MailFilterComparison } from "./existing/compare-mail-filters.ts";
export {
  type ExistingMailFilters,
  type LeftOut,
  readMailFilters,
} from "./existing/read-mail-filters.ts";
export { type MailFilterOptions, mailFilter } from "./mail-filter.ts";
