import { OPERATORS } from "./operators.ts";

/** A piece of a search expression. */
export interface Token {
  /** A prefix is `-`, `from:` or `-from:`, and applies to what follows it. */
  readonly kind: "prefix" | "word" | "phrase" | "open" | "close" | "or" | "and";
  readonly text: string;
  /** In UTF-16 units from 0. */
  readonly start: number;
  /** No space or bracket stands before it, as before the bracket in `f(x)`. */
  readonly glued: boolean;
}

/** Not in the middle of a word, as in `well-known` or `re:from:x`. */
const AT_WORD_START = String.raw`(?<![^\s"(){}|])`;
const OPERATOR = `-?(?:${OPERATORS.join("|")}):`;
/** A minus with a space or another minus after it is only a character. */
const MINUS = String.raw`-(?=[^\s\-)}|])`;

const PIECE = new RegExp(
  String.raw`${AT_WORD_START}(?<prefix>${OPERATOR}|${MINUS})|"[^"]*"|[(){}|]|[^\s"(){}|]+`,
  "gi",
);

/** Cuts an expression into tokens. Its quotes must be paired. */
export const tokenise = (expression: string): Token[] =>
  [...expression.matchAll(PIECE)].map(({ 0: text, index: start, groups }) => ({
    kind: groups?.prefix === undefined ? kindOf(text) : "prefix",
    text,
    start,
    glued: /[^\s"(){}|]/.test(expression.charAt(start - 1)),
  }));

function kindOf(text: string): Token["kind"] {
  if (text.startsWith('"')) return "phrase";
  if (text === "(" || text === "{") return "open";
  if (text === ")" || text === "}") return "close";
  if (text === "OR" || text === "|") return "or";
  if (text === "AND") return "and";
  return "word";
}
