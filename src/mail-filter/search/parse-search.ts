import { INVISIBLE_CHARACTER } from "../../../schemas/invisible.ts";
import { type ItemFindings, type SyntaxProblem, syntaxProblem } from "../filter-findings.ts";
import { isOperator, OPERATOR_NAMES } from "../gmail.ts";

/** Removes invisible characters and extra spaces, which Gmail ignores. */
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

/** Keeps the spaces of a label, because `A / B` and `A/B` are different labels in Gmail. */
export function normaliseLabel(text: string, findings: ItemFindings): string | undefined {
  if (normalise(text, findings) === undefined) return undefined;
  const typed = removeInvisible(text).replace(/\p{White_Space}/gu, " ");
  const tidy = collapseSpaces(typed).replace(/ ?\/ ?/g, "/");
  if (typed !== tidy) findings.add("label-spaces", { tidy });
  return typed;
}

export function normaliseSearchText(text: string, findings: ItemFindings): string | undefined {
  const normal = normalise(text, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  return findings.add("not-searchable");
}

/** Removes what XML cannot contain, because a name is only a comment. */
export function normaliseName(name: string, findings: ItemFindings): string {
  const carried = removeInvisible(name.split(NOT_XML).join(""));
  if (carried !== name) findings.add("read-as/visible");
  return collapseSpaces(carried);
}

/** A fast path for most values: printable ASCII with single spaces. */
const needsNoNormalising = (text: string): boolean => /^[!-~]+(?: [!-~]+)*$/.test(text);

/**
 * Characters that XML 1.0 (production 2, Char) cannot contain, not even as a reference: most controls,
 * unpaired surrogates, U+FFFE and U+FFFF.
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Removes invisible characters, except the ones that change how others look. */
export const removeInvisible = (text: string): string =>
  isPlainAscii(text)
    ? text
    : text
        .replace(INVISIBLE_CHARACTER, (character) => (MODIFIER.test(character) ? character : ""))
        .replace(MODIFIES_NOTHING, "");

/** Invisible characters that emoji and some scripts need: joiners, variation selectors, tags. */
const MODIFIER = /[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]/u;

const MODIFIES_NOTHING = new RegExp(String.raw`(?<=^|\p{White_Space})${MODIFIER.source}+`, "gu");

/** Also removes joiners and variation selectors. */
export const removeAllInvisible = (text: string): string =>
  isPlainAscii(text) ? text : text.replace(INVISIBLE_CHARACTER, "");

/** Whether a value has a letter or a digit. Gmail finds only words. */
export const isSearchable = (text: string): boolean =>
  /[a-z0-9]/i.test(text) || (!isPlainAscii(text) && /[\p{L}\p{N}]/u.test(removeAllInvisible(text)));

/** Writes `x` for letters and digits of any script and `é` for their marks, for ASCII patterns. */
export const toAsciiPattern = (text: string): string =>
  isPlainAscii(text) ? text : text.replace(/[\p{L}\p{N}]/gu, "x").replace(/\p{M}/gu, "é");

/** A fast path for most values, without the Unicode classes. */
const isPlainAscii = (text: string): boolean => !/[^ -~]/.test(text);

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  needsNoNormalising(text) ? text : text.replace(/\p{White_Space}+/gu, " ").trim();

/**
 * Reads what means nothing to Gmail as what it looks like: curly quotes as straight ones, and
 * `from：x`, or a `from:` with an invisible character in it, as an operator.
 */
export function replaceLookAlikes(text: string, findings: ItemFindings): string {
  if (isPlainAscii(text)) return text;
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

/** A phrase in straight quotes, which stays the same, or in English or German curly quotes. */
const CURLY_PAIR = /"[^"]*"|[“„‟]([^“”„‟"]*)[”“]/gu;

