import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import { literal } from "./literal.ts";
import { isExcludableOperator } from "./operators.ts";

/**
 * The search term of one normalised item of `does_not_have`: a word, a phrase, or one bare
 * operator, because "not from my boss" is the commonest exclusion.
 *
 * @returns undefined when it had to be refused.
 */
export function exclusionTerm(text: string, path: Path, findings: Findings): string | undefined {
  if (/^[-!]/.test(text)) {
    findings.refuse(
      path,
      `must not start with ${text.charAt(0)}: it is excluded as it is, and twice would include it`,
    );
    return undefined;
  }
  return isExcludableOperator(text) ? text : literal(text, path, findings);
}
