import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { codeOf, ifExists, SystemError } from "../errors.ts";
import { readFile } from "./read-file.ts";
import { realPath } from "./real-path.ts";
import { removeOnSignals } from "./remove-on-signals.ts";

/**
 * Does work on a file while no other run does. The lock is a file with the process and its host; it
 * is removed on signals too, and taken over from a process that has ended without removing it.
 *
 * @throws {SystemError} when another run keeps the lock.
 */
export async function whileLocked<Value>(
  path: string,
  work: () => Promise<Value>,
  timeout: number = LOCK_TIMEOUT_MS,
): Promise<Value> {
  const target = await realPath(path);
  const lock = join(dirname(target), `.${basename(target)}.handtools.lock`);
  await mkdir(dirname(lock), { recursive: true });
  const deadline = Date.now() + timeout;
  while (!(await acquire(lock))) {
    const holder = await readHolder(lock);
    if (holder?.isGone) await removeLeftover(lock);
    else if (Date.now() > deadline) {
      const by = holder ? ` (process ${holder.process} on ${holder.host})` : "";
      throw new SystemError([
        `${path}: another run of handtools is changing it${by}; try again, or remove ${lock} if there is none`,
      ]);
    } else await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
  }
  const stopListening = removeOnSignals(lock);
  try {
    return await work();
  } finally {
    stopListening();
    rmSync(lock, { force: true });
  }
}

const LOCK_TIMEOUT_MS = 30_000;

const POLL_MS = 10;

/** Creates the lock; false if another run has it. */
async function acquire(lock: string): Promise<boolean> {
  const owner = `${process.pid} ${hostname()} ${randomUUID()}\n`;
  if (!(await create(lock, owner))) return false;
  // A run that has seen the leftover lock may now remove this new one in its place.
  while (await isRemoving(lock)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return (await ifExists(readFile(lock)))?.toString() === owner;
}

/** Creates a file with a text; false if it exists. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The process that holds a lock; undefined if the lock is gone, or not written yet. */
async function readHolder(lock: string) {
  const text = await ifExists(readFile(lock));
  const [, process = "", host = ""] = /^(\d+) (\S+)(?: \S+)?\n$/.exec(text?.toString() ?? "") ?? [];
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
  if ((await isRemoving(lock)) || !(await create(guardPath(lock), ""))) return;
  try {
    if ((await readHolder(lock))?.isGone) rmSync(lock, { force: true });
  } finally {
    rmSync(guardPath(lock), { force: true });
  }
}

/** True while a run removes a leftover. The guard of one that was killed meanwhile is removed. */
async function isRemoving(lock: string): Promise<boolean> {
  const guard = await ifExists(stat(guardPath(lock)));
  if (!guard) return false;
  if (Date.now() - guard.mtimeMs <= LOCK_TIMEOUT_MS) return true;
  rmSync(guardPath(lock), { force: true });
  return false;
}

const guardPath = (lock: string): string => `${lock}.leftover`;
