import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { StoreError } from "../signup-errors.ts";
import { truncateWal } from "./sqlite-file.ts";

/**
 * Watches the three files of an open database. SQLite continues to write to a removed or replaced
 * file, so we would acknowledge signups and lose them.
 *
 * @param database in WAL mode, so all three exist.
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

  /** Empties the log into the file, so that no acknowledged signup is lost with this process. */
  const save = () => {
    // If a part exists again, another process may have its own log there.
    if (lost().some((part) => existsSync(part))) return;
    try {
      truncateWal(database);
    } catch {
      // The disk is full or broken. The next check tries again.
    }
  };

  return {
    /** @throws {StoreError} if a file was removed or replaced. */
    require() {
      const found = problem();
      if (found !== undefined) throw new StoreError("sqlite-file-replaced", found);
    },

    /** @param onLost called with the problem, once, within a second. */
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

    /** Leaves a lost file open: SQLite would remove the log of another process. */
    close() {
      clearInterval(timer);
      save();
      if (problem() === undefined) database.close();
    },
  };
}

const FILE_CHECK_MS = 1_000;

/** Identifies the current file at a path. */
function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
