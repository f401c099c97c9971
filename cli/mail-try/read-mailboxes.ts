import { NotMailError, type RawMail, splitMailbox } from "../../src/mail-try/mailbox.ts";
import { plural, thousands } from "../../src/text.ts";
import { CliError, type Problem, UsageError } from "../errors.ts";
import { sourceName } from "../files/read.ts";
import type { Io } from "../io.ts";
import { printsForPeople } from "../output.ts";

/**
 * Reads the mails of files, one after the other, with the progress on a terminal.
 *
 * @param use is called with each mail and a function that names its place.
 * @returns the error for the files that could not be read, if there are any.
 * @throws {CliError} when none could be read.
 */
export async function readMailboxes(
  files: readonly string[],
  io: Io,
  use: (mail: RawMail, place: () => string) => Promise<void>,
): Promise<CliError | undefined> {
  const problems: Problem[] = [];
  let isUsage = false;
  const progress = showProgress(io);
  let isAnyRead = false;
  for (const file of files) {
    try {
      let number = 0;
      for await (const mail of splitMailbox(await io.readStream(file))) {
        number += 1;
        const mailNumber = number;
        isAnyRead = true;
        await use(mail, () => `${sourceName(file)}, mail ${thousands(mailNumber)}`);
        await progress.tell();
      }
      isAnyRead = true;
    } catch (error) {
      // The other files are read all the same, and what was read counts.
      if (error instanceof CliError) problems.push(...error.problems);
      else if (error instanceof NotMailError) {
        isUsage = true;
        problems.push({ place: { file: sourceName(file) }, text: error.message });
      } else throw error;
    }
  }
  await progress.end();
  if (problems.length === 0) return undefined;
  if (!isAnyRead) throw isUsage ? new UsageError(problems) : new CliError(problems);
  return new CliError(problems, { exitCode: isUsage ? 2 : 1 });
}

/** Shows how many mails are read as one line on a terminal, twice a second at most. */
function showProgress(io: Io) {
  let mails = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    async tell(): Promise<void> {
      mails += 1;
      const now = performance.now();
      if (!io.errorIsTerminal || !printsForPeople(io) || now - shownAt < EVERY_MS) return;
      shownAt = now;
      await io.writeError(`${CLEAR}${plural(mails, "mail")}`);
    },
    async end(): Promise<void> {
      if (shownAt >= 0) await io.writeError(CLEAR);
    },
  };
}

const EVERY_MS = 500;
const CLEAR = "\r\u001b[K";
