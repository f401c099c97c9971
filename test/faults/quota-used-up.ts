import { sqliteFile } from "./means/sqlite.ts";
import { throughDatabaseOutage } from "./site/database-outage.ts";
import type { Scenario } from "./site/scenario.ts";
import type { Site } from "./site/site.ts";

export const quotaUsedUp: Scenario = {
  title: "a quota is used up until it is raised",
  run: async () => {
    using database = sqliteFile();
    return await throughDatabaseOutage(database, {
      begin: (site) => limitFileSize(site, "0"),
      end: (site) => limitFileSize(site, "unlimited"),
      withinMs: 100,
      fault: /SQLITE_IOERR/,
    });
  },
};

/** How far into a file the server may write; where it logs is none. */
function limitFileSize({ pid }: Site, bytes: string): void {
  const done = Bun.spawnSync(["prlimit", "--pid", String(pid), `--fsize=${bytes}:unlimited`]);
  if (!done.success) throw new Error(`prlimit failed: ${done.stderr}`);
}
