/*
 * Lets the server's neighbours fail and come back: `npm run test:faults`. All of them are on this
 * machine, which has to be a Linux. Scenarios that need PostgreSQL or the right to mount are
 * skipped without it, and a word that is given picks the scenarios with it in their title.
 */
import { runChecks } from "../clients/run-checks.ts";
import { hasPostgres } from "../server/signup/postgres-server.ts";
import { badHeader, readOnlyDisk, silentAtStart } from "./bad-start.ts";
import { diskFull } from "./disk-full.ts";
import { fileLocked } from "./file-locked.ts";
import { fileMoved } from "./file-moved.ts";
import { inLanes } from "./in-lanes.ts";
import { killUnderLoad } from "./kill-under-load.ts";
import { listmonkOutages } from "./listmonk-outages.ts";
import { listmonkSlow } from "./listmonk-slow.ts";
import { logLost } from "./log-lost.ts";
import { mayMount } from "./means/small-disk.ts";
import { postgresOutages } from "./postgres-outages.ts";
import { quotaUsedUp } from "./quota-used-up.ts";
import type { Scenario } from "./site/scenario.ts";
import { siteverifyOutages } from "./siteverify-outages.ts";
import { stopAmidSilence, stopUnderLoad } from "./stop-under-load.ts";

const [word = ""] = process.argv.slice(2);

function needing(what: string, isThere: boolean, scenarios: readonly Scenario[]) {
  if (isThere) return scenarios;
  process.stdout.write(`skip  ${scenarios.length} scenarios, which need ${what}\n`);
  return [];
}

const scenarios = [
  ...needing("PostgreSQL", hasPostgres, [...postgresOutages, stopAmidSilence]),
  ...needing("the right to mount", mayMount(), [diskFull, readOnlyDisk]),
  silentAtStart,
  badHeader,
  quotaUsedUp,
  ...fileLocked,
  ...fileMoved,
  ...listmonkOutages,
  ...listmonkSlow,
  ...siteverifyOutages,
  ...stopUnderLoad,
  killUnderLoad,
  ...logLost,
];
await runChecks(inLanes(scenarios.filter(({ title }) => title.includes(word))));
