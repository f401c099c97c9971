import { smallDisk } from "./means/small-disk.ts";
import { sqliteFile } from "./means/sqlite.ts";
import { throughDatabaseOutage } from "./site/database-outage.ts";
import type { Scenario } from "./site/scenario.ts";

/** It needs the right to mount. */
export const diskFull: Scenario = {
  title: "the disk is full until space is freed",
  run: async () => {
    using disk = smallDisk();
    return await throughDatabaseOutage(sqliteFile(disk.folder), {
      begin: disk.fill,
      end: disk.free,
      withinMs: 100,
      fault: /SQLITE_FULL/,
    });
  },
};
