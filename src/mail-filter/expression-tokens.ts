/** A piece of a search expression; `at` counts UTF-16 units from 0. */
export interface Token {
  readonly kind: "word" | "phrase" | "open" | "close" | "or" | "and";
  readonly text: string;
  readonly at: number;
}

const PIECE = /"[^"]*"|[(){}|]|[^\s"(){}|]+/g;

/** Cuts an expression into tokens. Its quotes must be paired. */
export function tokenise(expression: string): Token[] {
  return [...expression.matchAll(PIECE)].map(({ 0: text, index: at }) => ({
    kind: kindOf(text),
    text,
    at,
  }));
}

function kindOf(text: string): Token["kind"] {
  if (text.startsWith('"')) return "phrase";
  if (text === "(" || text === "{") return "open";
  if (text === ")" || text === "}") return "close";
  if (text === "OR" || text === "|") return "or";
  if (text === "AND") return "and";
  return "word";
}
