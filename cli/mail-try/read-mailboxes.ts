import { NotMailError, type RawMail, splitMailbox } from "../../src/mail-try/mailbox.ts";
import { plural, thousands } from "../../src/text.ts";
import { CliError, type Problem, SystemError, UsageError } from "../errors.ts";
import { sourceName } from "../files/read.ts";
import type { ByteStream, Io } from "../io.ts";
import { printsForPeople } from "../output.ts";

/**
 * Reads the mails of files, one after the other, with the progress on a terminal. Ctrl-C ends it
 * early.
 *
 * @param use is called with each mail and a function that names its place.
 * @returns the problems of the files that could not be read, and the class of the error for them.
 * @throws that error when none could be read.
 */
export async function readMailboxes(
  files: readonly string[],
  io: Io,
  use: (mail: RawMail, place: () => string) => Promise<void>,
): Promise<MailboxesRead> {
  const problems: Problem[] = [];
  let Failure: MailboxesRead["Failure"] = SystemError;
  const progress = new Progress(io);
  const stop = new AbortController();
  let isAnyRead = false;
  io.onInterrupt(() => stop.abort());
  for (const file of files) {
    try {
      const stream = await io.readStream(file);
      let number = 0;
      for await (const mail of splitMailbox(chunksUntil(stop.signal, stream.chunks))) {
        // The interrupt may have cut the last mail.
        if (stop.signal.aborted) break;
        number += 1;
        const mailNumber = number;
        isAnyRead = true;
        await use(mail, () => `${sourceName(file)}, mail ${thousands(mailNumber)}`);
        await progress.tell(stream, file);
      }
      isAnyRead = true;
    } catch (error) {
      // The other files are read all the same, and what was read counts.
      if (error instanceof CliError) problems.push(...error.problems);
      else if (error instanceof NotMailError) {
        Failure = UsageError;
        problems.push({ place: { file: sourceName(file) }, text: error.message });
      } else throw error;
    }
    if (stop.signal.aborted) break;
  }
  await progress.end();
  if (problems.length > 0 && !isAnyRead) throw new Failure(problems);
  return { problems, Failure, isStopped: stop.signal.aborted };
}

interface MailboxesRead {
  readonly problems: Problem[];
  readonly Failure: typeof SystemError | typeof UsageError;
  /** True if it ended early. */
  readonly isStopped: boolean;
}

/** The chunks that come before a signal, which ends the wait for the next one too. */
async function* chunksUntil(
  signal: AbortSignal,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await new Promise<IteratorResult<Uint8Array> | undefined>((resolve, reject) => {
      signal.onabort = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
    if (!next || next.done) return;
    yield next.value;
  }
}

/** The progress as one line on a terminal. A file or a pipe gets nothing. */
class Progress {
  private readonly io: Io;
  private mails = 0;
  private file = "";
  private started = 0;
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(io: Io) {
    this.io = io;
  }

  /** How many mails, how much of the file, how long it takes still: twice a second at most. */
  async tell({ size, position }: ByteStream, file: string): Promise<void> {
    this.mails += 1;
    if (!this.io.errorIsTerminal || !printsForPeople(this.io)) return;
    const now = performance.now();
    if (file !== this.file) {
      this.file = file;
      this.started = now;
    }
    if (now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    const share = size ? position() / size : 0;
    const left = Math.ceil(((now - this.started) / 1000) * (1 / share - 1));
    const rest = share === 0 ? "" : `, ${Math.floor(share * 100)} %, ${left} s left`;
    await this.io.writeError(`${CLEAR}${plural(this.mails, "mail")}${rest}`);
  }

  async end(): Promise<void> {
    if (this.shownAt >= 0) await this.io.writeError(CLEAR);
  }
}

const EVERY_MS = 500;
const CLEAR = "\r\u001b[K";
