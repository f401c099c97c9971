import { INVISIBLE } from "../../../schemas/invisible.ts";
import { type ItemFindings, type SyntaxProblem, syntaxProblem } from "../filter-findings.ts";
import { isOperator, OPERATORS } from "../gmail.ts";

/** Writes a text as Gmail compares it: with single spaces, and without invisible characters. */
function normalise(text: string, findings: ItemFindings): string | undefined {
  if (needsNoNormalising(text)) return text;
  const forbidden = NOT_XML.exec(text)?.[0].codePointAt(0);
  if (forbidden !== undefined) {
    const code = forbidden.toString(16).toUpperCase().padStart(4, "0");
    return findings.add("not-xml", { character: `U+${code}` });
  }
  const visible = removeInvisible(text);
  if (visible !== text) findings.add("read-as/visible");
  if (collapseSpaces(visible) !== "") return collapseSpaces(visible);
  return findings.add("blank");
}

/**
 * A label as it was typed, its spaces included, since for Gmail `A / B` and `A/B` are different
 * labels. White space of other kinds becomes spaces.
 */
export function normaliseLabel(text: string, findings: ItemFindings): string | undefined {
  if (normalise(text, findings) === undefined) return undefined;
  const typed = removeInvisible(text).replace(/\p{White_Space}/gu, " ");
  const tidy = collapseSpaces(typed).replace(/ ?\/ ?/g, "/");
  if (typed !== tidy) findings.add("label-spaces", { tidy });
  return typed;
}

/** Normalises a text to search for, which needs a letter or a digit. */
export function normaliseSearchText(text: string, findings: ItemFindings): string | undefined {
  const normal = normalise(text, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  return findings.add("not-searchable");
}

/** Normalises a name. It is only a comment, so characters that XML cannot carry are removed. */
export function normaliseName(name: string, findings: ItemFindings): string {
  const carried = removeInvisible(name.split(NOT_XML).join(""));
  if (carried !== name) findings.add("read-as/visible");
  return collapseSpaces(carried);
}

/** Printable ASCII with single spaces between words: most texts, and nothing to normalise. */
const needsNoNormalising = (text: string): boolean => /^[!-~]+(?: [!-~]+)*$/.test(text);

/**
 * Characters that XML 1.0 cannot carry in any form, not even as a reference:
 * most controls, lone surrogates, U+FFFE and U+FFFF (XML 1.0, production 2, Char).
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Removes the invisible characters that change nothing visible. */
export const removeInvisible = (text: string): string =>
  isPrintableAscii(text)
    ? text
    : text
        .replace(INVISIBLE, (character) => (MODIFIER.test(character) ? character : ""))
        .replace(MODIFIES_NOTHING, "");

/** The invisible characters that emoji and some scripts need: joiners, variation selectors, tags. */
const MODIFIER = /[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]/u;

const MODIFIES_NOTHING = new RegExp(String.raw`(?<=^|\p{White_Space})${MODIFIER.source}+`, "gu");

/** The text without any invisible character, joiners and variation selectors included. */
export const removeAllInvisible = (text: string): string =>
  isPrintableAscii(text) ? text : text.replace(INVISIBLE, "");

/** Gmail finds words only, so a text needs a letter or a digit to be found. */
export const isSearchable = (text: string): boolean =>
  /[a-z0-9]/i.test(text) ||
  (!isPrintableAscii(text) && /[\p{L}\p{N}]/u.test(removeAllInvisible(text)));

/**
 * The text with `x` for the letters and digits of any script and `é` for their marks, so that
 * a pattern of ASCII fits it.
 */
export const toAsciiPattern = (text: string): string =>
  isPrintableAscii(text) ? text : text.replace(/[\p{L}\p{N}]/gu, "x").replace(/\p{M}/gu, "é");

/** Most texts are plain ASCII; for those the Unicode classes below need not be compiled. */
const isPrintableAscii = (text: string): boolean => !/[^ -~]/.test(text);

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  needsNoNormalising(text) ? text : text.replace(/\p{White_Space}+/gu, " ").trim();

/**
 * Reads what means nothing to Gmail as what it looks like: curly quotes as straight ones, and
 * `from：x`, or a `from:` with an invisible character in it, as an operator.
 */
export function replaceLookAlikes(text: string, findings: ItemFindings): string {
  if (isPrintableAscii(text)) return text;
  const straight = text
    .replace(CURLY_PAIR, (written: string, phrase: string | undefined) =>
      phrase === undefined ? written : `"${phrase}"`,
    )
    .replace(BEFORE_COLON, (written: string, word: string | undefined) => {
      const plain = word === undefined ? "" : removeAllInvisible(word).normalize("NFKC");
      return isOperator(plain.replace(/^-/, "")) ? `${plain}:` : written;
    });
  if (straight !== text) findings.add("read-as", { term: straight });
  return straight;
}

/** A phrase in straight quotes, which stays as it is, or a curly pair around one, English or German. */
const CURLY_PAIR = /"[^"]*"|[“„‟]([^“”„‟"]*)[”“]/gu;

