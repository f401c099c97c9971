import type { SearchableMail } from "./searchable-mail.ts";
import type { Verdict } from "./searchable-text.ts";

/** The answer of one term of a filter for a mail. */
export interface Finding {
  /** As Gmail's search has it: `from:bob@x.com`. */
  readonly term: string;
  readonly verdict: Verdict;
  /** Continues the term: "is not in From". */
  readonly reason: string;
}

/** A term or a group of terms, prepared to be matched with many mails. */
export type Matcher = (mail: SearchableMail) => Finding;

/** A matcher of all conditions (Kleene's logic): a single no decides, then an unknown. */
export function matchAll(matchers: readonly Matcher[]): Matcher {
  return (mail) => {
    let unsure: Finding | undefined;
    let sure: Finding | undefined;
    for (const matcher of matchers) {
      const finding = matcher(mail);
      if (finding.verdict === "no") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
      else sure = finding;
    }
    return unsure ?? sure ?? NOTHING;
  };
}

const NOTHING: Finding = { term: "", verdict: "yes", reason: "has no condition" };

/** A matcher of any condition: a single yes decides, then an unknown. */
export function matchAny(matchers: readonly Matcher[], term: string): Matcher {
  const [only] = matchers;
  if (only && matchers.length === 1) return only;
  const none: Finding = { term, verdict: "no", reason: "finds none of them" };
  return (mail) => {
    let unsure: Finding | undefined;
    for (const matcher of matchers) {
      const finding = matcher(mail);
      if (finding.verdict === "yes") return finding;
      if (finding.verdict === "unknown") unsure ??= finding;
    }
    return unsure ?? none;
  };
}

/** The opposite of a matcher; unknown stays unknown. */
export const matchNot =
  (matcher: Matcher): Matcher =>
  (mail) => {
    const { term, verdict, reason } = matcher(mail);
    return { term: `-${term}`, verdict: OPPOSITE[verdict], reason };
  };

const OPPOSITE = { yes: "no", no: "yes", unknown: "unknown" } as const;

/**
 * A matcher of a term with several readings: unknown if they differ. Of a single reading only a no is
 * sure, because a mail that meets it may not meet the whole term.
 */
export function eitherReading(readings: readonly Matcher[], term: string, reason: string): Matcher {
  const unsure = unknownMatcher(term, reason);
  return (mail) => {
    const [first, ...others] = readings.map((reading) => reading(mail));
    const isSure =
      others.length === 0
        ? first?.verdict === "no"
        : others.every(({ verdict }) => verdict === first?.verdict);
    return first && isSure ? first : unsure(mail);
  };
}

/** A matcher of what no mail file can answer. */
export function unknownMatcher(term: string, reason: string): Matcher {
  const finding: Finding = { term, verdict: "unknown", reason };
  return () => finding;
}

/** The findings of a term, built once and shared by all mails, to save allocations. */
export function prepareFindings(term: string, found: string, missing: string, unsure: string) {
  return {
    yes: { term, verdict: "yes", reason: found },
    no: { term, verdict: "no", reason: missing },
    unknown: { term, verdict: "unknown", reason: unsure },
  } as const satisfies Record<Verdict, Finding>;
}
