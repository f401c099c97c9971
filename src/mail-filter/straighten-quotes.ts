import type { Findings, Path } from "../issues.ts";

/** A pair around a phrase, English or German; a single curly quote is a character like others. */
const CURLY_PAIR = /[“„‟]([^“”„‟"]*)[”“]/gu;

/** Straightens curly quotes, which mean nothing to Gmail, and says so. */
export function straightenQuotes(text: string, path: Path, findings: Findings): string {
  const straight = text.replace(CURLY_PAIR, '"$1"');
  if (straight !== text) {
    findings.info("curly-quotes", path, "curly quotes are read as quotation marks");
  }
  return straight;
}
