import type { RawMail } from "../../src/mail-filter/mailbox/mail-builder.ts";
import { splitMailbox } from "../../src/mail-filter/mailbox/split-mailbox.ts";
import { thousands } from "../../src/text.ts";
import { CliError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { ByteStream, Io } from "../io.ts";
import type { Problem } from "../messages/problem.ts";

/**
 * Reads the mails of files, one after the other, with the progress on a terminal. Ctrl-C ends it
 * early.
 *
 * @param use is called with each mail and a function that names its place.
 * @returns the files that could not be read; `true` if it ended early.
 */
export async function readMailboxes(
  files: readonly string[],
  io: Io,
  use: (mail: RawMail, place: () => string) => Promise<void>,
): Promise<{ readonly problems: Problem[]; readonly isStopped: boolean }> {
  const problems: Problem[] = [];
  const progress = new Progress(io);
  let isStopped = false;
  io.onInterrupt(() => {
    isStopped = true;
  });
  for (const file of files) {
    try {
      const stream = await io.readStream(file);
      let number = 0;
      for await (const mail of splitMailbox(stream.chunks)) {
        number += 1;
        const place = number;
        await use(mail, () => `${sourceName(file)}, mail ${thousands(place)}`);
        await progress.tell(stream, file);
        if (isStopped) break;
      }
    } catch (error) {
      // The other files are read all the same, and what was read counts.
      if (!(error instanceof CliError)) throw error;
      problems.push(...error.problems);
    }
    if (isStopped) break;
  }
  await progress.end();
  return { problems, isStopped };
}

/** One line on a terminal: mails so far, part of the file, time left. */
class Progress {
  private readonly io: Io;
  private readonly isShown: boolean;
  private mails = 0;
  private file = "";
  private started = 0;
  private told = Number.NEGATIVE_INFINITY;

  constructor(io: Io) {
    this.io = io;
    this.isShown = io.errorIsTerminal;
  }

  async tell({ size, position }: ByteStream, file: string): Promise<void> {
    this.mails += 1;
    if (!this.isShown) return;
    const now = performance.now();
    if (file !== this.file) {
      this.file = file;
      this.started = now;
    }
    if (now - this.told < EVERY_MS) return;
    this.told = now;
    const share = size ? position() / size : undefined;
    const seconds = share ? ((now - this.started) / 1000) * (1 / share - 1) : undefined;
    const rest = seconds === undefined ? "" : `, ${Math.ceil(seconds)} s left`;
    const part = share === undefined ? "" : `, ${Math.floor(share * 100)} %${rest}`;
    await this.io.writeError(`\r\u001b[K${thousands(this.mails)} mails${part}`);
  }

  async end(): Promise<void> {
    if (this.told > 0) await this.io.writeError("\r\u001b[K");
  }
}

const EVERY_MS = 500;
