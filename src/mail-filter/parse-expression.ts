import type { Group, Joiner, Term, Text } from "./expression.ts";
import { findFault, findOddQuote } from "./expression-faults.ts";
import { type Token, tokenise } from "./expression-tokens.ts";

type Parsed = { readonly expression: Group } | { readonly fault: string };

/** Reads an expression of Gmail's search; a `fault` is to be read after its path. */
export function parseExpression(text: string): Parsed {
  const oddQuote = findOddQuote(text);
  if (oddQuote !== undefined) return { fault: oddQuote };
  const tokens = tokenise(text);
  const fault = findFault(text, tokens);
  return fault === undefined ? { expression: readGroup(tokens, "") } : { fault };
}

/** Takes what stands before the closing bracket, and that too, from the front of `rest`. */
function readGroup(rest: Token[], bracket: Group["bracket"]): Group {
  const terms: Term[] = [];
  const joiners: Joiner[] = [];
  for (let token = rest.shift(); token && token.kind !== "close"; token = rest.shift()) {
    terms.push(readTerm(token, rest));
    joiners.push(readJoiner(rest));
  }
  return { bracket, terms, joiners };
}

function readJoiner(rest: Token[]): Joiner {
  const [token, number, operand] = rest;
  if (token?.kind === "or" || token?.kind === "and") {
    rest.shift();
    return token.kind === "or" ? "OR" : "AND";
  }
  const isAround = token?.text === "AROUND" && /^\d+$/.test(number?.text ?? "");
  // Without something to look for on both sides it is a word like others.
  if (!isAround || !operand || ["close", "or", "and"].includes(operand.kind)) return "";
  rest.splice(0, 2);
  return `AROUND ${number?.text}`;
}

function readTerm(first: Token, rest: Token[]): Term {
  const prefix = first.kind === "prefix" ? first.text : "";
  const token = prefix === "" ? first : (rest.shift() ?? first);
  const negated = prefix.startsWith("-");
  const operator = prefix.slice(negated ? 1 : 0, -1);
  return {
    negated,
    operator: operator === "" ? undefined : operator,
    spaced: prefix !== "" && !token.glued,
    glued: first.glued,
    operand: readOperand(token, rest),
  };
}

function readOperand({ kind, text }: Token, rest: Token[]): Text | Group {
  if (kind === "open") return readGroup(rest, text === "{" ? "{" : "(");
  return kind === "phrase" ? { text: text.slice(1, -1), quoted: true } : { text, quoted: false };
}
