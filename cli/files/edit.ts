import { rmSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { CliError, codeOf, ifExists, UsageError } from "../errors.ts";
import type { Io, Replaced } from "../io.ts";
import { decodeExactly, readFile } from "./read.ts";
import {
  FOR_OWNER,
  isReadableByOthers,
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
export async function readBackup(path: string, io: Io): Promise<string | undefined> {
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
 * Does work on a file while no other run does. The lock is a file with the process and its host; it
 * is removed on signals too, and taken over from a process that has ended without removing it.
 *
 * @param work is given the file's real path, whose folder exists.
 * @throws {CliError} when another run keeps the lock.
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
  while (!(await create(lock, `${process.pid} ${hostname()}\n`))) {
    const holder = await readHolder(lock);
    if (Date.now() > deadline) {
      const by = holder ? ` (process ${holder.process} on ${holder.host})` : "";
      throw new CliError([
        `${path}: another run of handtools is changing it${by}; try again, or remove ${lock} if there is none`,
      ]);
    }
    if (holder?.isGone) await removeLeftover(lock);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
  }
  return withTemporary(lock, () => work(target));
}

const LOCK_TIMEOUT_MS = 30_000;

const POLL_MS = 10;

/** Creates a file with a text; false if it exists. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: FOR_OWNER.mode });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The process that holds a lock; undefined if the lock is gone, or not written yet. */
async function readHolder(lock: string) {
  const text = await ifExists(readFile(lock));
  const [, process = "", host = ""] = /^(\d+) (\S+).*\n/.exec(text?.toString() ?? "") ?? [];
  if (host === "") return undefined;
  return { process, host, isGone: host === hostname() && !isRunning(Number(process)) };
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/**
 * Removes the lock of a process that is gone. One run at a time does it, and reads the lock again
 * first: another run may have made a new one.
 */
async function removeLeftover(lock: string): Promise<void> {
  const guard = `${lock}.leftover`;
  if (!(await create(guard, ""))) return;
  await withTemporary(guard, async () => {
    if ((await readHolder(lock))?.isGone) rmSync(lock, { force: true });
  });
}
