import { isSearchable } from "./normalise.ts";
import { findOddQuote, findSyntaxProblem, type Token, tokenise } from "./tokens.ts";

/** Reads an expression of the Gmail search; a `problem` is to be read after its path. */
export function parseExpression(text: string): Parsed {
  const oddQuote = findOddQuote(text);
  if (oddQuote !== undefined) return { problem: oddQuote };
  const tokens = tokenise(text);
  const problem = findSyntaxProblem(text, tokens);
  return problem === undefined ? { expression: readGroup({ tokens, next: 0 }, "") } : { problem };
}

type Parsed = { readonly expression: Group } | { readonly problem: string };

/** A whole search expression, or a part of it in brackets. */
export interface Group {
  /** Braces mean OR between all their terms, round brackets only group. */
  readonly bracket: "" | "(" | "{";
  readonly terms: readonly Term[];
  /** `joiners[i]` follows `terms[i]`. */
  readonly joiners: readonly Joiner[];
  /** False when Gmail finds no word in it. */
  readonly hasWord: boolean;
}

/** Empty for a space, which means the same as AND, and at the end. */
type Joiner = "" | "AND" | "OR" | `AROUND ${string}`;

/** One operand with its prefixes: `-from:(a OR b)`, `+word`. */
export interface Term {
  readonly negated: boolean;
  /** As it was written, without the colon. */
  readonly operator: string | undefined;
  /** True after a plus: Gmail finds no other form of the word. */
  readonly exact: boolean;
  /** True if a space follows the operator. */
  readonly spaced: boolean;
  /** True if a word precedes it without a space, as the bracket in `f(x)`. */
  readonly glued: boolean;
  readonly operand: Text | Group;
}

/** A word, or a phrase without its quotes. */
export interface Text {
  readonly text: string;
  readonly quoted: boolean;
}

/** A list of tokens, and the index of the next one to read. */
interface Cursor {
  readonly tokens: readonly Token[];
  next: number;
}

/** Reads the terms up to the closing bracket, and the bracket. */
function readGroup(cursor: Cursor, bracket: Group["bracket"]): Group {
  const terms: Term[] = [];
  const joiners: Joiner[] = [];
  for (let token = take(cursor); token && token.kind !== "close"; token = take(cursor)) {
    terms.push(readTerm(token, cursor));
    joiners.push(readJoiner(cursor));
  }
  return { bracket, terms, joiners, hasWord: terms.some(({ operand }) => hasWord(operand)) };
}

function take(cursor: Cursor): Token | undefined {
  cursor.next += 1;
  return cursor.tokens[cursor.next - 1];
}

function readJoiner(cursor: Cursor): Joiner {
  const token = cursor.tokens[cursor.next];
  if (token?.kind === "or" || token?.kind === "and") {
    cursor.next += 1;
    return token.kind === "or" ? "OR" : "AND";
  }
  if (token?.text !== "AROUND") return "";
  const number = cursor.tokens[cursor.next + 1];
  const operand = cursor.tokens[cursor.next + 2];
  // Without a term on both sides, AROUND is a plain word.
  if (!number || !/^\d+$/.test(number.text)) return "";
  if (!operand || ["close", "or", "and"].includes(operand.kind)) return "";
  cursor.next += 2;
  return `AROUND ${number.text}`;
}

function readTerm(first: Token, cursor: Cursor): Term {
  const prefix = first.kind === "prefix" ? first.text : "";
  const token = prefix === "" ? first : (take(cursor) ?? first);
  const negated = prefix.startsWith("-");
  const exact = prefix.endsWith("+");
  const operator = prefix.slice(negated ? 1 : 0, exact ? -2 : -1);
  return {
    negated,
    operator: operator === "" ? undefined : operator,
    exact,
    spaced: prefix !== "" && !token.glued,
    glued: first.glued,
    operand: readOperand(token, cursor),
  };
}

function readOperand({ kind, text }: Token, cursor: Cursor): Text | Group {
  if (kind === "open") return readGroup(cursor, text === "{" ? "{" : "(");
  return kind === "phrase" ? { text: text.slice(1, -1), quoted: true } : { text, quoted: false };
}

export const isGroup = (operand: Text | Group): operand is Group => "terms" in operand;

/** A word without prefix or quotes; undefined for any other term. */
export const bareWord = (term: Term): string | undefined =>
  hasPrefix(term) || isGroup(term.operand) || term.operand.quoted ? undefined : term.operand.text;

export const hasPrefix = ({ negated, operator, exact }: Term): boolean =>
  negated || operator !== undefined || exact;

/** A group and all the groups within it, in the order of their opening brackets. */
export function allGroups(group: Group, found: Group[] = []): readonly Group[] {
  found.push(group);
  for (const { operand } of group.terms) if (isGroup(operand)) allGroups(operand, found);
  return found;
}

