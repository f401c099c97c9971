import type { MailFilterInput } from "../../schemas/index.ts";
import { InvalidInputError, mailFilter } from "../../src/index.ts";

export type FilterFields = MailFilterInput["filters"][number];

/** Runs a single filter; `label: "L"` is its action where it has none of its own. */
export function oneFilter(filter: FilterFields) {
  const { filters, warnings, file } = mailFilter({ filters: [{ label: "L", ...filter }] });
  const [result] = filters;
  const [entry] = result?.entries ?? [];
  if (!result || !entry) throw new Error("One filter must give one result");
  return {
    ...result,
    properties: entry.properties,
    codes: warnings.map(({ code }) => code),
    warnings,
    xml: file.content,
  };
}

/** Why a single filter is refused, `path: message` each; empty when it is accepted. */
export function refusals(filter: FilterFields): string[] {
  try {
    oneFilter(filter);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`);
  }
}
