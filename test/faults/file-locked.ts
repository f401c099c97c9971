import { Database } from "bun:sqlite";
import { expectSame } from "../clients/check.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { SYNCED } from "./site/answer.ts";
import { throughDatabaseOutage } from "./site/database-outage.ts";
import { endWell, NO_FAULT } from "./site/end-well.ts";
import { spread } from "./site/figures.ts";
import type { Scenario } from "./site/scenario.ts";
import { openSite } from "./site/site.ts";
import { startWatch } from "./site/watch.ts";

/** Signups wait two seconds for a lock. */
const PATIENCE_MS = 2_000;

/** Another process, such as an operator's shell, which waits for its turn. */
function openBeside(path: string): Database {
  const file = new Database(path);
  file.run("PRAGMA busy_timeout = 2000");
  return file;
}

export const fileLocked: readonly Scenario[] = [
  {
    title: "the SQLite file is locked for longer than signups wait",
    run: async () => {
      using database = sqliteFile();
      using other = openBeside(database.path);
      return await throughDatabaseOutage(database, {
        begin: () => other.run("BEGIN IMMEDIATE"),
        end: () => other.run("COMMIT"),
        withinMs: PATIENCE_MS,
        fault: /SQLITE_BUSY/,
      });
    },
  },
  {
    title: "the SQLite file is locked for a second while 200 signups come",
    run: async () => {
      using database = sqliteFile();
      await using site = await openSite({ DATABASE_URL: database.url });
      using other = openBeside(database.path);
      other.run("BEGIN IMMEDIATE");
      await using watch = startWatch(site);
      const signups = Array.from({ length: 200 }, site.signUp);
      await Bun.sleep(PATIENCE_MS / 2);
      other.run("COMMIT");
      const answers = await Promise.all(signups);
      const lively = await watch.judge();
      expectSame(new Set(answers.map(({ outcome }) => outcome)), new Set([SYNCED]));
      await endWell(site, NO_FAULT);
      return `answered in ${spread(answers)}, ${lively}`;
    },
  },
];
