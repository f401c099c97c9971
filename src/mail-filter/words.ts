import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import { findFault, hasTopLevelOr, isBareOperator } from "./expression.ts";
import { type Token, tokenise } from "./expression-tokens.ts";
import { literal } from "./literal.ts";
import { isJudgedAtDelivery, operatorOf } from "./operators.ts";

/** Curly quotes mean nothing to Gmail, and a phrase that is none would match more mail. */
const straighten = (text: string): string => text.replace(/[“”„‟]/g, '"');

/** `f(x)` in a text: brackets glued to a word are part of it, `f (x)` has an expression's. */
const GLUED_BRACKETS = /(?<=[\p{L}\p{N}_])(?:\([^(){}]*\)|\{[^(){}]*\})/gu;

/** Whether an item of `has_words` is more than plain words. */
function isExpression(text: string): boolean {
  const tokens = text.split(/[\s({]+/);
  return (
    /["|(){}]/.test(text.replace(GLUED_BRACKETS, "")) ||
    / AROUND \d/.test(text) ||
    tokens.some((token) => /^(?:OR|AND|-[^-].*)$/.test(token) || operatorOf(token) !== undefined)
  );
}

/** One term of `has_words`; all of them are required. */
export interface WordsTerm {
  readonly text: string;
  /** Plain words, searched as a phrase. */
  readonly plain: boolean;
}

/**
 * The search term of one normalised item of `has_words`: a phrase for plain words, the item
 * itself for an expression, in brackets where an OR could capture its neighbours.
 *
 * @returns undefined when it had to be refused.
 */
export function wordsTerm(item: string, path: Path, findings: Findings): WordsTerm | undefined {
  const text = straighten(item);
  if (!isExpression(text)) {
    const term = literal(text, path, findings);
    if (/ (?:or|and) /.test(text)) lowerCaseJoin(path, findings);
    return term === undefined ? undefined : { text: term, plain: true };
  }
  const fault = findFault(text);
  if (fault !== undefined) {
    findings.refuse(path, fault);
    return undefined;
  }
  remarkOn(text, path, findings);
  return { text: hasTopLevelOr(text) ? `(${text})` : text, plain: false };
}

function remarkOn(text: string, path: Path, findings: Findings): void {
  const tokens = tokenise(text);
  const words = tokens.filter(({ kind }) => kind === "word").map((token) => token.text);
  for (const word of new Set(words.filter(isJudgedAtDelivery))) {
    findings.warn(
      "judged-at-delivery",
      path,
      `${word} is judged when the mail arrives, when it rarely holds; filters that use it seldom match`,
    );
  }
  const spaced = tokens.find((token, index) => isBareOperator(token) && !isGlued(tokens, index));
  if (spaced) {
    findings.warn("space-after-operator", path, `write ${spaced.text} without a space after it`);
  }
  if (words.some((word) => /^(?:or|and)$/.test(word))) lowerCaseJoin(path, findings);
  if (words.some((word) => word.includes("!"))) {
    findings.warn("exclamation-mark", path, "Gmail may read ! as a minus; put the text in quotes");
  }
  if (tokens.length === 1 && /^-/.test(text)) {
    findings.info("only-excludes", path, "only keeps mail out; does_not_have is meant for that");
  }
}

const lowerCaseJoin = (path: Path, findings: Findings): void =>
  findings.info(
    "lower-case-operator",
    path,
    "lower-case or and and are searched as words; write OR or AND to join alternatives",
  );

function isGlued(tokens: readonly Token[], index: number): boolean {
  const [token, next] = tokens.slice(index, index + 2);
  return token !== undefined && next?.at === token.at + token.text.length;
}
