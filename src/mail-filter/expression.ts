/** A whole search expression, or a part of it in brackets. */
export interface Group {
  /** Braces mean OR between all their terms, round brackets only group. */
  readonly bracket: "" | "(" | "{";
  readonly terms: readonly Term[];
  /** `joiners[i]` stands after `terms[i]`. */
  readonly joiners: readonly Joiner[];
}

/** Empty for a space, which means the same as AND, and at the end. */
export type Joiner = "" | "AND" | "OR" | `AROUND ${string}`;

/** One operand with its prefixes: `-from:(a OR b)`. */
export interface Term {
  readonly negated: boolean;
  /** As it was written, without the colon. */
  readonly operator: string | undefined;
  /** A space stands after the operator. */
  readonly spaced: boolean;
  /** Stands right after a word, as the bracket in `f(x)`. */
  readonly glued: boolean;
  readonly operand: Text | Group;
}

/** A word, or a phrase without its quotes. */
export interface Text {
  readonly text: string;
  readonly quoted: boolean;
}

export const isGroup = (operand: Text | Group): operand is Group => "terms" in operand;

/** A word without prefix or quotes; undefined for any other term. */
export const bareWord = ({ negated, operator, operand }: Term): string | undefined =>
  negated || operator !== undefined || isGroup(operand) || operand.quoted
    ? undefined
    : operand.text;

/** A group and all the groups within it. */
export function allGroups(group: Group): readonly Group[] {
  const within = group.terms.map(({ operand }) => operand).filter(isGroup);
  return [group, ...within.flatMap(allGroups)];
}

/** All words of a group that stand in no quotes, the values of operators too. */
export const unquotedWords = ({ terms }: Group): readonly string[] =>
  terms.flatMap(({ operand }) => {
    if (isGroup(operand)) return unquotedWords(operand);
    return operand.quoted ? [] : [operand.text];
  });

type Spelling = (text: string) => string;
const asWritten: Spelling = (text) => text;

/** Writes a group in one way, however it was spaced and whether OR was written as `|`. */
export function writeGroup(group: Group, spell: Spelling = asWritten): string {
  const { bracket, terms, joiners } = group;
  const list = terms
    .flatMap((term, index) => [joiners[index - 1] ?? "", writeTerm(term, spell)])
    .filter((part) => part !== "")
    .join(" ");
  if (bracket === "") return list;
  return bracket === "(" ? `(${list})` : `{${list}}`;
}

export function writeTerm(term: Term, spell: Spelling = asWritten): string {
  const { negated, operator, operand } = term;
  const prefix = `${negated ? "-" : ""}${operator === undefined ? "" : `${spell(operator)}:`}`;
  if (isGroup(operand)) return prefix + writeGroup(operand, spell);
  const text = spell(operand.text);
  return prefix + (operand.quoted ? `"${text}"` : text);
}
