import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (...command: readonly string[]) => Bun.spawnSync([...command]);

/** True when this process may mount, which needs root, and more than a container's root. */
export const mayMount = (): boolean => run("unshare", "--mount", "true").success;

/** A file system of 16 MB, which lasts until it is disposed of. */
export function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), "handtools-disk-"));
  const mounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "handtools", folder);
  if (!mounted.success) throw new Error(`mount failed: ${mounted.stderr}`);
  const filler = join(folder, "filler");
  return {
    folder,
    /** Leaves no byte free. */
    fill: () => {
      const file = openSync(filler, "w");
      try {
        for (;;) writeSync(file, new Uint8Array(4_096));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      // Lazily: a process that has just been killed may still hold a file.
      run("umount", "--lazy", folder);
      rmdirSync(folder);
    },
  };
}
