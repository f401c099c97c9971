import { type ItemFindings, syntaxProblem } from "../findings.ts";
import { isOperator, OPERATORS } from "../gmail.ts";

/**
 * Writes a text as Gmail compares it: with single spaces, and without invisible characters.
 *
 * @returns undefined when it was rejected.
 */
function normalise(text: string, findings: ItemFindings): string | undefined {
  if (isTidy(text)) return text;
  const forbidden = NOT_XML.exec(text)?.[0];
  if (forbidden !== undefined) {
    findings.add("not-xml", { character: codePointName(forbidden) });
    return undefined;
  }
  const visible = tidyText(text, findings);
  if (visible === "") {
    findings.add("blank");
    return undefined;
  }
  return visible;
}

/**
 * A label as it was typed, its spaces included, since for Gmail `A / B` and `A/B` are different
 * labels. White space of other kinds becomes spaces.
 *
 * @returns undefined when it was rejected.
 */
export function normaliseLabel(text: string, findings: ItemFindings): string | undefined {
  if (normalise(text, findings) === undefined) return undefined;
  const typed = isTidy(text) ? text : removeInvisible(text).replace(/\p{White_Space}/gu, " ");
  const tidy = tidyLabel(typed);
  if (typed !== tidy) findings.add("label-spaces", { tidy });
  return typed;
}

const tidyLabel = (label: string): string =>
  collapseSpaces(label)
    .split("/")
    .map((segment) => segment.trim())
    .join("/");

/** Normalises a text to search for, which needs a letter or a digit. */
export function normaliseSearchText(text: string, findings: ItemFindings): string | undefined {
  const normal = normalise(text, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  findings.add("not-searchable");
  return undefined;
}

/** Normalises a name. It is only a comment, so characters that XML cannot carry are removed. */
export function normaliseName(name: string, findings: ItemFindings): string {
  if (isTidy(name)) return name;
  const carried = name.replace(new RegExp(NOT_XML, "gu"), "");
  if (carried !== name) findings.add("read-as/carried");
  return tidyText(carried, findings);
}

/** Printable ASCII with single spaces between words: most texts, and nothing to normalise. */
const isTidy = (text: string): boolean => /^[!-~]+(?: [!-~]+)*$/.test(text);

/** `U+0007`, for messages: the character itself would not show. */
const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * Characters that XML 1.0 cannot carry in any form, not even as a reference:
 * most controls, lone surrogates, U+FFFE and U+FFFF (XML 1.0, production 2, Char).
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function tidyText(text: string, findings: ItemFindings): string {
  const visible = removeInvisible(text);
  if (visible !== text) findings.add("read-as/visible");
  return collapseSpaces(visible);
}

/** Removes the invisible characters that change nothing visible. */
export const removeInvisible = (text: string): string =>
  isPrintableAscii(text)
    ? text
    : text
        .replace(INVISIBLE, (character) => (MODIFIER.test(character) ? character : ""))
        .replace(MODIFIES_NOTHING, "");

/** Invisible characters, which can hide a difference between two texts. */
const INVISIBLE = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

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
  isTidy(text) ? text : text.replace(/\p{White_Space}+/gu, " ").trim();

/** Reads `from：x`, or a `from:` with an invisible character in it, as the operator that it looks like. */
export function straightenOperators(text: string, findings: ItemFindings): string {
  if (isPrintableAscii(text)) return text;
  const straight = text.replace(BEFORE_COLON, (written: string, word: string | undefined) => {
    const plain = word === undefined ? "" : removeAllInvisible(word).normalize("NFKC");
    return isOperator(plain.replace(/^-/, "")) ? `${plain}:` : written;
  });
  if (straight !== text) findings.add("read-as", { term: straight });
  return straight;
}

/** A phrase, which stays as it is, or a word and a colon of any width. */
const BEFORE_COLON = /"[^"]*"|([^\s"(){}|:：﹕︓]+)[:：﹕︓]/gu;

/** Straightens curly quotes, which mean nothing to Gmail, with an info. */
export function straightenQuotes(text: string, findings: ItemFindings): string {
  if (isPrintableAscii(text)) return text;
  const straight = text.replace(CURLY_PAIR, (written: string, phrase: string | undefined) =>
    phrase === undefined ? written : `"${phrase}"`,
  );
  if (straight !== text) findings.add("read-as/quotes");
  return straight;
}

