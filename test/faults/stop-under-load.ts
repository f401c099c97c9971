import { expectSame } from "../clients/check.ts";
import { openListmonk } from "./means/listmonk.ts";
import { openPostgres } from "./means/postgres.ts";
import { openRelay } from "./means/relay.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { type Answer, FAILED, SYNCED } from "./site/answer.ts";
import { expectRecorded } from "./site/expect-recorded.ts";
import { ms } from "./site/figures.ts";
import { startLoad } from "./site/load.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite, type Site } from "./site/site.ts";
import { waitUntil } from "./site/wait-until.ts";

/** What a client sees that finds the server stopping, and one that is cut off. */
const TURNED_AWAY = "ECONNREFUSED";
const CUT_OFF = "ECONNRESET";

/** As many as a server has connections to PostgreSQL. */
const COMMITS = 5;

const expectOnly = (answers: readonly Answer[], outcomes: readonly string[]): void =>
  expectSame([...new Set(answers.map(({ outcome }) => outcome))].sort(), [...outcomes].sort());

/** Signups come in; after the first ones the trouble begins and the server is told to stop. */
async function stopAmidLoad(site: Site, trouble: () => unknown): Promise<string> {
  await using load = startLoad(site.signUp);
  await waitUntil("answers", () => load.answers.length > 50);
  await trouble();
  const start = performance.now();
  site.signal("SIGTERM");
  const code = await site.exited(15_000);
  const took = performance.now() - start;
  await load.stop();
  expectSame(code, 0);
  return `ended in ${ms(took)}`;
}

export const stopUnderLoad: readonly Scenario[] = [
  {
    title: "SIGTERM under load: whoever is let in is answered",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      const ended = await stopAmidLoad(site, () => listmonk.relay.delay(500));
      expectOnly(site.answers, [SYNCED, TURNED_AWAY]);
      return `${ended}; ${expectRecorded(site.answers, await database.rows())}`;
    },
  },
  {
    title:
      "SIGTERM twice while listmonk hangs: nobody is waited for, and nothing acknowledged is lost",
    run: async () => {
      using database = sqliteFile();
      await using listmonk = await openListmonk();
      await using site = await openSite({ DATABASE_URL: database.url, ...listmonk.environment });
      const ended = await stopAmidLoad(site, async () => {
        listmonk.relay.silence();
        setTimeout(() => site.signal("SIGTERM"), 1_000);
        await Bun.sleep(100);
      });
      expectOnly(site.answers, [SYNCED, CUT_OFF, TURNED_AWAY]);
      return `${ended}; ${expectRecorded(site.answers, await database.rows())}`;
    },
  },
];

export const stopAmidSilence: Scenario = {
  title: "SIGTERM while PostgreSQL is silent",
  run: async () => {
    await using postgres = await openPostgres();
    using relay = await openRelay(postgres.url);
    await using site = await openSite({ DATABASE_URL: relay.url });
    const ended = await stopAmidLoad(site, relay.silence);
    expectOnly(site.answers, [SYNCED, FAILED, TURNED_AWAY]);
    return `${ended}; ${expectRecorded(site.answers, await postgres.rows(), COMMITS)}`;
  },
};
