/** @jsxImportSource preact */
import {
  brokenWords,
  conflictWords,
  countWords,
  lastWords,
  type TriedFilter,
  triedWords,
} from "../../../src/mail-try/report.ts";
import { plural, thousands } from "../../../src/text.ts";
import { Capped } from "../parts.tsx";
import { filterMeaning, listFilters } from "./fields.ts";
import { TRIAL_TITLES, type Trial, type Trials } from "./mail-trial.ts";
import type { TrialProgress } from "./try-mails.ts";

/** The report on the dropped mail; filters that could lose mail come first. */
export function TrialPanel({ trials, input }: { readonly trials: Trials; readonly input: object }) {
  const { trial } = trials;
  if (!trial) return null;
  const { phase, progress } = trial;
  const isReading = phase === "reading";
  const { share = 0, read = 0 } = progress ?? {};
  const percent = Math.floor(share * 100);
  const triedAt = findTried(trial, input);
  const changed = listFilters(input).filter((_, index) => !triedAt(index)).length;
  const words = {
    reading: "",
    done: changed > 0 ? `${plural(changed, "filter")} changed since this trial.` : "",
    stopped: "The counts are of the mail read so far: the rest may add more.",
    failed: "The counts are of the mail that was read. If this happens again, reload the page.",
  }[phase];
  return (
    <section class="trial" aria-labelledby="trial-title">
      <h3 id="trial-title">{TRIAL_TITLES[phase]}</h3>
      {isReading && (
        <div class="reading">
          <progress aria-labelledby="trial-title" max="100" value={percent} />
          <span>{`${plural(read, "mail")}, ${percent} %`}</span>
          <button type="button" onClick={trials.stop}>
            Stop
          </button>
        </div>
      )}
      {words !== "" && (
        <p>
          {words}{" "}
          <button type="button" onClick={() => trials.start(input)}>
            Try again
          </button>
        </p>
      )}
      {progress && <Report {...progress} isReading={isReading} />}
      {!isReading && (
        <p>
          <button type="button" onClick={trials.close}>
            Forget this mail
          </button>
        </p>
      )}
    </section>
  );
}

interface ReportProps extends TrialProgress {
  readonly isReading: boolean;
}

function Report({ report, sorted, problems, caught, isReading }: ReportProps) {
  const { broken, clashes } = report;
  const part = broken.reduce((sum, { mails }) => sum + mails, 0);
  return (
    <>
      {problems.length > 0 && (
        <ul class="notes">
          {problems.map((problem) => (
            <li class="error">{problem}</li>
          ))}
        </ul>
      )}
      <p>
        <strong>Would have caught:</strong> {thousands(caught)} of {plural(report.mails, "mail")}
      </p>
      <Harmful title="Would be deleted" filters={sorted.deleting} />
      <Harmful title="Would be forwarded" filters={sorted.forwarding} />
      {!isReading && (
        <>
          <Lines
            title={`${plural(clashes.length, "pair")} of filters that do opposite things with the same mail`}
            lines={clashes.map(conflictWords)}
          />
          <Lines
            title={`${plural(part, "mail")} that could only be read in part`}
            lines={broken.map(brokenWords)}
          />
          <p class="estimate">
            {triedWords(report)}. Each filter below has its count, estimated by the published rules
            of Gmail’s search: “at most” also counts mails that a filter may match. Nothing has left
            your computer.
          </p>
        </>
      )}
    </>
  );
}

/** The others have their counts below. */
const MAX_HARMFUL = 8;

interface HarmfulProps {
  readonly title: string;
  readonly filters: readonly TriedFilter[];
}

const Harmful = ({ title, filters }: HarmfulProps) => (
  <>
    <p>
      <strong>{title}:</strong> {filters.length === 0 && "nothing"}
    </p>
    <Capped of={filters} most={MAX_HARMFUL}>
      {(filter) => (
        <li>
          <bdi>{filter.name}</bdi>
          {`: ${countWords(filter)}${lastWords(filter)}`}
          <Subjects of={filter} />
        </li>
      )}
    </Capped>
  </>
);

/** As many lines as Gmail keeps filters. */
const MAX_LINES = 1_000;

const Lines = ({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <details>
      <summary>{title}</summary>
      <Capped of={lines} most={MAX_LINES}>
        {(line) => <li dir="auto">{line}</li>}
      </Capped>
    </details>
  );

/** Anybody may have written a subject. */
const Subjects = ({ of: { subjects } }: { readonly of: TriedFilter }) => (
  <>
    {subjects.map((subject) => (
      <p class="subject" dir="auto">
        {subject === "" ? "(no subject)" : subject}
      </p>
    ))}
  </>
);

/** The report on a filter, and the number of mails that it was tried on. */
export interface Tried {
  readonly filter: TriedFilter;
  readonly mails: number;
}

/**
 * The reports on the filters of an input, by their indexes. Filters that changed since the trial have
 * none; those that only moved or got another name keep theirs.
 */
export function findTried(
  trial: Trial | undefined,
  input: object,
): (index: number) => Tried | undefined {
  const report = trial?.progress?.report;
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

/** "at least 2, at most 3 of 20,000 mails, last on 2026-01-06" */
export const triedShare = ({ filter, mails }: Tried): string =>
  `${countWords(filter)} of ${plural(mails, "mail")}${lastWords(filter)}`;

/** The counts of a filter, with subjects in a fold. */
export function TriedFold({
  id,
  tried,
}: {
  readonly id: string;
  readonly tried: Tried | undefined;
}) {
  if (!tried) return null;
  if (tried.filter.subjects.length === 0) return <p class="tried">{triedShare(tried)}</p>;
  return (
    <details class="tried" id={id}>
      <summary>{triedShare(tried)}</summary>
      <Subjects of={tried.filter} />
    </details>
  );
}
