import type { MailReading } from "./mail-reading.ts";
import type { Verdict } from "./verdict.ts";

/** The answer of one term of a filter for a mail. */
export interface Finding {
  /** As Gmail's search has it: `from:bob@x.com`. */
  readonly term: string;
  readonly verdict: Verdict;
  /** Continues the term: "is not in From". */
  readonly reason: string;
}

/** A term or a group of terms that is ready to be asked about mails. */
export type Condition = (mail: MailReading) => Finding;

/** All must hold (Kleene's logic: one no decides, whatever is unknown). */
export function allOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  return (mail) => {
    let unsure: Finding | undefined;
    let sure: Finding | undefined;
    for (const condition of conditions) {
      const finding = condition(mail);
      if (finding.verdict === "no") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
      else sure = finding;
    }
    return unsure ?? sure ?? NOTHING;
  };
}

/** Of no conditions. */
const NOTHING: Finding = { term: "", verdict: "yes", reason: "has no condition" };

/** One of them is enough. */
export function anyOf(conditions: readonly Condition[], term: string): Condition {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  const none: Finding = { term, verdict: "no", reason: "finds none of them" };
  return (mail) => {
    let unsure: Finding | undefined;
    for (const condition of conditions) {
      const finding = condition(mail);
      if (finding.verdict === "yes") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
    }
    return unsure ?? none;
  };
}

/** The opposite; what is unknown stays so. */
export const not =
  (condition: Condition): Condition =>
  (mail) => {
    const { term, verdict, reason } = condition(mail);
    return { term: `-${term}`, verdict: OPPOSITE[verdict], reason };
  };

const OPPOSITE = { yes: "no", no: "yes", unknown: "unknown" } as const;

/** Of two readings of one text, where Gmail's is not documented: unknown where they differ. */
export function eitherReading(one: Condition, other: Condition, term: string): Condition {
  const differs = unknown(term, "can be read in two ways, which differ here");
  return (mail) => {
    const first = one(mail);
    return first.verdict === other(mail).verdict ? first : differs(mail);
  };
}

/** A condition that no mail file can answer. */
export function unknown(term: string, reason: string): Condition {
  const finding: Finding = { term, verdict: "unknown", reason };
  return () => finding;
}

/** The two or three findings of a term are made once, since most mails give the same. */
export function findings(term: string, found: string, missing: string, unsure: string) {
  return {
    yes: { term, verdict: "yes", reason: found },
    no: { term, verdict: "no", reason: missing },
    unknown: { term, verdict: "unknown", reason: unsure },
  } as const satisfies Record<Verdict, Finding>;
}
