import PostalMime, { decodeWords } from "postal-mime";
import { splitMailbox } from "../src/mail-filter/mailbox/split-mailbox.ts";
import { filterMatchers } from "../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../src/mail-filter/trial/mail-trial.ts";
import { KNOWN_FILTERS, madeMails } from "../test/support/mailbox.ts";
import { median, type Row } from "./table.ts";

/*
 * Sixty filters on mailboxes against the parser alone, as JSON. It runs on Bun, and bundled on Node;
 * the variable BENCH_RUNTIME has its name.
 */
const mime = { decodeWords, parse: (mail: Uint8Array) => PostalMime.parse(mail) };

const matchers = filterMatchers(
  KNOWN_FILTERS.map(({ filter }) => filter),
  {},
);

async function speedRow(size: string, attachmentBytes: number, atLeast?: number): Promise<Row> {
  const texts = Array.from(madeMails(500, attachmentBytes), ({ text }) => text);
  const mailbox = new TextEncoder().encode(texts.join(""));
  const mails = texts.map((text) => Buffer.from(text.slice(text.indexOf("\n") + 1)));
  const rounds: { ours: number; baseline: number }[] = [];
  while (rounds.length < ROUNDS) {
    const baseline = await processorTime(async () => {
      for (const mail of mails) await PostalMime.parse(mail);
    });
    const ours = await processorTime(async () => {
      const trial = new MailTrial(matchers, mime);
      for await (const raw of splitMailbox([mailbox])) await trial.take(raw, () => "");
    });
    rounds.push({ ours, baseline });
  }
  return {
    what: `mail-try: 500 mails of ${size}, 60 filters, on ${process.env.BENCH_RUNTIME}, against postal-mime alone`,
    ours: `${Math.round(median(rounds.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(rounds.map(({ baseline }) => baseline)))} ms`,
    ratio: median(rounds.map(({ ours, baseline }) => baseline / ours)),
    ...(atLeast !== undefined && { goal: { atLeast } }),
  };
}

const ROUNDS = 9;

/** In ms, since other programs may run beside this one. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

process.stdout.write(
  JSON.stringify([
    await speedRow("54 kB, one in ten with 400 kB attached", 400_000, 3),
    await speedRow("14 kB, one in ten with 20 kB attached", 20_000),
  ]),
);
