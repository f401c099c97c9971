import type { TextOptionsOf } from "../../schemas/contract.ts";
import type { MailFilterResult, mailFilterContract } from "../../schemas/mail-filter.ts";
import type { Rendering } from "../tool.ts";

/** The file, or with `search` one search string a line for each filter. */
export const renderMailFilter = (
  { file, filters, warnings }: MailFilterResult,
  { search = false }: TextOptionsOf<typeof mailFilterContract>,
): Rendering => ({
  text: search ? filters.map((filter) => `${filter.search}\n`).join("") : file.content,
  warnings,
});
