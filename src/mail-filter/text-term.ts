import type { Findings, Path } from "../issues.ts";
import { literal } from "./literal.ts";
import { findLookAlike } from "./look-alike.ts";

/** A search term that an item of a list became. */
export interface ListTerm {
  readonly text: string;
  /** The same for terms that find the same mail. */
  readonly key: string;
}

/**
 * The search term for a text in a field where operators have no meaning, with a remark on what
 * looks like one.
 *
 * @returns undefined when it had to be refused.
 */
export function textTerm(text: string, path: Path, findings: Findings): string | undefined {
  const term = literal(text, path, findings);
  const lookAlike = term === undefined ? undefined : findLookAlike(text);
  if (lookAlike) {
    findings.info(
      "operator-taken-literally",
      path,
      `${lookAlike.written} is taken literally here; ${lookAlike.advice}`,
    );
  }
  return term;
}