/** All words of a group outside quotes, the values of operators too. */
export const unquotedWords = ({ terms }: Group): readonly string[] =>
  terms.flatMap(({ operand }) => {
    if (isGroup(operand)) return unquotedWords(operand);
    return operand.quoted ? [] : [operand.text];
  });

type Spelling = (text: string) => string;

/** Writes a group in one way, however it was spaced and whether OR was written as `|`. */
export function writeGroup(group: Group, spell: Spelling = asWritten): string {
  const { bracket, terms, joiners } = group;
  let list = "";
  // A hostile input has thousands of groups, so none makes lists of its own.
  for (const [index, term] of terms.entries()) {
    const joiner = joiners[index - 1];
    if (index > 0) list += joiner ? ` ${joiner} ` : " ";
    list += writeTerm(term, spell);
  }
  if (bracket === "") return list;
  return bracket === "(" ? `(${list})` : `{${list}}`;
}

export function writeTerm(term: Term, spell: Spelling = asWritten): string {
  const { negated, operator, exact, operand } = term;
  const name = operator === undefined ? "" : `${spell(operator)}:`;
  const prefix = `${negated ? "-" : ""}${name}${exact ? "+" : ""}`;
  if (isGroup(operand)) return prefix + writeGroup(operand, spell);
  const text = spell(operand.text);
  return prefix + (operand.quoted ? `"${text}"` : text);
}

const asWritten: Spelling = (text) => text;

/**
 * Finds a term without a word that would change what the expression finds: in quotes or brackets,
 * after a prefix, or joined by more than a space. Bare punctuation between words changes nothing.
 */
export function findEmptyTerm({ bracket, terms, joiners }: Group): Term | undefined {
  for (const [index, term] of terms.entries()) {
    const joiner = joiners[index - 1] || joiners[index];
    const matters = joiner || bracket === "{" || bareWord(term) === undefined;
    if (matters && !hasWord(term.operand)) return term;
    const within = isGroup(term.operand) ? findEmptyTerm(term.operand) : undefined;
    if (within) return within;
  }
  return undefined;
}

const hasWord = (operand: Text | Group): boolean =>
  isGroup(operand) ? operand.hasWord : isSearchable(operand.text);

/**
 * Cuts a list at some of its joiners.
 *
 * @param joiners `joiners[i]` is between `parts[i]` and `parts[i + 1]`.
 */
export function cutAt<Part>(
  parts: readonly Part[],
  joiners: readonly string[],
  splits: (joiner: string) => boolean,
): readonly (readonly Part[])[] {
  const cut: Part[][] = [];
  for (const [index, part] of parts.entries()) {
    const joiner = joiners[index - 1];
    const last = joiner === undefined || splits(joiner) ? undefined : cut.at(-1);
    if (last) last.push(part);
    else cut.push([part]);
  }
  return cut;
}

/**
 * The alternatives of a text such as `a OR "b c"`, `{a b}`, `(a | b)` or `from:(a OR b)`. Any other
 * text, one with an AND included, is its own and only alternative.
 */
export function splitAlternatives(text: string): readonly string[] {
  if (!/\bOR\b|[|{]/.test(text)) return [text];
  const parsed = parseExpression(text);
  return ("expression" in parsed && splitGroup(parsed.expression)) || [text];
}

/** @returns undefined when the group is not a list of alternatives. */
function splitGroup(group: Group): readonly string[] | undefined {
  const [first, ...others] = group.terms;
  if (first && others.length === 0) return splitTerm(first);
  if (group.joiners.some((joiner) => joiner !== "" && joiner !== "OR")) return undefined;
  if (group.bracket !== "{" && !group.joiners.includes("OR")) return undefined;
  const isOr = (joiner: string) => group.bracket === "{" || joiner === "OR";
  return cutAt(group.terms, group.joiners, isOr).flatMap((terms) => {
    const [term, ...more] = terms;
    const inner = term && more.length === 0 ? splitTerm(term) : undefined;
    return inner ?? [writeGroup(stripBrackets({ ...group, terms, joiners: [] }))];
  });
}

/** The terms without brackets, those around a single term included. */
function stripBrackets(group: Group): Group {
  const [term, ...others] = group.terms;
  return term && others.length === 0 && isPlainGroup(term)
    ? stripBrackets(term.operand)
    : { ...group, bracket: "" };
}

export const isPlainGroup = (term: Term): term is Term & { readonly operand: Group } =>
  !hasPrefix(term) && isGroup(term.operand);

/** The alternatives in brackets, each after the operator of the brackets; undefined for any other term. */
function splitTerm(term: Term): readonly string[] | undefined {
  const { negated, operator, exact, operand } = term;
  if (negated || exact || !isGroup(operand)) return undefined;
  const parts = splitGroup(operand);
  if (operator === undefined || !parts) return parts;
  return parts.every((part) => /^(?:"[^"]*"|[^\s:"(){}|-][^\s:"(){}|]*)$/.test(part))
    ? parts.map((part) => `${operator}:${part}`)
    : undefined;
}
