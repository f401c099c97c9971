import { plural, thousands } from "../text.ts";

/** The report of a trial of filters on mails. */
export interface MailTrialReport {
  readonly filters: readonly TriedFilter[];
  /** Number of mails tried. */
  readonly mails: number;
  /** Number of mails left out, by reason. */
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Mails that could be read only in part. */
  readonly broken: readonly { readonly reason: string; readonly mails: number }[];
  /** Pairs of filters that did opposite things with the same mails. */
  readonly clashes: readonly TrialConflict[];
}

export interface TriedFilter {
  readonly name: string;
  readonly search: string;
  /** Mails that the filter surely matches. */
  readonly at_least: number;
  /** Mails that the filter surely or possibly matches. */
  readonly at_most: number;
  /** The date of the last mail that the filter surely matches, ISO 8601. */
  readonly last: string | null;
  /** Subjects of three mails that the filter matches, or, without any, of those that it may match. */
  readonly subjects: readonly string[];
}

export interface TrialConflict {
  /** The names of both filters, with their searches if a name repeats. */
  readonly filters: readonly [string, string];
  readonly reason: string;
  readonly mails: number;
}

/** Filters do not run on sent mail, and Gmail keeps chats as mails. */
export type SkipReason = "chats" | "sent" | "spam" | "trash";

/** The filters of a report by what they do. A filter may both delete and forward. */
export interface SortedFilters {
  readonly deleting: readonly TriedFilter[];
  readonly forwarding: readonly TriedFilter[];
  readonly others: readonly TriedFilter[];
  /** Filters that matched none of the mails. */
  readonly unmatched: readonly TriedFilter[];
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
  trash: "in Trash",
};

export const conflictWords = ({ filters, reason, mails }: TrialConflict): string =>
  `${filters.join(" and ")}: ${reason} (${plural(mails, "mail")})`;

export const brokenWords = ({ reason, mails }: MailTrialReport["broken"][number]): string =>
  `${reason}: ${plural(mails, "mail")}`;
