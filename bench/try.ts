import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { filterMatchers } from "../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial } from "../src/mail-try/mail-trial.ts";
import type { MailTrialReport } from "../src/mail-try/report.ts";
import { splitMailbox } from "../src/mail-try/split-mailbox.ts";
import { KNOWN_FILTERS, madeMails } from "../test/support/mailbox.ts";
import { median, type Row } from "./table.ts";

/** Sixty filters on mailboxes: in what memory, and against the parser alone. */
export const tryRows = async (): Promise<Row[]> => [await memoryRow(), await speedRow()];

const MAILS = 200_000;

/** The command on a mailbox made on the way; its counts are compared with what the mails were made of. */
async function memoryRow(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "handtools-bench-"));
  const rules = join(folder, "filters.json");
  writeFileSync(rules, JSON.stringify({ filters: KNOWN_FILTERS.map(({ filter }) => filter) }));
  const main = join(import.meta.dir, "../cli/main.ts");
  const child = Bun.spawn([process.execPath, main, "mail-try", rules, "-", "--json"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const made = KNOWN_FILTERS.map(() => ({ yes: 0, no: 0, unknown: 0 }));
  for (const { text, facts } of madeMails(MAILS)) {
    KNOWN_FILTERS.forEach(({ answer }, index) => {
      const counts = made[index];
      if (counts) counts[answer(facts)] += 1;
    });
    child.stdin.write(text);
    await child.stdin.flush();
  }
  const megabytes = peakOf(child.pid);
  await child.stdin.end();
  const report: MailTrialReport = JSON.parse(await child.stdout.text());
  await child.exited;
  rmSync(folder, { recursive: true });
  for (const [index, { yes, unknown }] of made.entries()) {
    const { name, at_least, at_most } = report.filters[index] ?? {};
    if (at_least !== yes || at_most !== yes + unknown) {
      throw new Error(`${name}: ${at_least} to ${at_most}, not ${yes} to ${yes + unknown}`);
    }
  }
  const unknown = made.reduce((sum, counts) => sum + counts.unknown, 0);
  const share = ((100 * unknown) / (MAILS * KNOWN_FILTERS.length)).toFixed(1);
  return {
    what: `mail-try: peak memory with ${MAILS} mails, whose verdicts are as made, ${share} % of them unknown`,
    ours: `${Math.round(megabytes)} MB`,
    baseline: "200 MB",
    ratio: megabytes / 200,
    goal: { atMost: 1 },
  };
}

/**
 * The peak memory of a running program in MB, from Linux. What it says of a program that has ended
 * may be that of its parent, from which the program was started.
 */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function speedRow(): Promise<Row> {
  const texts = Array.from(madeMails(500, 400_000), ({ text }) => text);
  const mailbox = new TextEncoder().encode(texts.join(""));
  const mails = texts.map((text) => Buffer.from(text.slice(text.indexOf("\n") + 1)));
  const matchers = filterMatchers(
    KNOWN_FILTERS.map(({ filter }) => filter),
    {},
  );
  const rounds: { ours: number; baseline: number }[] = [];
  while (rounds.length < ROUNDS) {
    const baseline = await processorTime(async () => {
      for (const mail of mails) await PostalMime.parse(mail);
    });
    const ours = await processorTime(async () => {
      const trial = new MailTrial(matchers);
      for await (const raw of splitMailbox([mailbox])) await trial.take(raw, () => "");
    });
    rounds.push({ ours, baseline });
  }
  return {
    what: "mail-try: 500 mails of 54 kB, one in ten with 400 kB attached, 60 filters, against postal-mime alone",
    ours: `${Math.round(median(rounds.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(rounds.map(({ baseline }) => baseline)))} ms`,
    ratio: median(rounds.map(({ ours, baseline }) => baseline / ours)),
    goal: { atLeast: 3 },
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
