import type { Findings, Path } from "../issues.ts";
import { MAX_SEARCH_LENGTH } from "./limits.ts";
import { entryProperties, type Properties } from "./properties.ts";
import type { ReadFilter } from "./read-filter.ts";
import { searchString } from "./search.ts";

/** One `<entry>` of the file, as a search and as properties. */
export interface Entry {
  readonly search: string;
  readonly properties: Properties;
}

/** The entries that a filter is written as. */
export function toEntries(
  { parts, actions }: ReadFilter,
  path: Path,
  findings: Findings,
): readonly Entry[] {
  const entries = parts.map((part) => ({
    search: searchString(part),
    properties: entryProperties(part, actions),
  }));
  if (entries.some(({ search }) => byteLength(search) > MAX_SEARCH_LENGTH)) {
    findings.info(
      "long-in-bytes",
      path,
      "is near the limit once written in bytes; check after the import that Gmail took it whole",
    );
  }
  return entries;
}

/** Nobody knows whether Gmail counts its limit in characters or in bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;