/** A phrase, which stays the same, or a word and a colon of any width. */
const BEFORE_COLON = /"[^"]*"|(?<![^\s"(){}|:：﹕︓])([^\s"(){}|:：﹕︓]+)[:：﹕︓]/gu;

/** A whole search expression, or a part of it in brackets. */
export interface SearchGroup {
  /** Braces mean OR between all of their terms. Round brackets only group. */
  readonly bracket: "" | "(" | "{";
  readonly terms: readonly Term[];
  /** `joiners[i]` follows `terms[i]`. */
  readonly joiners: readonly Connective[];
  /** Whether Gmail finds a word in it. */
  readonly hasWord: boolean;
}

/** Empty at the end, and for a space, which means the same as AND. */
type Connective = "" | "AND" | "OR" | `AROUND ${string}`;

/** One operand with its prefixes: `-from:(a OR b)`, `+word`. */
export interface Term {
  readonly isNegated: boolean;
  /** As written, without the colon. */
  readonly operator: string | undefined;
  /** Whether it has a plus, so that Gmail finds no other forms of the word. */
  readonly isExact: boolean;
  /** Whether a space follows the operator. */
  readonly hasSpaceAfterColon: boolean;
  /** Whether a word precedes it without a space, like the bracket in `f(x)`. */
  readonly isGlued: boolean;
  readonly operand: SearchWord | SearchGroup;
}

interface SearchWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * Parses a Gmail search. `problem`, which continues a path, is the first mistake that Gmail accepts but
 * misreads: unpaired brackets or quotes, OR and AND with nothing to join, operators without a value.
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
  /** The index of the next token, or the end after a problem. */
  next: number;
  depth: number;
  problem: string | undefined;
}

function nextToken(reader: ParserState): Token | undefined {
  reader.next += 1;
  return reader.tokens[reader.next - 1];
}

/** Keeps only the first problem, and stops parsing. */
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

/** Reads terms up to and including the closing bracket. */
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

/** Deeper than any item can nest, and within the stack of every engine. */
const MAX_GROUP_DEPTH = 1_000;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

function readTerm(first: Token, reader: ParserState): Term {
  const prefix = first.kind === "prefix" ? first.text : "";
  const token = prefix === "" ? first : (nextToken(reader) ?? first);
  if (!OPERANDS.includes(token.kind)) recordProblem(reader, "no value", first);
  const isNegated = prefix.startsWith("-");
  const isExact = prefix.endsWith("+");
  const operator = prefix.slice(isNegated ? 1 : 0, isExact ? -2 : -1);
  return {
    isNegated,
    operator: operator === "" ? undefined : operator,
    isExact,
    hasSpaceAfterColon: prefix !== "" && !token.isGlued,
    isGlued: first.isGlued,
    operand: readOperand(token, reader),
  };
}

const OPERANDS: readonly Token["kind"][] = ["word", "phrase", "open"];

function readOperand(token: Token, reader: ParserState): SearchWord | SearchGroup {
  const { kind, text } = token;
  if (kind === "open") return readGroup(reader, token);
  return kind === "phrase"
    ? { text: text.slice(1, -1), isQuoted: true }
    : { text, isQuoted: false };
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
  // Without terms on both sides, AROUND is a plain word.
  if (token?.text !== "AROUND" || !next || !/^\d+$/.test(next.text)) return "";
  if (!operand || operand.kind === "close" || operand.kind === "joiner") return "";
  reader.next += 2;
  return `AROUND ${next.text}`;
}

export const isGroup = (operand: SearchWord | SearchGroup): operand is SearchGroup =>
  "terms" in operand;

/** Returns a word without prefix or quotes, or undefined for any other term. */
export const bareWord = (term: Term): string | undefined =>
  hasPrefix(term) ? undefined : wordText(term.operand) || undefined;

/** Returns a word, or an empty string for a phrase or a group. */
export const wordText = (operand: Term["operand"]): string =>
  isGroup(operand) || operand.isQuoted ? "" : operand.text;

export const hasPrefix = ({ isNegated, operator, isExact }: Term): boolean =>
  isNegated || operator !== undefined || isExact;

export const isPlainGroup = (term: Term): term is Term & { readonly operand: SearchGroup } =>
  !hasPrefix(term) && isGroup(term.operand);

/** Lists a group and all groups inside it, in the order of their opening brackets. */
export function allGroups(group: SearchGroup, found: SearchGroup[] = []): readonly SearchGroup[] {
  found.push(group);
  for (const { operand } of group.terms) if (isGroup(operand)) allGroups(operand, found);
  return found;
}

/** Normalises spaces, and writes `|` as OR. */
export function writeGroup({ bracket, terms, joiners }: SearchGroup): string {
  let list = "";
  // A hostile input has thousands of groups, so building arrays would be slow.
  for (const [index, term] of terms.entries()) {
    const joiner = joiners[index - 1];
    if (index > 0) list += joiner ? ` ${joiner} ` : " ";
    list += writeTerm(term);
  }
  if (bracket === "") return list;
  return bracket === "(" ? `(${list})` : `{${list}}`;
}

export function writeTerm({ isNegated, operator, isExact, operand }: Term): string {
  const name = operator === undefined ? "" : `${operator}:`;
  const prefix = `${isNegated ? "-" : ""}${name}${isExact ? "+" : ""}`;
  if (isGroup(operand)) return prefix + writeGroup(operand);
  return prefix + (operand.isQuoted ? `"${operand.text}"` : operand.text);
}

/**
 * Finds a term without a word that changes the result: in quotes or brackets, after a prefix, or joined by
 * OR or AND. Bare punctuation between words changes nothing.
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

/** @param joiners `joiners[i]` is between `parts[i]` and `parts[i + 1]`. */
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
 * Splits `a OR "b c"`, `{a b}`, `(a | b)` or `from:(a OR b)` into alternatives. Anything else, such as a
 * search with AND, is returned whole.
 */
export function splitAlternatives(text: string): readonly string[] {
  if (!/\bOR\b|[|{]/.test(text)) return [text];
  const parsed = parseExpression(text);
  return ("expression" in parsed && splitGroup(parsed.expression)) || [text];
}

/** @returns undefined if the group is not a list of alternatives. */
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

/** Removes the group's brackets, and brackets around its only term. */
function stripBrackets(group: SearchGroup): SearchGroup {
  const [term, ...others] = group.terms;
  return term && others.length === 0 && isPlainGroup(term)
    ? stripBrackets(term.operand)
    : { ...group, bracket: "" };
}

/** Splits alternatives in brackets, and repeats the operator before the brackets for each. */
function splitTerm({ isNegated, operator, isExact, operand }: Term): readonly string[] | undefined {
  if (isNegated || isExact || !isGroup(operand)) return undefined;
  const parts = splitGroup(operand);
  if (operator === undefined || !parts) return parts;
  return parts.every((part) => /^(?:"[^"]*"|[^\s:"(){}|-][^\s:"(){}|]*)$/.test(part))
    ? parts.map((part) => `${operator}:${part}`)
    : undefined;
}

interface Token {
  /** A prefix is `-`, `from:`, `+` or several of them in this order. A quote is unpaired. */
  readonly kind: "prefix" | "word" | "phrase" | "open" | "close" | "joiner" | "quote";
  readonly text: string;
  /** In UTF-16 units. */
  readonly start: number;
  /** Whether a word precedes it without a space, like the bracket in `f(x)`. */
  readonly isGlued: boolean;
}

function tokenise(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index: start } of expression.matchAll(SEARCH_PIECE)) {
    const isGlued = start > 0 && !/[\s"(){}|]/.test(expression.charAt(start - 1));
    const prefix = readPrefix(piece, expression, start);
    if (prefix !== "") tokens.push({ kind: "prefix", text: prefix, start, isGlued });
    if (prefix.length === piece.length) continue;
    tokens.push({
      kind: prefix === "" ? tokenKind(piece) : "word",
      text: piece.slice(prefix.length),
      start: start + prefix.length,
      isGlued: isGlued || prefix !== "",
    });
  }
  return tokens;
}

const SEARCH_PIECE = /"[^"]*"|["(){}|]|[^\s"(){}|]+/g;

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

/** Reads the prefix of a piece. A hyphen inside a word, as in `well-known`, is not a prefix. */
function readPrefix(piece: string, expression: string, start: number): string {
  const isMinus = piece.startsWith("-");
  const operator = isMinus || piece.includes(":") ? OPERATOR.exec(piece)?.[0] : undefined;
  // A minus before a space or another minus is only a character.
  const isExclusion = isMinus && /[^\s\-)}|]/.test(expression.charAt(start + 1));
  const prefix = operator ?? (isExclusion ? "-" : "");
  if (piece[prefix.length] !== "+") return prefix;
  PLUS.lastIndex = start + prefix.length;
  return PLUS.test(expression) ? `${prefix}+` : prefix;
}

const OPERATOR = new RegExp(`^-?(?:${OPERATOR_NAMES}):`, "i");

/** A plus before a word (Gmail's help 7190) or brackets. `+49 170` is a telephone number. */
const PLUS = new RegExp(`\\+(?!(?:${OPERATOR_NAMES}):)(?=[({"]*\\p{L})`, "iuy");

/** Quotes a problem with 12 code points on either side. */
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
