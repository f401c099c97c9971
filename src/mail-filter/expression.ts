import { isSearchable } from "./characters.ts";
import { type Token, tokenise } from "./expression-tokens.ts";
import { operatorOf } from "./operators.ts";

/** What is wrong in a search expression, to be read after its path. */
export type Fault = string;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

const here = ({ at }: Token): string => `at character ${at + 1}`;

/**
 * Checks what Gmail itself accepts and misreads without a word: quotes, brackets, OR and AND,
 * operators without a value.
 */
export function findFault(expression: string): Fault | undefined {
  if ((expression.split('"').length - 1) % 2 === 1) {
    return `has a quotation mark without its partner at character ${expression.lastIndexOf('"') + 1}`;
  }
  const tokens = tokenise(expression);
  return bracketFault(tokens) ?? conjunctionFault(tokens) ?? operatorFault(tokens);
}

function bracketFault(tokens: readonly Token[]): Fault | undefined {
  const open: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "open") open.push(token);
    if (token.kind !== "close") continue;
    const opening = open.pop();
    if (opening === undefined) return `has ${token.text} without its partner ${here(token)}`;
    if (CLOSING[opening.text] !== token.text) {
      return `closes ${opening.text} with ${token.text} ${here(token)}`;
    }
    if (tokens[index - 1] === opening) return `has empty brackets ${here(opening)}`;
  }
  const unclosed = open.at(-1);
  return unclosed && `has ${unclosed.text} without its partner ${here(unclosed)}`;
}

/** OR and AND need something to join on both sides. */
function conjunctionFault(tokens: readonly Token[]): Fault | undefined {
  const joins = (token: Token | undefined) => token?.kind === "or" || token?.kind === "and";
  for (const [index, token] of tokens.entries()) {
    if (!joins(token)) continue;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    if (before === undefined || before.kind === "open") {
      return `has ${token.text} with nothing before it ${here(token)}`;
    }
    if (after === undefined || after.kind === "close") {
      return `has ${token.text} with nothing after it ${here(token)}`;
    }
    if (joins(after)) return `has ${token.text} and ${after.text} in a row ${here(token)}`;
  }
  return undefined;
}

function operatorFault(tokens: readonly Token[]): Fault | undefined {
  for (const [index, token] of tokens.entries()) {
    if (isBareOperator(token) && !isValue(tokens[index + 1])) {
      return `has ${token.text} without a value ${here(token)}`;
    }
  }
  return undefined;
}

/** An operator with nothing glued to it, such as `from:` in `from: (a OR b)`. */
export const isBareOperator = ({ kind, text }: Token): boolean =>
  kind === "word" && /^[^:]+:$/.test(text) && operatorOf(text) !== undefined;

function isValue(token: Token | undefined): boolean {
  if (token?.kind === "phrase") return isSearchable(token.text);
  if (token?.kind === "word") return operatorOf(token.text) === undefined;
  return token?.kind === "open";
}

/** Whether an OR stands outside all brackets: neighbours could be captured by it. */
export function hasTopLevelOr(expression: string): boolean {
  let depth = 0;
  for (const { kind } of tokenise(expression)) {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (kind === "or" && depth === 0) return true;
  }
  return false;
}
