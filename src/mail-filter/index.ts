export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../issues.ts";
export { mailFilter } from "./mail-filter.ts";
