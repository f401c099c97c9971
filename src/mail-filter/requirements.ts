import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings, Path } from "../issues.ts";

const CONDITIONS = [
  ...["from", "to", "subject", "has_words", "does_not_have"],
  ...["has_attachment", "larger_than_mb", "smaller_than_mb"],
] as const;

const ACTIONS = [
  ...["label", "skip_inbox", "mark_read", "star", "never_spam"],
  ...["importance", "delete", "category", "forward_to"],
] as const;

/** Each filter needs something that selects mail and something to do with it. */
export function requireParts(filter: FilterInput, path: Path, findings: Findings): void {
  const given = new Set(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== false && !isEmptyList(value))
      .map(([field]) => field),
  );
  if (!CONDITIONS.some((field) => given.has(field))) {
    findings.refuse(path, `must have a condition: one of ${CONDITIONS.join(", ")}`);
  }
  if (!ACTIONS.some((field) => given.has(field))) {
    findings.refuse(path, `must have an action: one of ${ACTIONS.join(", ")}`);
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
