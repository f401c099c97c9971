import { validFilters } from "../../../src/mail-filter/filter.ts";
import { filterMatchers } from "../../../src/mail-filter/match/match.ts";
import { MailTrial, sortFilters } from "../../../src/mail-try/mail-trial.ts";
import { NotMailError, splitMailbox } from "../../../src/mail-try/mailbox.ts";
import type { MailTrialReport, SortedFilters } from "../../../src/mail-try/report.ts";

/** What a page asks the worker for. */
export interface TrialOrder {
  readonly input: unknown;
  readonly files: readonly File[];
}

/** What is known so far of a trial. */
export interface TrialProgress {
  /** How much of the files was read, from 0 to 1. */
  readonly share: number;
  readonly isDone: boolean;
  readonly report: MailTrialReport;
  readonly sorted: SortedFilters;
  /** How many mails were read, with those that no filter runs on. */
  readonly read: number;
  /** How many mails a filter surely matches. */
  readonly caught: number;
  /** Files that could not be read to their end. */
  readonly problems: readonly string[];
}

/** Tries filters on the mails of files, one after the other. */
export async function* tryMails({ input, files }: TrialOrder): AsyncGenerator<TrialProgress> {
  const matchers = filterMatchers(validFilters(input), {});
  const trial = new MailTrial(matchers);
  const problems: string[] = [];
  const size = files.reduce((sum, file) => sum + file.size, 0);
  let told = performance.now();
  let bytes = 0;
  let read = 0;
  let caught = 0;
  const progress = (isDone: boolean): TrialProgress => {
    // The last mails of what was read are still to be tried.
    const share = isDone ? 1 : Math.min(bytes / Math.max(size, 1), 0.99);
    const report = trial.report();
    return {
      share,
      isDone,
      report,
      sorted: sortFilters(report, matchers),
      read,
      caught,
      problems,
    };
  };
  const count = (added: number) => {
    bytes += added;
  };
  for (const file of files) {
    try {
      for await (const raw of splitMailbox(chunksOf(file, count))) {
        read += 1;
        const { matches } = await trial.take(raw);
        caught += Number(matches.some(({ matched }) => matched === "yes"));
        if (performance.now() - told < EVERY_MS) continue;
        told = performance.now();
        yield progress(false);
      }
    } catch (error) {
      // The other files are read all the same, and what was read counts.
      if (!(error instanceof UnreadableFile || error instanceof NotMailError)) throw error;
      problems.push(`${file.name} ${error.message}.`);
    }
  }
  yield progress(true);
}

const EVERY_MS = 250;

class UnreadableFile extends Error {}

/**
 * The bytes of a file; gzip is unpacked.
 *
 * @param onRead takes how many bytes of the file were read.
 * @throws {UnreadableFile} for a folder and for a file that is gone.
 */
async function* chunksOf(
  file: File,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onRead(chunk.length);
      controller.enqueue(chunk);
    },
  });
  const start = await orUnreadable(file.slice(0, 2).arrayBuffer());
  const [first, second] = new Uint8Array(start);
  const isGzip = first === 0x1f && second === 0x8b;
  const stream = file.stream().pipeThrough(counted);
  const reader = (
    isGzip ? stream.pipeThrough(new DecompressionStream("gzip")) : stream
  ).getReader();
  for (;;) {
    const { value, done } = await orUnreadable(reader.read());
    if (done) return;
    yield value;
  }
}

const orUnreadable = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((cause: unknown) => {
    throw new UnreadableFile("cannot be read to its end. What was read of it counts", { cause });
  });
