import type { Findings, Path } from "../issues.ts";
import {
  allGroups,
  bareWord,
  type Group,
  isGroup,
  type Term,
  unquotedWords,
  writeGroup,
} from "./expression.ts";
import { type Condition, remarkOnState } from "./judged-at-delivery.ts";
import { remarkOnWords } from "./words-remarks.ts";

/** Remarks on what Gmail reads differently from what the author of an expression may mean. */
export function remarkOnExpression(expression: Group, path: Path, findings: Findings): void {
  const groups = allGroups(expression);
  const conditions = new Map(
    conditionsOf(expression, false).map((condition) => [JSON.stringify(condition), condition]),
  );
  for (const condition of conditions.values()) remarkOnState(condition, path, findings);

  const spaced = groups.flatMap((group) => group.terms).find((term) => term.spaced);
  if (spaced) {
    findings.warn(
      "space-after-operator",
      path,
      `write ${spaced.operator}: without a space after it`,
    );
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(expression)) {
    findings.info(
      "unquoted-words",
      path,
      'words without quotes are looked for one by one; put a phrase in quotes, as in "out of office"',
    );
  }
  if (isOnlyExclusions(expression)) {
    findings.info("only-excludes", path, "only keeps mail out; does_not_have is meant for that");
  }
  const words = unquotedWords(expression);
  if (words.some((word) => word.includes("!"))) {
    findings.warn("exclamation-mark", path, "Gmail may read ! as a minus; put the text in quotes");
  }
  remarkOnWords(words, ["or", "and"], path, findings);
}

/** Every `operator:value`, and whether the minuses around it keep its mail out. */
const conditionsOf = (group: Group, excluded: boolean): readonly Condition[] =>
  group.terms.flatMap(({ negated, operator, operand }) => {
    const keptOut = negated !== excluded;
    if (operator === undefined) return isGroup(operand) ? conditionsOf(operand, keptOut) : [];
    const value = isGroup(operand) ? writeGroup(operand) : operand.text;
    return [{ operator, value, excluded: keptOut }];
  });

/** `out of office OR vacation`: Gmail does not take the words beside an OR together. */
const hasUnquotedPhrase = ({ terms, joiners }: Group): boolean =>
  joiners.includes("OR") &&
  terms.some((term, index) => {
    const next = terms[index + 1];
    return joiners[index] === "" && next && isBare(term) && isBare(next);
  });

/** `Invoice (copy)`: a text in which brackets are no more than punctuation. */
const isTextWithBrackets = (expression: Group): boolean =>
  expression.terms.some(isBare) &&
  allGroups(expression).every(
    ({ bracket, terms, joiners }) =>
      bracket !== "{" &&
      joiners.every((joiner) => joiner === "") &&
      terms.every((term) => isBare(term) || isBareGroup(term)),
  );

const isBare = (term: Term): boolean => bareWord(term) !== undefined;

const isBareGroup = ({ negated, operator, operand }: Term): boolean =>
  !negated && operator === undefined && isGroup(operand);

const isOnlyExclusions = ({ terms, joiners }: Group): boolean =>
  terms.every(({ negated }) => negated) && !joiners.includes("OR");