/**
 * A phrase in straight quotes, which stays as it is, or a pair around one, English or German. A
 * single curly quote stays as it is too.
 */
const CURLY_PAIR = /"[^"]*"|[“„‟]([^“”„‟"]*)[”“]/gu;

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

interface Token {
  /** A prefix is `-`, `from:`, `+` or several of them in this order, and applies to what follows it. */
  readonly kind: "prefix" | "word" | "phrase" | "open" | "close" | "or" | "and";
  readonly text: string;
  /** The offset of the token, in UTF-16 units. */
  readonly start: number;
  /** True if a word precedes it without a space or bracket between them, as the bracket in `f(x)`. */
  readonly glued: boolean;
}

/** Cuts an expression into tokens. Its quotes must be paired. */
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

const PIECE = /"[^"]*"|[(){}|]|[^\s"(){}|]+/g;

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

function tokenKind(text: string): Token["kind"] {
  if (text.startsWith('"')) return "phrase";
  if (text === "(" || text === "{") return "open";
  if (text === ")" || text === "}") return "close";
  if (text === "OR" || text === "|") return "or";
  if (text === "AND") return "and";
  return "word";
}

/** Describes an odd quotation mark, as a message to be read after the path. */
function findOddQuote(expression: string): string | undefined {
  if (expression.split('"').length % 2 === 1) return undefined;
  const at = expression.lastIndexOf('"');
  return syntaxProblem("unpaired", "a quotation mark", "", textAround(expression, at, at + 1));
}

/**
 * Describes the first of the mistakes that Gmail accepts and misreads: brackets without a partner,
 * OR and AND with nothing to join, operators without a value. The message is to be read after the
 * path.
 */
function findSyntaxProblem(expression: string, tokens: readonly Token[]): string | undefined {
  const problem = bracketProblem(tokens) ?? joinerProblem(tokens) ?? prefixProblem(tokens);
  if (!problem) return undefined;
  const { what, token, text = token.text, other = "" } = problem;
  const around = textAround(expression, token.start, token.start + token.text.length);
  return syntaxProblem(what, text, other, around);
}

interface Problem {
  readonly what: Parameters<typeof syntaxProblem>[0];
  readonly token: Token;
  /** The bracket or operator that the problem is about, unless it is the token. */
  readonly text?: string;
  readonly other?: string;
}

function bracketProblem(tokens: readonly Token[]): Problem | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.kind === "open" && open.push(token) > MAX_DEPTH) {
      return { what: "within others", token };
    }
    if (token.kind !== "close") continue;
    const opening = open.pop();
    if (!opening) return { what: "unpaired", token };
    if (CLOSING[opening.text] !== token.text) {
      return { what: "closed with", token, text: opening.text, other: token.text };
    }
  }
  const token = open.at(-1);
  return token && { what: "unpaired", token };
}

/** Deeper than any item can nest, and still within the stack of every engine. */
const MAX_DEPTH = 1_000;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

function joinerProblem(tokens: readonly Token[]): Problem | undefined {
  const joins = (token: Token | undefined) => token?.kind === "or" || token?.kind === "and";
  for (const [index, token] of tokens.entries()) {
    if (!joins(token)) continue;
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (!before || before.kind === "open") {
      return { what: "nothing before", token };
    }
    if (!after || after.kind === "close") {
      return { what: "nothing after", token };
    }
    if (joins(after)) return { what: "in a row", token, other: after.text };
  }
  return undefined;
}

function prefixProblem(tokens: readonly Token[]): Problem | undefined {
  const token = tokens.find(({ kind }, index) => {
    const next = tokens[index + 1]?.kind;
    return kind === "prefix" && next !== "word" && next !== "phrase" && next !== "open";
  });
  return token && { what: "no value", token };
}

function textAround(expression: string, start: number, end: number): string {
  const [before, after] = [[...expression.slice(0, start)], [...expression.slice(end)]];
  const shown = [
    before.length > SHOWN ? "…" : "",
    ...before.slice(-SHOWN),
    expression.slice(start, end),
    ...after.slice(0, SHOWN),
    after.length > SHOWN ? "…" : "",
  ];
  return shown.join("");
}

/** The code points of the text that a message shows on either side of a problem. */
const SHOWN = 12;
