import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { StoreError } from "../signup-errors.ts";
import { truncateWal } from "./sqlite-file.ts";

/**
 * Looks after the three files of an open database. SQLite goes on writing to one that was removed or
 * replaced meanwhile, so signups would be acknowledged and lost.
 *
 * @param database in WAL mode, so that all three are there.
 */
export function guardFiles(database: Database) {
  const parts = ["", "-wal", "-shm"].map((suffix) => database.filename + suffix);
  const opened = parts.map(fileIdentity);
  const lost = () => parts.filter((part, index) => fileIdentity(part) !== opened[index]);
  let timer: ReturnType<typeof setInterval> | undefined;

  const problem = (): string | undefined => {
    const [first] = lost();
    return first && `${first} was removed or replaced; start the server again`;
  };

  /** Moves what is in the log into the file, so that no acknowledged signup ends with this process. */
  const save = () => {
    // Another process may have opened the file with a log of its own.
    if (lost().some((part) => existsSync(part))) return;
    try {
      truncateWal(database);
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
      let isTold = false;
      timer = setInterval(() => {
        const found = problem();
        if (found === undefined) return;
        if (!isTold) onLost(found);
        isTold = true;
        save();
      }, FILE_CHECK_MS).unref();
    },

    /** Closes the file, but not a lost one: SQLite would remove the log that another process has made. */
    close() {
      clearInterval(timer);
      save();
      if (problem() === undefined) database.close();
    },
  };
}

const FILE_CHECK_MS = 1_000;

/** The file that a path names now; undefined for none. */
function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
