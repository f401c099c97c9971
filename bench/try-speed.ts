import PostalMime from "postal-mime";
import { filterMatchers } from "../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../src/mail-try/mail-trial.ts";
import { splitMailbox } from "../src/mail-try/split-mailbox.ts";
import { KNOWN_FILTERS, madeMails } from "../test/support/mailbox.ts";

/*
 * Run by try.ts in each engine: sixty filters on 500 mails, one in ten of which has a small or a
 * large file attached, in turns with the parser of MIME alone. It prints SpeedRounds as JSON.
 */

export interface SpeedRounds {
  /** The mean size of a mail. */
  readonly bytes: number;
  /** Processor times in ms, since other programs may run beside this one. */
  readonly rounds: readonly { readonly ours: number; readonly baseline: number }[];
}

const ROUNDS = 9;
const CHUNK_BYTES = 256 * 1024;

const matchers = filterMatchers(
  KNOWN_FILTERS.map(({ filter }) => filter),
  {},
);

async function measure(attachmentBytes: number): Promise<SpeedRounds> {
  const texts = Array.from(madeMails(500, attachmentBytes), ({ text }) => text);
  const mailbox = new TextEncoder().encode(texts.join(""));
  const mails = texts.map((text) => Buffer.from(text.slice(text.indexOf("\n") + 1)));
  const rounds: { ours: number; baseline: number }[] = [];
  while (rounds.length < ROUNDS) {
    const baseline = await processorTime(async () => {
      for (const mail of mails) await PostalMime.parse(mail);
    });
    const ours = await processorTime(async () => {
      const trial = new MailTrial(matchers);
      for await (const raw of splitMailbox(chunksOf(mailbox))) await trial.take(raw, () => "");
    });
    rounds.push({ ours, baseline });
  }
  return { bytes: mailbox.length / texts.length, rounds };
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function processorTime(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

process.stdout.write(JSON.stringify([await measure(20_000), await measure(400_000)]));
