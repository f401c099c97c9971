import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailTrialReport } from "../src/mail-try/report.ts";
import { KNOWN_FILTERS, madeMails } from "../test/support/mailbox.ts";
import { median, type Row } from "./table.ts";
import type { SpeedRounds } from "./try-speed.ts";

/** Sixty filters on mailboxes: in what memory, and against the parser alone. */
export const tryRows = async (): Promise<Row[]> => [
  await memoryRow(),
  ...(await speedRows([process.execPath], "Bun")),
  ...(await speedRows(["node"], "Node")),
];

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

/** By an engine, in a process of its own. */
async function speedRows(engine: readonly string[], name: string): Promise<Row[]> {
  const folder = mkdtempSync(join(import.meta.dir, "../node_modules/.cache/handtools-bench-"));
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "try-speed.ts")],
    outdir: folder,
    naming: "[name].mjs",
    target: "node",
    external: ["postal-mime", "htmlparser2"],
  });
  if (!built.success) throw new Error("try-speed.ts cannot be bundled");
  const child = Bun.spawn([...engine, join(folder, "try-speed.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found: readonly SpeedRounds[] = JSON.parse(await child.stdout.text());
  rmSync(folder, { recursive: true });
  return found.map(({ bytes, rounds }) => ({
    what: `mail-try: 500 mails of ${Math.round(bytes / 1000)} kB, 60 filters, against postal-mime alone, by ${name}`,
    ours: `${Math.round(median(rounds.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(rounds.map(({ baseline }) => baseline)))} ms`,
    ratio: median(rounds.map(({ ours, baseline }) => ours / baseline)),
    goal: { atMost: 1.8 },
  }));
}
