import {
  localMailFilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  mailFilterInput,
} from "../../schemas/mail-filter.ts";
import { optionsSchema, type Tool, type ToolOptions, validInput } from "../tool.ts";
import { validate } from "../validate.ts";
import { furtherIssues } from "./further-issues.ts";
import { generate } from "./generate.ts";

/**
 * Turns mail rules into Gmail search strings and an importable `mailFilters.xml`.
 *
 * @param input 1 to 20 filters, each with a condition and an action; sizes in MB of 1,048,576 bytes.
 * @param options `limits: "local"` allows as much as Gmail does: 1,000 filters, lists of 500 items,
 * items of 1,400 characters, labels under `[Gmail]/`, forwarding addresses that the specification's
 * pattern leaves out.
 * @returns the file's text, and for each filter its search string, a link that previews it in
 * Gmail, an explanation, and the entries it became.
 * @throws {InvalidInputError} when the input or the options break their schema, or Gmail cannot express a
 * filter; `issues` says where and why.
 *
 * @example
 * const { file, filters } = mailFilter({
 *   filters: [{ from: ["@shop.example"], subject: ["invoice"], label: "Money/Bills" }],
 * });
 * filters[0].search; // from:(@shop.example) subject:(invoice)
 */
export function mailFilter(input: MailFilterInput, options: ToolOptions = {}): MailFilterResult {
  const { limits, ...others } = validate(OptionsSchema, options, ["options"]);
  const schema = limits === "local" ? localMailFilterInput : mailFilterInput;
  return generate(validInput(schema, input, furtherIssues), others);
}

const OptionsSchema = optionsSchema({});

export const mailFilterTool = {
  contract: mailFilterContract,
  options: OptionsSchema,
  run: generate,
  render: ({ file, warnings }) => ({ text: file.content, warnings }),
  furtherIssues,
} satisfies Tool<typeof mailFilterContract>;
