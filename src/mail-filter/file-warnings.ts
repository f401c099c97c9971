import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { listSome } from "../text.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import type { Actions } from "./fields.ts";
import { abbreviate, type ParsedFilter } from "./filter.ts";
import { namesSenderOrList } from "./warnings.ts";

/** Gives one warning for all filters that forward mail, and one for all that let spam through. */
export function warnAboutAll(
  filters: readonly ParsedFilter[],
  diagnostics: FilterDiagnostics,
): void {
  warnAboutForwarding(
    filters.filter(({ actions }) => actions.forward_to),
    diagnostics,
  );
  const open = filters.filter(
    ({ criteria, actions }) => actions.never_spam && !namesSenderOrList(criteria),
  );
  if (open.length > 0) {
    const subject = open.length > 1 ? `${listSome(open.map(quotedTitle))} let` : "lets";
    diagnosticsOf(open, "never_spam", diagnostics).warn(
      "never-spam-without-sender",
      `${subject} spam from any sender through; name the senders`,
    );
  }
}

function warnAboutForwarding(
  filters: readonly ParsedFilter[],
  diagnostics: FilterDiagnostics,
): void {
  if (filters.length === 0) return;
  const addresses = new Set(filters.flatMap(({ actions }) => actions.forward_to ?? []));
  diagnosticsOf(filters, "forward_to", diagnostics).warn(
    "forward-unverified",
    `add and verify ${listSome([...addresses])} in Gmail under Settings > Forwarding before the import`,
  );
  const count = filters.reduce((sum, { parts }) => sum + parts.length, 0);
  if (count > MAX_FORWARDS) {
    diagnostics
      .at("filters")
      .warn(
        "too-many-forwards",
        `${count} of the filters forward mail, and Gmail keeps at most ${MAX_FORWARDS} that do`,
      );
  }
}

/** The most filters that forward mail (googlesystem.blogspot.com 2010-05, gmailctl). */
const MAX_FORWARDS = 20;

/** Where to warn: at the field of a single filter, or at the list of several. */
const diagnosticsOf = (
  [first, ...others]: readonly ParsedFilter[],
  field: keyof Actions,
  diagnostics: FilterDiagnostics,
): FilterDiagnostics =>
  first && others.length === 0
    ? diagnostics.at("filters", first.index, field)
    : diagnostics.at("filters");

/** A filter's title in messages: its name, or its first condition. */
export function quotedTitle({ name, isNamed, criteria, search }: ParsedFilter): string {
  const { from, to, subject, words } = criteria;
  const [first] = [from, to, subject, words].flatMap((terms) => terms[0] ?? []);
  return `"${(isNamed ? name : abbreviate(first?.text ?? search)).replaceAll('"', "")}"`;
}

type Warnings = FilterDiagnostics["warnings"];

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
