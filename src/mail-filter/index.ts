export type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
export { InvalidInputError } from "../result.ts";
export { mailFilter } from "./mail-filter.ts";
