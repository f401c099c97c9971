import { syntaxProblem } from "../findings.ts";
import { OPERATORS } from "../gmail.ts";

export interface Token {
  /** A prefix is `-`, `from:`, `+` or several of them in this order, and applies to what follows it. */
  readonly kind: "prefix" | "word" | "phrase" | "open" | "close" | "or" | "and";
  readonly text: string;
  /** The offset of the token, in UTF-16 units. */
  readonly start: number;
  /** True if a word precedes it without a space or bracket between them, as the bracket in `f(x)`. */
  readonly glued: boolean;
}

/** Cuts an expression into tokens. Its quotes must be paired. */
export function tokenise(expression: string): Token[] {
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
export function findOddQuote(expression: string): string | undefined {
  if (expression.split('"').length % 2 === 1) return undefined;
  const at = expression.lastIndexOf('"');
  return syntaxProblem("unpaired", "a quotation mark", "", textAround(expression, at, at + 1));
}

/**
 * Describes the first of the mistakes that Gmail accepts and misreads: brackets without a partner,
 * OR and AND with nothing to join, operators without a value. The message is to be read after the
 * path.
 */
export function findSyntaxProblem(
  expression: string,
  tokens: readonly Token[],
): string | undefined {
  const problem = bracketProblem(tokens) ?? joinerProblem(tokens) ?? prefixProblem(tokens);
  if (!problem) return undefined;
  const { what, token, other = "" } = problem;
  const { start, text } = token;
  return syntaxProblem(what, text, other, textAround(expression, start, start + text.length));
}

interface Problem {
  readonly what: Parameters<typeof syntaxProblem>[0];
  readonly token: Token;
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
      return { what: "closed with", token: opening, other: token.text };
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
