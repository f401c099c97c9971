import {
  answers,
  type Fault,
  fails,
  hang,
  html,
  stall,
} from "../server/signup/fake-listmonk/faults.ts";
import { type Listmonk, openListmonk } from "./means/listmonk.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { NOT_SYNCED } from "./site/answer.ts";
import { endWell, NO_FAULT } from "./site/end-well.ts";
import { expectRecorded } from "./site/expect-recorded.ts";
import { expectRepaired } from "./site/expect-repaired.ts";
import { type Outage, throughOutage } from "./site/outage.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite } from "./site/site.ts";

type Trouble = (listmonk: Listmonk) => Pick<Outage, "begin" | "end" | "withinMs">;

const AT_ONCE_MS = 100;

/** A call has three seconds. */
const DEADLINE_MS = 3_000;

/** New people cannot be added; all else works. */
const creating =
  (fault: Fault, withinMs: number): Trouble =>
  ({ faults }) => ({
    begin: () => faults.set("POST /api/subscribers", fault),
    end: () => faults.clear(),
    withinMs,
  });

const TROUBLES: readonly (readonly [string, Trouble])[] = [
  [
    "is not there",
    ({ relay }) => ({ begin: relay.refuse, end: relay.restore, withinMs: AT_ONCE_MS }),
  ],
  [
    "dies with its machine",
    ({ relay }) => ({ begin: relay.silence, end: relay.restore, withinMs: DEADLINE_MS }),
  ],
  ["hangs", creating(hang, DEADLINE_MS)],
  ["stalls within its body", creating(stall, DEADLINE_MS)],
  ["answers 500", creating(fails(500), AT_ONCE_MS)],
  ["answers with a page", creating(html, AT_ONCE_MS)],
  ["answers 401", creating(answers({ message: "Unauthorized" }, 401), AT_ONCE_MS)],
];

export const listmonkOutages: readonly Scenario[] = TROUBLES.map(([what, trouble]) => ({
  title: `listmonk ${what}, and is well again`,
  run: async () => {
    using database = sqliteFile();
    await using listmonk = await openListmonk();
    await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
    const figures = await throughOutage(site, { ...trouble(listmonk), answer: NOT_SYNCED });
    const recorded = expectRecorded(site.answers, await database.rows());
    const repaired = await expectRepaired(site, database.rows);
    await endWell(site, NO_FAULT);
    return `${figures}; ${recorded}; ${repaired}`;
  },
}));
