import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import type { Actions } from "./fields.ts";
import { abbreviate, type ParsedFilter } from "./filter.ts";
import type { FilterFindings } from "./findings.ts";
import { namesSenderOrList } from "./warnings.ts";

/** Gives one warning for all filters that forward mail, and one for all that let spam through. */
export function warnAboutAll(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  warnAboutForwarding(
    filters.filter(({ actions }) => actions.forward_to),
    findings,
  );
  const open = filters.filter(
    ({ criteria, actions }) => actions.never_spam && !namesSenderOrList(criteria),
  );
  if (open.length > 0) {
    const here = findingsAt(open, "never_spam", findings);
    here.add("never-spam-without-sender", { titles: open.map(quotedTitle) });
  }
}

function warnAboutForwarding(filters: readonly ParsedFilter[], findings: FilterFindings): void {
  if (filters.length === 0) return;
  const addresses = new Set(filters.flatMap(({ actions }) => actions.forward_to ?? []));
  const here = findingsAt(filters, "forward_to", findings);
  here.add("forward-unverified", { addresses: [...addresses] });
  const count = filters.reduce((sum, { parts }) => sum + parts.length, 0);
  if (count > MAX_FORWARDS) {
    findings.at("filters").add("too-many-forwards", { count, most: MAX_FORWARDS });
  }
}

/** The most filters that forward mail (googlesystem.blogspot.com 2010-05, gmailctl). */
const MAX_FORWARDS = 20;

/** Where to warn: at the field of a single filter, or at the list of several. */
const findingsAt = (
  [first, ...others]: readonly ParsedFilter[],
  field: keyof Actions,
  findings: FilterFindings,
): FilterFindings =>
  first && others.length === 0
    ? findings.at("filters", first.index, field)
    : findings.at("filters");

/** A filter's title in messages: its name, or its first condition. */
export function quotedTitle({ name, isNamed, criteria, search }: ParsedFilter): string {
  const { from, to, subject, words } = criteria;
  const [first] = [from, to, subject, words].flatMap((terms) => terms[0] ?? []);
  return `"${(isNamed ? name : abbreviate(first?.text ?? search)).replaceAll('"', "")}"`;
}

type Warnings = FilterFindings["warnings"];

/** The warnings, those first that may cost mail or let spam in. */
export const mostHarmfulFirst = (warnings: Warnings): MailFilterResult["warnings"] =>
  warnings.toSorted((one, other) => rankHarm(one) - rankHarm(other));

const rankHarm = ({ code, severity }: Warnings[number]): number => {
  const rank = MOST_HARMFUL.indexOf(code);
  return rank >= 0 ? rank : MOST_HARMFUL.length + (severity === "info" ? 1 : 0);
};

const MOST_HARMFUL: readonly Warnings[number]["code"][] = [
  ...(["broad-delete", "matches-almost-all", "conflicting-filters", "acts-on-deleted"] as const),
  ...(["deletes-spam-too", "forward-loop", "never-spam-without-sender"] as const),
  "never-spam-free-mail",
];
