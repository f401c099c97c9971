import { because } from "../../src/mail-filter/match/mail-test.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match-mail-filters.ts";
import { sortFilters, type TriedMail } from "../../src/mail-try/mail-trial.ts";
import {
  brokenWords,
  conflictWords,
  countWords,
  lastWords,
  type MailTrialReport,
  type TriedFilter,
  triedWords,
} from "../../src/mail-try/report.ts";
import { visibleLine } from "../../src/text.ts";

/** The report of a trial; filters that could lose mail come first. */
export function reportText(report: MailTrialReport, matchers: readonly FilterMatcher[]): string {
  const { deleting, forwarding, others, unmatched } = sortFilters(report, matchers);
  return [
    triedWords(report),
    ...section("Would be deleted", deleting.flatMap(filterLines), "nothing"),
    ...section("Would be forwarded", forwarding.flatMap(filterLines), "nothing"),
    ...section("The other filters", others.flatMap(filterLines)),
    ...section(
      "Matched none of these mails",
      unmatched.map(({ name, search }) => `${name}: ${search}`),
    ),
    ...section("Do opposite things with the same mail", report.clashes.map(conflictWords)),
    ...section("Mails that could be read only in part", report.broken.map(brokenWords)),
    "",
    "This is an estimate: --explain MESSAGE-ID shows the terms that decide about a mail.",
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");
}

function section(heading: string, lines: readonly string[], empty?: string): readonly string[] {
  if (lines.length === 0) return empty === undefined ? [] : ["", `${heading}: ${empty}`];
  return ["", heading, ...lines.map((line) => `  ${line}`)];
}

const filterLines = (filter: TriedFilter): readonly string[] => [
  `${filter.name}: ${countWords(filter)}${lastWords(filter)}`,
  ...filter.subjects.map((subject) => `    ${subject}`),
];

/** The terms that decided about a mail, filter by filter. */
export const explanationText = (
  { id, message, matches }: TriedMail,
  filters: readonly FilterMatcher[],
): string =>
  [
    `${message.subject} <${id}>`,
    ...matches.map(
      (match, index) => `  ${match.matched.padEnd(7)} ${filters[index]?.title}: ${because(match)}`,
    ),
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");
