import { isSearchable } from "./characters.ts";
import { bareWord, type Group, isGroup, type Term, type Text } from "./expression.ts";

/**
 * A term in which Gmail finds no word, where it would change what the expression finds: in quotes
 * or brackets, after a prefix, or joined by more than a space. Bare punctuation between words
 * does no harm.
 */
export function findEmptyTerm({ bracket, terms, joiners }: Group): Term | undefined {
  for (const [index, term] of terms.entries()) {
    const joined = [joiners[index - 1], joiners[index]].some((joiner) => joiner);
    const matters = joined || bracket === "{" || bareWord(term) === undefined;
    if (matters && hasNoWord(term.operand)) return term;
    const within = isGroup(term.operand) ? findEmptyTerm(term.operand) : undefined;
    if (within) return within;
  }
  return undefined;
}

const hasNoWord = (operand: Text | Group): boolean =>
  isGroup(operand)
    ? operand.terms.every((term) => hasNoWord(term.operand))
    : !isSearchable(operand.text);
