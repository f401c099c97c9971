export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../issues.ts";
export { type MailFilterOptions, mailFilter } from "./mail-filter.ts";
