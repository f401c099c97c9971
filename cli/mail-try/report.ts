import type { LabelAgreement } from "../../src/mail-filter/mailbox/calibration.ts";
import type {
  BrokenMails,
  Clash,
  MailTrialReport,
  TriedFilter,
  TriedMail,
} from "../../src/mail-filter/mailbox/mail-trial.ts";
import { because } from "../../src/mail-filter/match/mail-test.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match-mail-filters.ts";
import { plural, table, thousands, visibleLine } from "../../src/text.ts";

/** What filters did with the mails, with what could lose mail first. */
export function reportText(report: MailTrialReport, matchers: readonly FilterMatcher[]): string {
  const { filters, mails, skipped, broken, clashes } = report;
  const having = (field: "delete" | "forward_to") =>
    filters.filter((_, index) => matchers[index]?.actions[field]);
  const [deleting, forwarding] = [having("delete"), having("forward_to")];
  const others = filters.filter(
    (filter) => !deleting.includes(filter) && !forwarding.includes(filter),
  );
  const isTaking = ({ at_most }: TriedFilter) => at_most > 0;
  const idle = filters.filter((filter) => !isTaking(filter));
  const left = Object.entries(skipped)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${SKIPPED[why]} ${thousands(count)}`);
  return [
    `${plural(mails, "mail")} tried${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}`,
    ...section("Would be deleted", deleting.filter(isTaking).flatMap(filterLines), "nothing"),
    ...section("Would be forwarded", forwarding.filter(isTaking).flatMap(filterLines), "nothing"),
    ...section("The other filters", others.filter(isTaking).flatMap(filterLines)),
    ...section(
      "Took none of these mails",
      idle.map(({ name, search }) => `${name}: ${search}`),
    ),
    ...section("Do opposite things with the same mail", clashes.map(clashLine)),
    ...section("Mails that could be read in part only", broken.map(brokenLine)),
    "",
    "This is an estimate: --explain MESSAGE-ID tells which terms decide about a mail.",
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");
}

const SKIPPED: Readonly<Record<string, string>> = {
  chats: "chats",
  sent: "sent",
  spam: "in Spam",
  trash: "in the bin",
};

function section(heading: string, lines: readonly string[], empty?: string): readonly string[] {
  if (lines.length === 0) return empty === undefined ? [] : ["", `${heading}: ${empty}`];
  return ["", heading, ...lines.map((line) => `  ${line}`)];
}

function filterLines({ name, at_least, at_most, last, subjects }: TriedFilter): readonly string[] {
  const date = last === null ? "" : `, last on ${last.slice(0, 10)}`;
  const counts =
    at_least === at_most
      ? thousands(at_least)
      : `at least ${thousands(at_least)}, at most ${thousands(at_most)}`;
  return [`${name}: ${counts}${date}`, ...subjects.map((subject) => `    ${subject}`)];
}

const clashLine = ({ filters, reason, mails }: Clash): string =>
  `${filters.join(" and ")}: ${reason} (${plural(mails, "mail")})`;

function brokenLine({ reason, mails, examples }: BrokenMails): string {
  const more = mails - examples.length;
  return `${reason}: ${examples.join("; ")}${more > 0 ? `; and ${thousands(more)} more` : ""}`;
}

/** Which terms decided about a mail, filter by filter. */
export const explanationText = (
  { id, message, matches }: TriedMail,
  filters: readonly FilterMatcher[],
): string =>
  [
    `${message.subject} <${id}>`,
    ...matches.map(
      (match, index) => `  ${match.matched.padEnd(7)} ${filters[index]?.name}: ${because(match)}`,
    ),
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");

/** Figures without a name or a word of anybody's mail. */
export function calibrationText(labels: readonly LabelAgreement[], mails: number): string {
  const total = { agreed: 0, missed: 0, extra: 0, unknown: 0 };
  for (const label of labels) for (const key of KEYS) total[key] += label[key];
  const rows = [
    ...labels.map((label, index) => ({ name: `label ${index + 1}`, ...label })),
    { name: "all", ...total },
  ];
  const lines = table([
    { heading: "", align: "left", cells: rows.map(({ name }) => name) },
    ...KEYS.map((key) => ({
      heading: key.toUpperCase(),
      align: "right" as const,
      cells: rows.map((row) => thousands(row[key])),
    })),
  ]);
  return [`${plural(mails, "mail")}, ${plural(labels.length, "label")}`, ...lines]
    .map((line) => `${line}\n`)
    .join("");
}

const KEYS = ["agreed", "missed", "extra", "unknown"] as const;
