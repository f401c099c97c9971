import {
  brokenWords,
  conflictWords,
  countWords,
  lastWords,
  type MailTrialReport,
  type SortedFilters,
  type TriedFilter,
  triedWords,
} from "../../../../src/mail-try/report.ts";
import { plural, thousands } from "../../../../src/text.ts";
import { type Html, html } from "../../html.ts";
import type { Trial, TrialProgress, TrialState } from "../../view.ts";

/** A report on the mails read so far. */
export interface TriedMails {
  readonly report: MailTrialReport;
  readonly sorted: SortedFilters;
  /** How many mails were read, with those that no filter runs on. */
  readonly read: number;
  /** Files that could not be read to their end. */
  readonly problems: readonly string[];
}

/** Tries filters on the mail that the user drops on the page. */
export const mailTrial: Trial<TriedMails> = {
  worker: "mail-trial-worker.js",
  isFor: (name, start) => MAIL_FILE_NAME.test(name) || MAIL_START.test(start),
  unready: "These filters cannot be tried yet: finish them, then drop the mail again.",
  panel: trialPanel,
};

/** The names of mailboxes and mails, and of archives, which the trial says to unpack. */
const MAIL_FILE_NAME = /(?:\.(?:mbox|mbx|eml|gz|tgz|zip)|^mbox)$/i;

const MAIL_START =
  /^(?:From \S|(?:x-[\w-]+|received|return-path|delivered-to|from|to|date|subject|message-id|mime-version)[ \t]*:)/i;

/** Says what can be dropped, and where it comes from. */
export const mailToTry: Html = html`<div class="try needs-script">
<label class="button">Try on your own mail<input type="file" class="visually-hidden" accept=".mbox,.mbx,.eml,.gz,application/mbox,message/rfc822" multiple data-try></label>
<small>Or drop a mailbox (.mbox, .gz) or mails (.eml) on this page; <a href="https://takeout.google.com" target="_blank" rel="noopener">Google Takeout<span class="visually-hidden"> (in a new tab)</span></a> gives you yours. It is read in this tab: nothing leaves your computer, nothing is kept.</small>
</div>
`;

/** The report on the dropped mail; filters that could lose mail come first. */
function trialPanel(state: TrialState<TriedMails>, input: unknown): Html {
  const { phase, progress } = state;
  return html`<section class="trial" aria-labelledby="trial-title">
<h3 id="trial-title">${TITLES[phase]}</h3>
${phase === "reading" ? progressBar(progress) : html`${retryButtons(state, input)}`}
${progress && trialResult(progress.report, phase)}
${phase !== "reading" && html`<p><button type="button" data-trial="close">Forget this mail</button></p>`}
</section>`;
}

const TITLES = {
  reading: "Reading your mail",
  stopped: "Stopped: what your filters do with the mail that was read",
  failed: "The mail could not be read to its end",
  done: "What your filters do with your mail",
} as const satisfies Record<TrialState["phase"], string>;

function progressBar(progress: TrialProgress<TriedMails> | undefined): Html {
  const { share = 0, secondsLeft, report } = progress ?? {};
  const rest = secondsLeft === undefined ? "" : `, about ${plural(secondsLeft, "second")} left`;
  return html`<div class="reading"><progress aria-labelledby="trial-title" max="100" value="${Math.floor(share * 100)}"></progress>
<span>${plural(report?.read ?? 0, "mail")}, ${Math.floor(share * 100)} %${rest}</span>
<button type="button" data-trial="stop">Stop</button></div>`;
}

/** The way to counts of all mail, and of the filters as they are now. */
function retryButtons(state: TrialState<TriedMails>, input: unknown): Html | false {
  const triedAt = findTried(state, input);
  const changed = listFilters(input).filter((_, index) => !triedAt(index)).length;
  const words = {
    done: changed > 0 && `${plural(changed, "filter")} changed since, and not tried.`,
    stopped: "Of all your mail, each filter takes at least as many.",
    failed: "Reload the page if this happens again. The counts are of what was read.",
  }[state.phase === "reading" ? "done" : state.phase];
  return (
    words !== false &&
    html`<p>${words} <button type="button" data-trial="again">Try again</button></p>`
  );
}

