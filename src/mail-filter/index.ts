export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../issues.ts";
export {
  compareMailFilters,
  type MailFilterComparison,
} from "./gmail-export/compare-mail-filters.ts";
export type { LeftOut } from "./gmail-export/meaning.ts";
export {
  type ExistingMailFilters,
  readMailFilters,
} from "./gmail-export/read-mail-filters.ts";
export { mailFilter } from "./mail-filter.ts";
export type { MailAttachment, MailMessage, MatchOptions } from "./match/mail-message.ts";
export { type Match, matchMailFilters } from "./match/match-mail-filters.ts";
export type { Finding } from "./match/matcher.ts";
export type { Verdict } from "./match/searchable-text.ts";
export { type MailFilterMerge, mergeMailFilters } from "./merge/merge-mail-filters.ts";
