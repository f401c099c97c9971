import { rmSync, type Stats } from "node:fs";
import { lstat, mkdir, open, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { posixQuote } from "../../src/text.ts";
import { CliError, getErrorCode, ignoreMissingFile, UsageError } from "../cli-error.ts";
import { decodeExactly, readFile } from "./read-file.ts";

export interface ReplaceOptions {
  /** The content may be secret, so a new file is readable only by its owner. */
  readonly isSecret?: boolean;
  /** Runs right before the replacement, and rejects if the existing content must stay. */
  readonly approve?: ((existing: string) => Promise<void>) | undefined;
}

export interface Replaced {
  /** Whether the file existed and other users can read it. */
  readonly readableByOthers: boolean;
}

/** Replaces the file's content entirely, or leaves it unchanged. */
export async function replaceFile(
  path: string,
  text: string,
  { isSecret, approve }: ReplaceOptions,
): Promise<Replaced> {
  const existing = await ignoreMissingFile(stat(path));
  if (existing && !existing.isFile()) {
    // Write straight to a device or pipe. For a directory, this fails.
    await writeFile(path, text);
    return { readableByOthers: false };
  }
  const target = await realPath(path);
  if (!existing && !(await ignoreMissingFile(stat(dirname(target))))) {
    const folder = posixQuote(relative("", dirname(target)));
    throw new CliError([
      `${path}: must be in an existing directory; create it: mkdir -p ${folder}`,
    ]);
  }
  if (existing) await requireWritable(target);
  const rights = existing ?? (isSecret ? FOR_OWNER : undefined);
  await renameOver(target, text, rights, async () => {
    const bytes = approve && (await ignoreMissingFile(readFile(target)));
    if (bytes) await approve(new TextDecoder().decode(bytes));
    return true;
  });
  return { readableByOthers: isReadableByOthers(existing) };
}

/**
 * Edits a file that other programs also write. Concurrent runs take turns, and concurrent changes by
 * other programs are kept.
 *
 * @param edit returns the new content for the old, which is "" without a file. It may run again.
 * @throws {UsageError} for a file that is too large, not UTF-8, or a device.
 * @throws {CliError} if another program or run blocks the edit.
 */
export const editFile = (path: string, edit: (text: string) => string): Promise<Replaced> =>
  whileLocked(path, async (target) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const oldText = decodeExactly(path, await ignoreMissingFile(readFile(path)));
      const text = edit(oldText);
      if (text === oldText) return { readableByOthers: false };
      const existing = await ignoreMissingFile(stat(target));
      if (existing && !existing.isFile()) throw new UsageError([`${path}: must be a regular file`]);
      if (existing) await requireWritable(target);
      const isDone = await renameOver(target, text, existing ?? FOR_OWNER, async () => {
        const bytes = await ignoreMissingFile(readFile(target));
        return decodeExactly(path, bytes) === oldText;
      });
      if (isDone) return { readableByOthers: isReadableByOthers(existing) };
    }
    throw new CliError([`${path}: another program keeps changing it; close that program first`]);
  });

const MAX_ATTEMPTS = 5;

/**
 * Works on a file under a lock, which is a file beside it. Signals remove the lock too.
 *
 * @param work gets the file's real path, whose directory exists.
 * @throws {CliError} if another run keeps the lock, or was killed without removing it.
 */
export async function whileLocked<Value>(
  path: string,
  work: (target: string) => Promise<Value>,
  timeout: number = FILE_LOCK_TIMEOUT_MS,
): Promise<Value> {
  const target = await realPath(path);
  const lock = join(dirname(target), `.${basename(target)}.handtools.lock`);
  await mkdir(dirname(lock), { recursive: true });
  const deadline = Date.now() + timeout;
  while (!(await createLock(lock))) {
    if (Date.now() > deadline) {
      throw new CliError([
        `${path}: another run of handtools is changing it; try again. If there is none, remove ${lock}`,
      ]);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS * (1 + Math.random())));
  }
  return withTemporary(lock, () => work(target));
}

const FILE_LOCK_TIMEOUT_MS = 10_000;

const LOCK_POLL_MS = 10;

/** @returns false if another run has it. */
async function createLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx", mode: FOR_OWNER.mode });
    return true;
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A rename would even replace a read-only file. */
const requireWritable = async (file: string): Promise<void> => (await open(file, "r+")).close();

/** Without an owner, the file belongs to the current user. */
interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

const FOR_OWNER: Rights = { mode: 0o600 };

/** Always false on Windows, where modes mean nothing. */
const isReadableByOthers = (file: Rights | undefined): boolean =>
  file !== undefined && process.platform !== "win32" && (file.mode & 0o044) !== 0;

/**
 * Writes a file beside the target and renames it, so the target is never incomplete.
 *
 * @param rights of the new file; the default follows the umask.
 * @param approve runs right before the rename. False or an error leaves the target unchanged.
 */
async function renameOver(
  target: string,
  content: string | Uint8Array,
  rights: Rights | undefined,
  approve: () => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(target), `.handtools-${crypto.randomUUID()}`);
  return withTemporary(temporary, async () => {
    await writeNew(temporary, content, rights);
    const isApproved = await approve();
    if (isApproved) await rename(temporary, target);
    return isApproved;
  });
}

async function writeNew(
  path: string,
  content: string | Uint8Array,
  rights: Rights | undefined,
): Promise<void> {
  // Private until the file has its final rights.
  const file = await open(path, "wx", rights ? FOR_OWNER.mode : undefined);
  try {
    await file.writeFile(content);
    if (rights) {
      const { uid, gid } = await file.stat();
      const owner = { uid, gid, ...rights };
      if (owner.uid !== uid || owner.gid !== gid) await file.chown(owner.uid, owner.gid);
      // After the owner, because a change of owner clears bits of the mode.
      await file.chmod(rights.mode & 0o7777);
    }
    // Otherwise a power cut after the rename can leave an empty file.
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the file after the work, or when a signal ends the process. */
async function withTemporary<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  const remove = () => {
    rmSync(file, { force: true });
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    remove();
  }
}

const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves all links to an absolute path. The file and its directories need not exist.
 *
 * Rejects with EACCES if another user has put the file, or a link to it, into a shared directory such
 * as /tmp. Linux does the same with `fs.protected_symlinks` and `fs.protected_regular`.
 */
export async function realPath(path: string): Promise<string> {
  // Rejects circular links.
  await ignoreMissingFile(stat(path));
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const folder = (await ignoreMissingFile(realpath(parent))) ?? (await realPath(parent));
  const entry = await ignoreMissingFile(lstat(absolute));
  if (entry) requireTrusted(entry, await stat(folder));
  return entry?.isSymbolicLink()
    ? realPath(resolve(folder, await readlink(absolute)))
    : join(folder, basename(absolute));
}

function requireTrusted(entry: Stats, folder: Stats): void {
  const isShared = (folder.mode & STICKY_AND_SHARED) === STICKY_AND_SHARED;
  if (!isShared || entry.uid === folder.uid || entry.uid === process.geteuid?.()) return;
  throw Object.assign(new Error("another user's file in a shared folder"), { code: "EACCES" });
}

const STICKY_AND_SHARED = 0o1002;
