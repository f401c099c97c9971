import PostalMime, { decodeWords } from "postal-mime";
import { splitMailbox } from "../src/mail-filter/mailbox/split-mailbox.ts";
import { filterMatchers } from "../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../src/mail-filter/trial/mail-trial.ts";
import { KNOWN_FILTERS, type MadeMail, madeMails } from "../test/support/mailbox.ts";
import { median, type Row } from "./table.ts";

/** Sixty filters on mailboxes: against the parser alone, and in what memory. */
export const tryRows = async (): Promise<Row[]> => [
  // First, so that the memory is of it alone.
  await memoryRow(),
  await speedRow("54 kB, one in ten with 400 kB attached", 400_000, 3),
  await speedRow("14 kB, one in ten with 20 kB attached", 20_000),
];

const mime = { decodeWords, parse: (mail: Uint8Array) => PostalMime.parse(mail) };

const matchers = filterMatchers(
  KNOWN_FILTERS.map(({ filter }) => filter),
  {},
);

const MAILS = 200_000;

/** A mailbox made on the way; each verdict is compared with what the mail was made of. */
async function memoryRow(): Promise<Row> {
  const facts: MadeMail["facts"][] = [];
  function* chunks(): Generator<Uint8Array> {
    for (const mail of madeMails(MAILS)) {
      facts.push(mail.facts);
      yield new TextEncoder().encode(mail.text);
    }
  }
  const trial = new MailTrial(matchers, mime);
  let unknown = 0;
  for await (const raw of splitMailbox(chunks())) {
    const tried = await trial.take(raw, () => "");
    const made = facts.shift();
    if ("skipped" in tried || !made) throw new Error("A mail is missing");
    for (const [index, { matched }] of tried.matches.entries()) {
      const answer = KNOWN_FILTERS[index]?.answer(made);
      if (answer !== matched)
        throw new Error(`${tried.id}, filter ${index}: ${matched}, not ${answer}`);
      if (matched === "unknown") unknown += 1;
    }
  }
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const share = ((100 * unknown) / (MAILS * KNOWN_FILTERS.length)).toFixed(1);
  return {
    what: `mail-try: peak memory with ${MAILS} mails, whose verdicts are as made, ${share} % of them unknown`,
    ours: `${Math.round(megabytes)} MB`,
    baseline: "200 MB",
    ratio: megabytes / 200,
    goal: { atMost: 1 },
  };
}

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
    what: `mail-try: 500 mails of ${size}, 60 filters, against postal-mime alone`,
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