/** A phrase, which stays as it is, or a word and a colon of any width. */
const BEFORE_COLON = /"[^"]*"|(?<![^\s"(){}|:：﹕︓])([^\s"(){}|:：﹕︓]+)[:：﹕︓]/gu;

/** A whole search expression, or a part of it in brackets. */
export interface SearchGroup {
  /** Braces mean OR between all their terms, round brackets only group. */
  readonly bracket: "" | "(" | "{";
  readonly terms: readonly Term[];
  /** `joiners[i]` follows `terms[i]`. */
  readonly joiners: readonly Connective[];
  /** False when Gmail finds no word in it. */
  readonly hasWord: boolean;
}

/** Empty for a space, which means the same as AND, and at the end. */
type Connective = "" | "AND" | "OR" | `AROUND ${string}`;

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
  readonly operand: SearchWord | SearchGroup;
}

/** A word, or a phrase without its quotes. */
interface SearchWord {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Reads an expression of the Gmail search. The `problem`, to be read after its path, is the first of
 * the mistakes that Gmail accepts and misreads: brackets or quotes without a partner, OR and AND with
 * nothing to join, operators without a value.
 */
export function parseExpression(
  text: string,
): { readonly expression: SearchGroup } | { readonly problem: string } {
  const reader: ParserState = {
    text,
    tokens: tokenise(text),
    next: 0,
    depth: 0,
    problem: undefined,
  };
  const expression = readGroup(reader, undefined);
  return reader.problem === undefined ? { expression } : { problem: reader.problem };
}

interface ParserState {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The index of the next token; after a problem the end. */
  next: number;
  depth: number;
  problem: string | undefined;
}

function nextToken(reader: ParserState): Token | undefined {
  reader.next += 1;
  return reader.tokens[reader.next - 1];
}

/** Notes the first problem of an expression, with the text around it, and ends the reading. */
function recordProblem(
  reader: ParserState,
  what: SyntaxProblem,
  token: Token,
  written = token.text,
): void {
  const around = textAround(reader.text, token.start, token.start + token.text.length);
  reader.problem ??= syntaxProblem(written, what, around);
  reader.next = reader.tokens.length;
}

/** Reads the terms up to the closing bracket, and the bracket. */
function readGroup(reader: ParserState, opening: Token | undefined): SearchGroup {
  const terms: Term[] = [];
  const joiners: Connective[] = [];
  const bracket = opening === undefined ? "" : opening.text === "{" ? "{" : "(";
  reader.depth += 1;
  if (opening && reader.depth > MAX_GROUP_DEPTH) recordProblem(reader, "too deep", opening);
  let token = nextToken(reader);
  for (; token && token.kind !== "close"; token = nextToken(reader)) {
    if (token.kind === "joiner") recordProblem(reader, "nothing before", token);
    if (token.kind === "quote") recordProblem(reader, "unpaired", token, "a quotation mark");
    terms.push(readTerm(token, reader));
    joiners.push(readJoiner(reader));
  }
  reader.depth -= 1;
  if (!token && opening) recordProblem(reader, "unpaired", opening);
  if (token && !opening) recordProblem(reader, "unpaired", token);
  if (token && opening && token.text !== CLOSING[opening.text]) {
    recordProblem(reader, "wrong pair", token, `${opening.text} and ${token.text}`);
  }
  return { bracket, terms, joiners, hasWord: terms.some(({ operand }) => hasWord(operand)) };
}

/** Deeper than any item can nest, and still within the stack of every engine. */
const MAX_GROUP_DEPTH = 1_000;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

function readTerm(first: Token, reader: ParserState): Term {
  const prefix = first.kind === "prefix" ? first.text : "";
  const token = prefix === "" ? first : (nextToken(reader) ?? first);
  if (!OPERANDS.includes(token.kind)) recordProblem(reader, "no value", first);
  const negated = prefix.startsWith("-");
  const exact = prefix.endsWith("+");
  const operator = prefix.slice(negated ? 1 : 0, exact ? -2 : -1);
  return {
    negated,
    operator: operator === "" ? undefined : operator,
    exact,
    spaced: prefix !== "" && !token.glued,
    glued: first.glued,
    operand: readOperand(token, reader),
  };
}

const OPERANDS: readonly Token["kind"][] = ["word", "phrase", "open"];

function readOperand(token: Token, reader: ParserState): SearchWord | SearchGroup {
  const { kind, text } = token;
  if (kind === "open") return readGroup(reader, token);
  return kind === "phrase" ? { text: text.slice(1, -1), quoted: true } : { text, quoted: false };
}

function readJoiner(reader: ParserState): Connective {
  const [token, next, operand] = reader.tokens.slice(reader.next, reader.next + 3);
  if (token?.kind === "joiner") {
    if (!next || next.kind === "close") recordProblem(reader, "nothing after", token);
    else if (next.kind === "joiner")
      recordProblem(reader, "in a row", token, `${token.text} and ${next.text}`);
    reader.next += 1;
    return token.text === "AND" ? "AND" : "OR";
  }
  // Without a term on both sides, AROUND is a plain word.
  if (token?.text !== "AROUND" || !next || !/^\d+$/.test(next.text)) return "";
  if (!operand || operand.kind === "close" || operand.kind === "joiner") return "";
  reader.next += 2;
  return `AROUND ${next.text}`;
}

export const isGroup = (operand: SearchWord | SearchGroup): operand is SearchGroup =>
  "terms" in operand;

/** A word without prefix or quotes; undefined for any other term. */
export const bareWord = (term: Term): string | undefined =>
  hasPrefix(term) ? undefined : unquotedText(term.operand) || undefined;

/** The text of a word; empty for a phrase or a group. */
export const unquotedText = (operand: Term["operand"]): string =>
  isGroup(operand) || operand.quoted ? "" : operand.text;

export const hasPrefix = ({ negated, operator, exact }: Term): boolean =>
  negated || operator !== undefined || exact;

export const isPlainGroup = (term: Term): term is Term & { readonly operand: SearchGroup } =>
  !hasPrefix(term) && isGroup(term.operand);

/** A group and all the groups within it, in the order of their opening brackets. */
export function allGroups(group: SearchGroup, found: SearchGroup[] = []): readonly SearchGroup[] {
  found.push(group);
  for (const { operand } of group.terms) if (isGroup(operand)) allGroups(operand, found);
  return found;
}

/** Writes a group in one way, however it was spaced and whether OR was written as `|`. */
export function writeGroup({ bracket, terms, joiners }: SearchGroup): string {
  let list = "";
  // A hostile input has thousands of groups, so none makes lists of its own.
  for (const [index, term] of terms.entries()) {
    const joiner = joiners[index - 1];
    if (index > 0) list += joiner ? ` ${joiner} ` : " ";
    list += writeTerm(term);
  }
  if (bracket === "") return list;
  return bracket === "(" ? `(${list})` : `{${list}}`;
}

export function writeTerm({ negated, operator, exact, operand }: Term): string {
  const name = operator === undefined ? "" : `${operator}:`;
  const prefix = `${negated ? "-" : ""}${name}${exact ? "+" : ""}`;
  if (isGroup(operand)) return prefix + writeGroup(operand);
  return prefix + (operand.quoted ? `"${operand.text}"` : operand.text);
}

/**
 * Finds a term without a word that would change what the expression finds: in quotes or brackets,
 * after a prefix, or joined by more than a space. Bare punctuation between words changes nothing.
 */
export function findEmptyTerm({ bracket, terms, joiners }: SearchGroup): Term | undefined {
  for (const [index, term] of terms.entries()) {
    const joiner = joiners[index - 1] || joiners[index];
    const matters = joiner || bracket === "{" || bareWord(term) === undefined;
    if (matters && !hasWord(term.operand)) return term;
    const within = isGroup(term.operand) ? findEmptyTerm(term.operand) : undefined;
    if (within) return within;
  }
  return undefined;
}

export const hasWord = (operand: SearchWord | SearchGroup): boolean =>
  isGroup(operand) ? operand.hasWord : isSearchable(operand.text);

/**
 * Cuts a list at some of its joiners.
 *
 * @param joiners `joiners[i]` is between `parts[i]` and `parts[i + 1]`.
 */
export function splitAtJoiners<Part>(
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
function splitGroup(group: SearchGroup): readonly string[] | undefined {
  const [first, ...others] = group.terms;
  if (first && others.length === 0) return splitTerm(first);
  if (group.joiners.some((joiner) => joiner !== "" && joiner !== "OR")) return undefined;
  if (group.bracket !== "{" && !group.joiners.includes("OR")) return undefined;
  const isOr = (joiner: string) => group.bracket === "{" || joiner === "OR";
  return splitAtJoiners(group.terms, group.joiners, isOr).flatMap((terms) => {
    const [term, ...more] = terms;
    const inner = term && more.length === 0 ? splitTerm(term) : undefined;
    return inner ?? [writeGroup(stripBrackets({ ...group, terms, joiners: [] }))];
  });
}

/** The terms without brackets, those around a single term included. */
function stripBrackets(group: SearchGroup): SearchGroup {
  const [term, ...others] = group.terms;
  return term && others.length === 0 && isPlainGroup(term)
    ? stripBrackets(term.operand)
    : { ...group, bracket: "" };
}

/** The alternatives in brackets, each after the operator of the brackets; undefined for any other term. */
function splitTerm({ negated, operator, exact, operand }: Term): readonly string[] | undefined {
  if (negated || exact || !isGroup(operand)) return undefined;
  const parts = splitGroup(operand);
  if (operator === undefined || !parts) return parts;
  return parts.every((part) => /^(?:"[^"]*"|[^\s:"(){}|-][^\s:"(){}|]*)$/.test(part))
    ? parts.map((part) => `${operator}:${part}`)
    : undefined;
}

interface Token {
  /**
   * A prefix is `-`, `from:`, `+` or several of them in this order, and applies to what follows it; a
   * quote is one without its partner.
   */
  readonly kind: "prefix" | "word" | "phrase" | "open" | "close" | "joiner" | "quote";
  readonly text: string;
  /** The offset of the token, in UTF-16 units. */
  readonly start: number;
  /** True if a word precedes it without a space or bracket between them, as the bracket in `f(x)`. */
  readonly glued: boolean;
}

/** Cuts an expression into tokens. */
function tokenise(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index: start } of expression.matchAll(PIECE)) {
    const glued = start > 0 && !/[\s"(){}|]/.test(expression.charAt(start - 1));
    const prefix = readPrefix(piece, expression, start);
    if (prefix !== "") tokens.push({ kind: "prefix", text: prefix, start, glued });
    if (prefix.length === piece.length) continue;
    tokens.push({
      kind: prefix === "" ? tokenKind(piece) : "word",
      text: piece.slice(prefix.length),
      start: start + prefix.length,
      glued: glued || prefix !== "",
    });
  }
  return tokens;
}

const PIECE = /"[^"]*"|["(){}|]|[^\s"(){}|]+/g;

const tokenKind = (piece: string): Token["kind"] =>
  TOKEN_KINDS.get(piece) ?? (piece.startsWith('"') ? "phrase" : "word");

const TOKEN_KINDS: ReadonlyMap<string, Token["kind"]> = new Map([
  ["(", "open"],
  ["{", "open"],
  [")", "close"],
  ["}", "close"],
  ["|", "joiner"],
  ["OR", "joiner"],
  ["AND", "joiner"],
  ['"', "quote"],
]);

/** The prefix that a piece starts with; in the middle of a word, as in `well-known`, is none. */
function readPrefix(piece: string, expression: string, start: number): string {
  const isMinus = piece.startsWith("-");
  const operator = isMinus || piece.includes(":") ? OPERATOR.exec(piece)?.[0] : undefined;
  // A minus with a space or another minus after it is only a character.
  const isExclusion = isMinus && /[^\s\-)}|]/.test(expression.charAt(start + 1));
  const prefix = operator ?? (isExclusion ? "-" : "");
  if (piece[prefix.length] !== "+") return prefix;
  PLUS.lastIndex = start + prefix.length;
  return PLUS.test(expression) ? `${prefix}+` : prefix;
}

const OPERATOR = new RegExp(`^-?(?:${OPERATORS}):`, "i");

/** Before a word (Gmail's help 7190), or brackets with one; `+49 170` is a telephone number. */
const PLUS = new RegExp(`\\+(?!(?:${OPERATORS}):)(?=[({"]*\\p{L})`, "iuy");

/** The text of a problem with the 12 code points on either side of it. */
function textAround(text: string, start: number, end: number): string {
  const [before, after] = [[...text.slice(0, start)], [...text.slice(end)]];
  return [
    before.length > 12 ? "…" : "",
    ...before.slice(-12),
    text.slice(start, end),
    ...after.slice(0, 12),
    after.length > 12 ? "…" : "",
  ].join("");
}
