import { semaphore } from "../../../server/signup/newsletter/listmonk-client.ts";
import { type Check, runChecks } from "../runner.ts";
import {
  diskFull,
  fileLocked,
  fileMoved,
  fullDiskIsNotReady,
  poolerOutages,
  postgresOutages,
  quotaUsedUp,
  readiness,
} from "./database.ts";
import { mayMount } from "./host.ts";
import { listmonkOutages, listmonkSlow } from "./listmonk.ts";
import { mails } from "./mails.ts";
import type { Scenario } from "./outage.ts";
import {
  badHeader,
  killUnderLoad,
  readOnlyDisk,
  silentAtStart,
  stopAmidSilence,
  stopUnderLoad,
} from "./process.ts";
import { siteverifyOutages } from "./siteverify.ts";

/*
 * Makes the server's neighbours fail and come back: `npm run test:faults`. All of them are on this
 * machine, which has to be a Linux with PostgreSQL and pgbouncer. Scenarios that need the right to
 * mount are skipped without it, and a word that is given picks the scenarios with it in their title.
 */

/** Most scenarios do little but wait. */
const LANES = 4;

const [word = ""] = process.argv.slice(2);

const scenarios = [
  ...postgresOutages,
  ...readiness,
  stopAmidSilence,
  ...poolerOutages,
  ...onDisks([diskFull, fullDiskIsNotReady, readOnlyDisk]),
  silentAtStart,
  badHeader,
  quotaUsedUp,
  ...fileLocked,
  ...fileMoved,
  ...listmonkOutages,
  ...listmonkSlow,
  ...mails,
  ...siteverifyOutages,
  ...stopUnderLoad,
  killUnderLoad,
];
await runChecks(runConcurrently(scenarios.filter(({ title }) => title.includes(word))));

/** Scenarios on disks of their own, which not every container may mount. */
function onDisks(scenarios: readonly Scenario[]): readonly Scenario[] {
  if (mayMount()) return scenarios;
  process.stdout.write(`skip  ${scenarios.length} scenarios, which need the right to mount\n`);
  return [];
}

/** Begins with all of them now, four at a time; their figures are printed in their order. */
function runConcurrently(scenarios: readonly Scenario[]): readonly Check[] {
  const lanes = semaphore(LANES);
  const { signal } = new AbortController();
  return scenarios.map(({ title, run }) => {
    const figures = lanes.take(signal).then((release) => run().finally(release));
    // Whoever asks for it hears of it; nobody has asked yet.
    figures.catch(() => undefined);
    return {
      title,
      run: async () => {
        process.stdout.write(`      ${await figures}\n`);
      },
    };
  });
}
