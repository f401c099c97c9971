import { isSearchable } from "./characters.ts";
import { type Group, isGroup, type Term } from "./expression.ts";

/** Whether a condition counts, by its operator in lower case; a word has none. */
type Counts = (operator: string | undefined) => boolean;

/**
 * Whether all mail that the expression finds meets a condition that counts, rather than lacking
 * something. In `a b OR c` it is not certain whether Gmail joins by the space or by the OR first;
 * the space comes first here, and what is required then is required either way.
 */
export const requires = (group: Group, counts: Counts): boolean =>
  alternatives(group).every((terms) => terms.some((term) => requiresTerm(term, counts)));

function requiresTerm({ negated, operator, operand }: Term, counts: Counts): boolean {
  if (negated || !counts(operator?.toLowerCase())) return false;
  // Within `from:( … )` the words stand for senders, so they count as the operator does.
  if (isGroup(operand)) return requires(operand, operator === undefined ? counts : () => true);
  return isSearchable(operand.text) && (operand.quoted || !/^[-!]/.test(operand.text));
}

/** The terms between the ORs of a group. */
function alternatives({ bracket, terms, joiners }: Group): readonly (readonly Term[])[] {
  const parts: Term[][] = [];
  for (const [index, term] of terms.entries()) {
    const isNext = bracket === "{" || joiners[index - 1] === "OR";
    const part = isNext ? undefined : parts.at(-1);
    if (part) part.push(term);
    else parts.push([term]);
  }
  return parts;
}
