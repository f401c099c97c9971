import { expectSame } from "../clients/check.ts";
import { openListmonk } from "./means/listmonk.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { NOT_SYNCED, SYNCED } from "./site/answer.ts";
import { endWell, NO_FAULT } from "./site/end-well.ts";
import { expectRepaired } from "./site/expect-repaired.ts";
import { spread } from "./site/figures.ts";
import { throughOutage } from "./site/outage.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite } from "./site/site.ts";

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
      await endWell(site, NO_FAULT);
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
      await endWell(site, NO_FAULT);
      return `answered in ${spread(answers)}; ${repaired}`;
    },
  },
];
