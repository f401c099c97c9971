import type { TextOptionsOf } from "../../schemas/contract.ts";
import type { MailFilterResult, mailFilterContract } from "../../schemas/mail-filter.ts";
import type { Rendering } from "../tool.ts";

/** The file, or with `search` one search string a line for each filter. */
export function render(
  result: MailFilterResult,
  { search = false }: TextOptionsOf<typeof mailFilterContract>,
): Rendering {
  const text = search
    ? result.filters.map((filter) => `${filter.search}\n`).join("")
    : result.file.content;
  return { text, warnings: result.warnings };
}
