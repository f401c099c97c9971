import type { mailFilterContract } from "../../../schemas/mail-filter.ts";
import { Diagnostics } from "../../issues.ts";
import type { ExistingProduct } from "../../tool.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { compareWithFeed, lineOf } from "./compare-mail-filters.ts";
import { readFeed } from "./feed.ts";
import { readEntries } from "./read-mail-filters.ts";

/**
 * A `mailFilters.xml` as every tool's existing product. What no input can say is a warning.
 *
 * @throws {InvalidInputError} for a text that is no such file.
 */
export function readMailFilterProduct(xml: string): ExistingProduct<typeof mailFilterContract> {
  const feed = readFeed(xml);
  const { filters, left_out, warnings } = readEntries(feed);
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  for (const { entry, properties, reason } of left_out) {
    const line = shortened(lineOf(properties));
    diagnostics.at("entry", entry).warn("left-out", `${line} is left out: ${reason}`);
  }
  return {
    inputs: filters.length > 0 ? [{ filters }] : [],
    warnings: [...diagnostics.warnings, ...warnings],
    compare: (input) => compareWithFeed(input, feed),
  };
}

/** A search can have thousands of characters, of which the first ones tell the filter. */
const shortened = (line: string): string =>
  line.length > LONGEST ? `${[...line].slice(0, LONGEST).join("")}…` : line;

const LONGEST = 120;
