import {
  answers,
  type Fault,
  fails,
  hang,
  html,
  stall,
} from "../../server/support/fake-listmonk/public-form.ts";
import { expectSame } from "../runner.ts";
import { expectRecorded, expectRepaired, NOT_SYNCED, SYNCED, spread } from "./expect.ts";
import { type Listmonk, openListmonk, sqliteFile } from "./fakes.ts";
import { expectCleanStop, NO_FAULT, type Outage, type Scenario, throughOutage } from "./outage.ts";
import { openSite } from "./site.ts";

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
    await expectCleanStop(site, NO_FAULT);
    return `${figures}; ${recorded}; ${repaired}`;
  },
}));

/** A call has three seconds. */
const IN_TIME_MS = 2_000;
const FAR_TOO_LATE_MS = 60_000;

/** More would hang a real listmonk for good. */
const MOST_LOOK_UPS = 4;

export const listmonkSlow: readonly Scenario[] = [
  {
    title: "listmonk is slow, but in time",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      const figures = await throughOutage(site, {
        begin: () => listmonk.relay.delay(IN_TIME_MS),
        end: listmonk.relay.restore,
        withinMs: IN_TIME_MS,
        answer: SYNCED,
      });
      await expectCleanStop(site, NO_FAULT);
      return figures;
    },
  },
  {
    title: "200 signups at once while listmonk's answers are lost, then their 200 repeats",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      // The server has asked about its list when this one is answered.
      expectSame((await site.signUp()).outcome, SYNCED);
      listmonk.relay.delay(FAR_TOO_LATE_MS);
      const answers = await Promise.all(Array.from({ length: 200 }, site.signUp));
      expectSame(new Set(answers.map(({ outcome }) => outcome)), new Set([NOT_SYNCED]));
      await listmonk.relay.restore();
      const repaired = await expectRepaired(site, database.rows);
      expectSame(listmonk.subscribers().length, site.answers.length - answers.length);
      expectSame(listmonk.mostLookUps() <= MOST_LOOK_UPS, true);
      await expectCleanStop(site, NO_FAULT);
      return `answered in ${spread(answers)}; ${repaired}`;
    },
  },
];
