import { copyFileSync, renameSync } from "node:fs";
import { sqliteFile } from "./means/sqlite.ts";
import { throughDatabaseOutage } from "./site/database-outage.ts";
import type { Scenario } from "./site/scenario.ts";

type Change = (path: string, aside: string) => void;

const CHANGES: readonly (readonly [string, Change])[] = [
  ["the SQLite file is gone until it is put back", renameSync],
  [
    "a copy is in the SQLite file's place until it is put back",
    (path, aside) => {
      renameSync(path, aside);
      copyFileSync(aside, path);
    },
  ],
];

/** SQLite itself would go on writing to a file that nobody will ever read again. */
export const fileMoved: readonly Scenario[] = CHANGES.map(([title, change]) => ({
  title,
  run: async () => {
    using database = sqliteFile();
    const { path } = database;
    const aside = `${path}.aside`;
    return await throughDatabaseOutage(database, {
      begin: () => change(path, aside),
      end: () => renameSync(aside, path),
      withinMs: 100,
      fault: /sqlite-file-replaced/,
    });
  },
}));