function trialResult({ report, sorted, problems }: TriedMails, phase: TrialState["phase"]): Html {
  const { broken, clashes } = report;
  const { deleting, forwarding } = sorted;
  const part = report.broken.reduce((sum, { mails }) => sum + mails, 0);
  return html`${problems.length > 0 && html`<ul class="notes">${problems.map((problem) => html`<li class="error">${problem}</li>`)}</ul>`}
${harmfulFilters("Would be deleted", deleting)}
${harmfulFilters("Would be forwarded", forwarding)}
${
  phase !== "reading" &&
  html`${foldList("trial-clashes", `${plural(clashes.length, "pair")} of filters that do opposite things with the same mail`, clashes.map(conflictWords))}
${foldList("trial-broken", `${plural(part, "mail")} that could be read in part only`, broken.map(brokenWords))}
<p class="estimate">${triedWords(report)}. Each filter below has its count. It is an estimate by the published rules of the Gmail search: “at most” also counts mails that a filter may match. Nothing has left your computer.</p>`
}`;
}

const harmfulFilters = (title: string, filters: readonly TriedFilter[]): Html =>
  filters.length === 0
    ? html`<p><strong>${title}:</strong> nothing</p>`
    : html`<p><strong>${title}:</strong></p>
<ul>${filters.slice(0, MAX_LISTED).map(
        (filter) => html`<li><bdi>${filter.name}</bdi>: ${countWords(filter)}${lastWords(filter)}
${subjectList(filter)}</li>\n`,
      )}${filters.length > MAX_LISTED && html`<li>and ${plural(filters.length - MAX_LISTED, "more filter")}</li>`}</ul>`;

/** The others have their counts below. */
const MAX_LISTED = 8;

const foldList = (id: string, summary: string, lines: readonly string[]): Html | false =>
  lines.length > 0 &&
  html`<details id="${id}"><summary>${summary}</summary>
<ul>${lines.slice(0, MAX_LINES).map((line) => html`<li dir="auto">${line}</li>\n`)}${lines.length > MAX_LINES && html`<li>and ${thousands(lines.length - MAX_LINES)} more</li>`}</ul></details>`;

/** As many lines as Gmail keeps filters. */
const MAX_LINES = 1000;

/** The filters of an input, which may be anything. */
export const listFilters = (input: unknown): readonly object[] => {
  const filters: unknown = Object(input).filters;
  return Array.isArray(filters) ? filters.map(Object) : [];
};

/** A filter's report, and the number of mails that it was tried on. */
export interface Tried {
  readonly filter: TriedFilter;
  readonly mails: number;
}

/** The report on a filter of the input, by its index. */
export type TriedAt = (index: number) => Tried | undefined;

/**
 * The reports on the filters of an input. Filters that changed since the trial have none; those that
 * only moved or got another name keep theirs.
 */
export function findTried(trial: TrialState<TriedMails> | undefined, input: unknown): TriedAt {
  const report = trial?.progress?.report.report;
  if (!report || trial?.phase === "reading") return () => undefined;
  const tried = new Map(
    listFilters(trial?.input).map((filter, index) => [
      filterMeaning(filter),
      report.filters[index],
    ]),
  );
  const now = listFilters(input).map(filterMeaning);
  return (index) => {
    const filter = tried.get(now[index] ?? "");
    return filter && { filter, mails: report.mails };
  };
}

/** A filter without its name, in an order that editing the form does not change. */
export const filterMeaning = (filter: object): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([field]) => field !== "name")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** "at least 2, at most 3 of 20,000 mails, last on 2026-01-06" */
const shareWords = ({ filter, mails }: Tried): string =>
  `${countWords(filter)} of ${plural(mails, "mail")}${lastWords(filter)}`;

/** The share of the tried mails in brackets, after a sentence. */
export const triedNote = (tried: Tried | undefined): string =>
  tried ? ` (${shareWords(tried)})` : "";

/** The counts of a filter, with subjects in a fold. */
export const triedFold = (id: string, tried: Tried | undefined): Html | false =>
  tried !== undefined &&
  (tried.filter.subjects.length === 0
    ? html`<p class="tried">${shareWords(tried)}</p>`
    : html`<details class="tried" id="${id}"><summary>${shareWords(tried)}</summary>
${subjectList(tried.filter)}</details>`);

/** Anybody may have written a subject. */
const subjectList = ({ subjects }: TriedFilter): Html =>
  html`${subjects.map((subject) => html`<p class="subject" dir="auto">${subject === "" ? "(no subject)" : subject}</p>\n`)}`;
