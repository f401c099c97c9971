import type { Findings, Path } from "../issues.ts";

/** What these ask for is not known, or always the same, when a filter looks at a mail. */
const STATE_OPERATORS = [
  ...["is", "in", "label", "after", "before", "older", "newer", "older_than", "newer_than"],
];
const STATE_VALUE =
  /\b(?:userlabels|nouserlabels|[a-z]+-(?:star|bang|check|info|guillemet|question))\b/i;

/** A condition of the form `operator:value`. */
export interface Condition {
  readonly operator: string;
  readonly value: string;
  /** Mail that meets it is kept out. */
  readonly excluded: boolean;
}

/** Whether a condition asks for a state that a mail does not have yet when it arrives. */
export const isJudgedAtDelivery = ({ operator, value }: Condition): boolean =>
  STATE_OPERATORS.includes(operator.toLowerCase()) ||
  (operator.toLowerCase() === "has" && STATE_VALUE.test(value));

/** Warns of a condition that is judged when the mail arrives. */
export function remarkOnState(condition: Condition, path: Path, findings: Findings): void {
  if (!isJudgedAtDelivery(condition)) return;
  const { operator, value, excluded } = condition;
  const written = `${excluded ? "-" : ""}${operator}:${value}`;
  const holds = excluded !== /\bnouserlabels\b/i.test(value);
  findings.warn(
    "judged-at-delivery",
    path,
    holds
      ? `${written} nearly always holds when a mail arrives, so it changes nothing`
      : `${written} rarely holds when a mail arrives; filters that use it seldom match`,
  );
}
