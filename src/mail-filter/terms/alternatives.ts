import {
  alternatives,
  type Group,
  isGroup,
  parseExpression,
  type Term,
  writeGroup,
} from "./expression.ts";

/**
 * The alternatives of a text such as `a OR "b c"`, `{a b}`, `(a | b)` or `from:(a OR b)`. Any other
 * text, one with an AND included, is its own and only alternative.
 */
export function alternativesOf(text: string): readonly string[] {
  if (!/\bOR\b|[|{]/.test(text)) return [text];
  const parsed = parseExpression(text);
  return ("expression" in parsed && partsOf(parsed.expression)) || [text];
}

/** @returns undefined when the group is no list of alternatives. */
function partsOf(group: Group): readonly string[] | undefined {
  const [first, ...others] = group.terms;
  if (first && others.length === 0) return partsOfTerm(first);
  if (group.joiners.some((joiner) => joiner !== "" && joiner !== "OR")) return undefined;
  if (group.bracket !== "{" && !group.joiners.includes("OR")) return undefined;
  return alternatives(group).flatMap((terms) => {
    const [term, ...more] = terms;
    const inner = term && more.length === 0 ? partsOfTerm(term) : undefined;
    return inner ?? [writeGroup(contentOf({ ...group, terms, joiners: [] }))];
  });
}

/** Without brackets, those around a single term included. */
function contentOf(group: Group): Group {
  const [term, ...others] = group.terms;
  return term && others.length === 0 && isPlainGroup(term)
    ? contentOf(term.operand)
    : { ...group, bracket: "" };
}

const isPlainGroup = (term: Term): term is Term & { readonly operand: Group } =>
  !term.negated && term.operator === undefined && isGroup(term.operand);

/** The parts of a group in brackets, or of each `from:` before such a group. */
function partsOfTerm({ negated, operator, operand }: Term): readonly string[] | undefined {
  if (negated || !isGroup(operand)) return undefined;
  const parts = partsOf(operand);
  if (operator === undefined || !parts) return parts;
  return parts.every((part) => /^(?:"[^"]*"|[^\s:"(){}|-][^\s:"(){}|]*)$/.test(part))
    ? parts.map((part) => `${operator}:${part}`)
    : undefined;
}
