import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CliError, codeOf, ifExists, UsageError } from "../errors.ts";
import { decodeExactly, type FileReader, readFile } from "./read.ts";
import {
  FOR_OWNER,
  isReadableByOthers,
  type Replaced,
  realPath,
  renameOver,
  requireWritable,
  withTemporary,
} from "./replace.ts";

/**
 * Changes a text file that other programs write too, and keeps its old text at `backupPath`. Another
 * run of this program waits, and changes that another program makes meanwhile are not lost.
 *
 * @param edit gives the new text for the old one, which is "" without a file. It may run again.
 * @throws {UsageError} for a file that is too large, not UTF-8, or a device.
 * @throws {CliError} when another program or run keeps it from being changed.
 */
export const editFile = (path: string, edit: (text: string) => string): Promise<Replaced> =>
  whileLocked(path, async (target) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = await ifExists(readFile(path));
      const oldText = decodeExactly(path, before);
      const text = edit(oldText);
      if (text === oldText) return { readableByOthers: false };
      const existing = await ifExists(stat(target));
      if (existing && !existing.isFile()) throw new UsageError([`${path}: must be a regular file`]);
      if (existing) await requireWritable(target);
      const backup = before && backupPath(target);
      const isDone = await renameOver(target, text, existing ?? FOR_OWNER, async () => {
        const now = await ifExists(readFile(target));
        if (decodeExactly(path, now) !== oldText) return false;
        // For its owner alone: it may hold secrets that the file has no more.
        const rights = { ...existing, ...FOR_OWNER };
        return !before || !backup || renameOver(backup, before, rights, async () => true);
      });
      if (isDone) return { readableByOthers: isReadableByOthers(existing), backup };
    }
    throw new CliError([`${path}: another program keeps changing it; close that program first`]);
  });

const MAX_ATTEMPTS = 5;

/** Where the old text of an edited file stays. An older one is overwritten. */
export const backupPath = (path: string): string => `${path}.handtools.bak`;

/** The text of the file before its last edit; undefined where it cannot be read any more. */
export async function readBackup(path: string, io: FileReader): Promise<string | undefined> {
  try {
    const bytes = await io.readFileIfExists(backupPath(path));
    return bytes && decodeExactly(path, bytes);
  } catch (error) {
    // A backup is of use, but nothing depends on it.
    if (!(error instanceof CliError)) throw error;
    return undefined;
  }
}

/**
 * Does work on a file while no other run does. A file beside it is the lock; signals remove it too.
 *
 * @param work is given the file's real path, whose folder exists.
 * @throws {CliError} when another run keeps the lock, or was killed before it could remove it.
 */
export async function whileLocked<Value>(
  path: string,
  work: (target: string) => Promise<Value>,
  timeout: number = LOCK_TIMEOUT_MS,
): Promise<Value> {
  const target = await realPath(path);
  const lock = join(dirname(target), `.${basename(target)}.handtools.lock`);
  await mkdir(dirname(lock), { recursive: true });
  const deadline = Date.now() + timeout;
  while (!(await createLock(lock))) {
    if (Date.now() > deadline) {
      throw new CliError([
        `${path}: another run of handtools is changing it; try again, or remove ${lock} if there is none`,
      ]);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
  }
  return withTemporary(lock, () => work(target));
}

const LOCK_TIMEOUT_MS = 10_000;

const POLL_MS = 10;

/** False if another run has it. */
async function createLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx", mode: FOR_OWNER.mode });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
