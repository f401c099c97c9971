export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../issues.ts";
export {
  compareMailFilters,
  type MailFilterComparison,
} from "./gmail-export/compare-mail-filters.ts";
export {
  type ExistingMailFilters,
  type LeftOut,
  readMailFilters,
} from "./gmail-export/read-mail-filters.ts";
export { type MailFilterOptions, mailFilter } from "./mail-filter.ts";
