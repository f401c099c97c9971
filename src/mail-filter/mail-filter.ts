import type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
import { runTool } from "../tool.ts";
import { mailFilterTool } from "./tool.ts";

/**
 * Turns mail rules into Gmail search strings and an importable `mailFilters.xml`.
 *
 * @param input 1 to 20 filters, each with a condition and an action; sizes in MB of 1,048,576 bytes.
 * @returns the file's text, and for each filter its search string, a link that previews it in
 * Gmail, an explanation, and the entries it became.
 * @throws {InvalidInputError} when the input breaks the schema or a filter has no honest
 * translation; `issues` says where and why.
 *
 * @example
 * const { file, filters } = mailFilter({
 *   filters: [{ from: ["@shop.example"], subject: ["invoice"], label: "Money/Bills" }],
 * });
 * filters[0].search; // from:(@shop.example) subject:(invoice)
 */
export function mailFilter(input: MailFilterInput): MailFilterResult {
  return runTool(mailFilterTool, input);
}
