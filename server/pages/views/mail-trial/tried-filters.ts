import {
  countWords,
  lastWords,
  type MailTrialReport,
  type SortedFilters,
  type TriedFilter,
} from "../../../../src/mail-filter/mailbox/report.ts";
import { plural } from "../../../../src/text.ts";
import { type Html, html } from "../../html.ts";
import type { TrialState } from "../../view.ts";

/** What filters do with mails. */
export interface TriedMails {
  readonly report: MailTrialReport;
  readonly sorted: SortedFilters;
  /** How many mails were read, with those that no filter runs on. */
  readonly read: number;
  /** Files that could not be read to their end. */
  readonly problems: readonly string[];
}

/** The filters of an input, which may be anything. */
export const filtersOf = (input: unknown): readonly object[] => {
  const filters: unknown = Object(input).filters;
  return Array.isArray(filters) ? filters.map(Object) : [];
};

/** What a filter took, and of how many mails. */
export interface Tried {
  readonly filter: TriedFilter;
  readonly mails: number;
}

/** Finds what a filter of the input took, by its place. */
export type TriedAt = (index: number) => Tried | undefined;

/**
 * What the filters of an input took. Filters that changed since the trial have
 * none; those that only moved or got another name keep theirs.
 */
export function triedIn(trial: TrialState<TriedMails> | undefined, input: unknown): TriedAt {
  const report = trial?.progress?.report.report;
  if (!report || trial?.phase === "reading") return () => undefined;
  const tried = new Map(
    filtersOf(trial?.input).map((filter, index) => [meaningOf(filter), report.filters[index]]),
  );
  const now = filtersOf(input).map(meaningOf);
  return (index) => {
    const filter = tried.get(now[index] ?? "");
    return filter && { filter, mails: report.mails };
  };
}

/** A filter without its name, in an order that editing the form does not change. */
export const meaningOf = (filter: object): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([field]) => field !== "name")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** "at least 2, at most 3 of 20,000 mails, last on 2026-01-06" */
const triedWords = ({ filter, mails }: Tried): string =>
  `${countWords(filter)} of ${plural(mails, "mail")}${lastWords(filter)}`;

/** The same after a sentence. */
export const triedNote = (tried: Tried | undefined): string =>
  tried ? ` (${triedWords(tried)})` : "";

/** What a filter took, with subjects in a fold. */
export const triedFold = (id: string, tried: Tried | undefined): Html | false =>
  tried !== undefined &&
  (tried.filter.subjects.length === 0
    ? html`<p class="tried">${triedWords(tried)}</p>`
    : html`<details class="tried" id="${id}"><summary>${triedWords(tried)}</summary>
${subjectList(tried.filter)}</details>`);

/** Anybody may have written a subject. */
export const subjectList = ({ subjects }: TriedFilter): Html =>
  html`${subjects.map((subject) => html`<p class="subject" dir="auto">${subject === "" ? "(no subject)" : subject}</p>\n`)}`;
