import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { truncateWal } from "./sqlite-file.ts";

/**
 * Looks after the three files of an open database. SQLite goes on writing to one that was removed or
 * replaced meanwhile, so signups would be acknowledged and lost.
 *
 * @param database in WAL mode, so that all three are there.
 */
export function guardFiles(database: Database) {
  const parts = ["", "-wal", "-shm"].map((suffix) => {
    const path = database.filename + suffix;
    return { path, opened: fileIdentity(path) };
  });
  let timer: ReturnType<typeof setInterval> | undefined;

  const problem = (): string | undefined => {
    const lost = parts.find(({ path, opened }) => fileIdentity(path) !== opened);
    return lost && `${lost.path} was removed or replaced; start the server again`;
  };

  /**
   * Moves what is in the log into the file, so that no acknowledged signup ends with this process.
   * It leaves the file alone where another process may have opened it with a log of its own.
   */
  const save = () => {
    const isAlone = parts.every(({ path, opened }) =>
      [opened, undefined].includes(fileIdentity(path)),
    );
    try {
      if (isAlone) truncateWal(database);
    } catch {
      // The disk is full, or broken. The next look tries again.
    }
  };

  return {
    /** @throws {StoreError} when a path no longer names the file that was opened. */
    require() {
      const found = problem();
      if (found !== undefined) throw new StoreError("sqlite-file-replaced", found);
    },

    /** @param onLost takes the problem, once, within a second. */
    watch(onLost: (problem: string) => void) {
      let told: string | undefined;
      timer = setInterval(() => {
        const found = problem();
        if (found !== undefined) {
          if (told === undefined) onLost(found);
          save();
        }
        told = found;
      }, LOOK_MS);
      timer.unref();
    },

    /** Closes the file, but not a lost one: SQLite would remove the log that another process has made. */
    close() {
      clearInterval(timer);
      save();
      if (problem() === undefined) database.close();
    },
  };
}

const LOOK_MS = 1_000;

/** The file that a path names now; undefined for none. */
function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
