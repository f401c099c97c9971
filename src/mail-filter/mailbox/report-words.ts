import { plural, thousands } from "../../text.ts";
import type { FilterMatcher } from "../match/match-mail-filters.ts";
import type { BrokenMails, Clash, MailTrialReport, TriedFilter } from "./mail-trial.ts";

/** The filters of a report by what they do. A filter may both delete and forward. */
export interface SortedFilters {
  readonly deleting: readonly TriedFilter[];
  readonly forwarding: readonly TriedFilter[];
  readonly others: readonly TriedFilter[];
  /** Those that took none of the mails. */
  readonly idle: readonly TriedFilter[];
}

export function sortFilters(
  { filters }: MailTrialReport,
  matchers: readonly FilterMatcher[],
): SortedFilters {
  const having = (field: "delete" | "forward_to") =>
    filters.filter(({ at_most }, index) => at_most > 0 && matchers[index]?.actions[field]);
  const [deleting, forwarding] = [having("delete"), having("forward_to")];
  return {
    deleting,
    forwarding,
    others: filters.filter(
      (filter) => filter.at_most > 0 && !deleting.includes(filter) && !forwarding.includes(filter),
    ),
    idle: filters.filter(({ at_most }) => at_most === 0),
  };
}

/** "3" or "at least 2, at most 3". */
export const countWords = ({ at_least, at_most }: TriedFilter): string =>
  at_least === at_most
    ? thousands(at_least)
    : `at least ${thousands(at_least)}, at most ${thousands(at_most)}`;

/** ", last on 2026-01-06" */
export const lastWords = ({ last }: TriedFilter): string =>
  last === null ? "" : `, last on ${last.slice(0, 10)}`;

/** "3 mails tried; left out: chats 2" */
export function triedWords({ mails, skipped }: MailTrialReport): string {
  const left = Object.entries(skipped)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${SKIPPED[why]} ${thousands(count)}`);
  return `${plural(mails, "mail")} tried${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}`;
}

const SKIPPED: Readonly<Record<string, string>> = {
  chats: "chats",
  sent: "sent",
  spam: "in Spam",
  trash: "in the bin",
};

export const clashWords = ({ filters, reason, mails }: Clash): string =>
  `${filters.join(" and ")}: ${reason} (${plural(mails, "mail")})`;

export function brokenWords({ reason, mails, examples }: BrokenMails): string {
  const more = mails - examples.length;
  return `${reason}: ${examples.join("; ")}${more > 0 ? `; and ${thousands(more)} more` : ""}`;
}
