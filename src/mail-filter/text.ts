import type { mailFilterContract } from "../../schemas/mail-filter.ts";
import type { PrintableTool } from "../tool.ts";
import { mailFilterTool } from "./mail-filter.ts";

/** The file, or with `search` one search string a line for each filter. */
export const printableMailFilter: PrintableTool<typeof mailFilterContract> = {
  ...mailFilterTool,
  render: ({ file, filters, warnings }, { search = false }) => ({
    text: search ? filters.map((filter) => `${filter.search}\n`).join("") : file.content,
    warnings,
  }),
};
