import { statSync } from "node:fs";
import { StoreFault } from "./store-fault.ts";

/**
 * SQLite goes on writing to a file that was removed or replaced meanwhile: what is acknowledged
 * then would be lost.
 *
 * @returns what throws when the path no longer names the file that it names now.
 */
export function guardAgainstMove(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === ino && found.dev === dev) return;
    throw new StoreFault(
      "sqlite-file-replaced",
      "the SQLite file was removed or replaced; start the server again",
    );
  };
}
