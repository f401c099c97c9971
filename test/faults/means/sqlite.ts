import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The place of a SQLite file in a folder of its own, or in the one that is given. */
export function sqliteFile(given?: string) {
  const folder = given ?? mkdtempSync(join(tmpdir(), "handtools-faults-"));
  const path = join(folder, "signups.sqlite");
  return {
    folder,
    path,
    url: `file:${path}`,
    /** What is stored, read beside the server. */
    rows: async (): Promise<readonly unknown[]> => {
      using file = new Database(path);
      return file.query("SELECT * FROM signups").all();
    },
    [Symbol.dispose]: () => {
      if (given === undefined) rmSync(folder, { recursive: true });
    },
  };
}
