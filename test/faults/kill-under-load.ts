import { expectSame } from "../clients/check.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { SYNCED } from "./site/answer.ts";
import { expectRecorded } from "./site/expect-recorded.ts";
import { ms } from "./site/figures.ts";
import { startLoad } from "./site/load.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite } from "./site/site.ts";
import { waitUntil } from "./site/wait-until.ts";

/** That the store itself survives it 20 times is shown in test/server/signup/kill.test.ts. */
export const killUnderLoad: Scenario = {
  title: "kill -9 under load: every acknowledged signup is there, and the next start works at once",
  run: async () => {
    using database = sqliteFile();
    await using killed = await openSite({ DATABASE_URL: database.url });
    await using load = startLoad(killed.signUp);
    await waitUntil("answers", () => load.answers.length > 200);
    killed.signal("SIGKILL");
    await killed.exited();
    await load.stop();

    const start = performance.now();
    await using site = await openSite({ DATABASE_URL: database.url });
    expectSame((await site.signUp()).outcome, SYNCED);
    const took = ms(performance.now() - start);
    return `${expectRecorded(killed.answers, await database.rows())}; the next after ${took}`;
  },
};
