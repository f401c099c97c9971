import { kindOf } from "../gmail.ts";
import {
  type Group,
  isGroup,
  parseExpression,
  type Term,
  writeGroup,
  writeTerm,
} from "../terms/expression.ts";
import { isSearchable } from "../terms/normalise.ts";
import { addressCondition } from "./address-condition.ts";
import { allOf, anyOf, type Condition, eitherReading, not, unknown } from "./condition.ts";
import type { MatchOptions } from "./mail-message.ts";
import { dateCondition, fileName, hasAttachment, sizeSearch } from "./operators.ts";
import { type Wanted, wantedText } from "./wanted-text.ts";
import { fieldCondition, wordCondition } from "./word-condition.ts";

/**
 * The condition that a search expression states.
 *
 * @param operator of the field that holds the expression: `from` for senders.
 */
export function searchCondition(
  expression: string,
  options: MatchOptions,
  operator?: string,
): Condition {
  const parsed = parseExpression(expression);
  return "problem" in parsed
    ? unknown(expression, parsed.problem)
    : groupCondition(parsed.expression, operator, options);
}

/** Terms and, before each but the first, how it is joined to the one before. */
interface Joined {
  readonly conditions: readonly Condition[];
  readonly joiners: readonly string[];
}

function groupCondition(
  group: Group,
  operator: string | undefined,
  options: MatchOptions,
): Condition {
  const { bracket } = group;
  const term = writeGroup(group);
  const { conditions, joiners } = joinedTerms(group, operator, options);
  const isOr = (joiner: string) => joiner === "OR" || (bracket === "{" && joiner === "");
  if (joiners.every(isOr)) return anyOf(conditions, term);
  if (!joiners.some(isOr)) return allOf(conditions);
  // Gmail's documentation leaves open if `a b OR c` is `(a b) OR c`.
  const parts = (splits: (joiner: string) => boolean) => split(conditions, joiners, splits);
  return eitherReading(
    anyOf(parts(isOr).map(allOf), term),
    allOf(parts((joiner) => !isOr(joiner)).map((part) => anyOf(part, term))),
    term,
  );
}

/** The terms in which Gmail finds a word, those around AROUND as one. */
function joinedTerms(
  { terms, joiners: written }: Group,
  operator: string | undefined,
  options: MatchOptions,
): Joined {
  const conditions: Condition[] = [];
  const joiners: string[] = [];
  for (const [index, term] of terms.entries()) {
    const { operand } = term;
    if (!(isGroup(operand) ? operand.hasWord : isSearchable(operand.text))) continue;
    const condition = termCondition(term, operator, options);
    const joiner = written[index - 1] ?? "";
    const before = joiner.startsWith("AROUND") ? conditions.pop() : undefined;
    if (conditions.length > 0 && !before) joiners.push(joiner);
    conditions.push(before ? around(allOf([before, condition]), joiner) : condition);
  }
  return { conditions, joiners };
}

/** How Gmail counts the words between two is not known; without one of them it finds nothing. */
const around =
  (both: Condition, joiner: string): Condition =>
  (mail) => {
    const { term, verdict, reason } = both(mail);
    return verdict === "yes"
      ? { term: joiner, verdict: "unknown", reason: "counts words in a way that is not known" }
      : { term, verdict, reason };
  };

function split(
  conditions: readonly Condition[],
  joiners: readonly string[],
  splits: (joiner: string) => boolean,
): readonly (readonly Condition[])[] {
  const parts: Condition[][] = [];
  for (const [index, condition] of conditions.entries()) {
    const joiner = joiners[index - 1];
    const part = joiner === undefined || splits(joiner) ? undefined : parts.at(-1);
    if (part) part.push(condition);
    else parts.push([condition]);
  }
  return parts;
}

function termCondition(term: Term, outer: string | undefined, options: MatchOptions): Condition {
  const operator = term.operator?.toLowerCase() ?? outer;
  const { negated, exact, operand } = term;
  const written = writeTerm({ ...term, negated: false, operator });
  const condition = term.spaced
    ? unknown(written, "has a space after its colon")
    : !isGroup(operand)
      ? operandCondition(written, operator, wantedText(operand, exact), options)
      : exact
        ? unknown(written, "has a + before a bracket, which Gmail does not explain")
        : groupCondition(operand, operator, options);
  return negated ? not(condition) : condition;
}

/** The condition of one word or phrase after an operator, or of one without. */
function operandCondition(
  term: string,
  operator: string | undefined,
  wanted: Wanted,
  options: MatchOptions,
): Condition {
  const { text } = wanted;
  switch (kindOf(operator)) {
    case undefined:
      return wordCondition(term, wanted, options);
    case "address":
      return addressCondition(term, operator ?? "", wanted, options);
    case "list":
      return fieldCondition(term, "list", { ...wanted, address: undefined });
    case "size":
      return sizeSearch(term, text);
    case "since":
    case "until":
      return dateCondition(term, operator ?? "", text, options);
    default:
  }
  if (operator === "subject") return fieldCondition(term, "subject", wanted);
  if (operator === "filename") return fileName(term, text);
  if (operator === "has" && /^attachment$/i.test(text)) return hasAttachment(term);
  return unknown(term, "asks for what only Gmail knows");
}
