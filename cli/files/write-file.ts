import { rmSync, type Stats } from "node:fs";
import { lstat, mkdir, open, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { posixQuote } from "../../src/text.ts";
import { CliError, getErrorCode, ignoreMissingFile, UsageError } from "../cli-error.ts";
import { decodeExactly, readFile } from "./read-file.ts";

export interface ReplaceOptions {
  /** The text may hold a secret: a new file is for its owner alone. */
  readonly isSecret?: boolean;
  /** Runs right before the replacement and rejects when the existing content must stay. */
  readonly approve?: ((existing: string) => Promise<void>) | undefined;
}

export interface Replaced {
  /** True if the file existed and users other than its owner can read it. */
  readonly readableByOthers: boolean;
}

/** Replaces the file's content as a whole, or leaves it unchanged. */
export async function replaceFile(
  path: string,
  text: string,
  { isSecret, approve }: ReplaceOptions,
): Promise<Replaced> {
  const existing = await ignoreMissingFile(stat(path));
  if (existing && !existing.isFile()) {
    // A device or a pipe is written to directly; a directory rejects that.
    await writeFile(path, text);
    return { readableByOthers: false };
  }
  const target = await realPath(path);
  if (!existing && !(await ignoreMissingFile(stat(dirname(target))))) {
    const folder = posixQuote(relative("", dirname(target)));
    throw new CliError([`${path}: its folder does not exist; make it first: mkdir -p ${folder}`]);
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
 * Changes a text file that other programs write too. Another run of this program waits, and changes
 * that another program makes meanwhile are not lost.
 *
 * @param edit gives the new text for the old one, which is "" without a file. It may run again.
 * @throws {UsageError} for a file that is too large, not UTF-8, or a device.
 * @throws {CliError} when another program or run keeps it from being changed.
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
        const now = await ignoreMissingFile(readFile(target));
        return decodeExactly(path, now) === oldText;
      });
      if (isDone) return { readableByOthers: isReadableByOthers(existing) };
    }
    throw new CliError([`${path}: another program keeps changing it; close that program first`]);
  });

const MAX_ATTEMPTS = 5;

/**
 * Does work on a file while no other run does. A file beside it is the lock; signals remove it too.
 *
 * @param work is given the file's real path, whose folder exists.
 * @throws {CliError} when another run keeps the lock, or was killed before it could remove it.
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
        `${path}: another run of handtools is changing it; try again, or remove ${lock} if there is none`,
      ]);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS * (1 + Math.random())));
  }
  return withTemporary(lock, () => work(target));
}

const FILE_LOCK_TIMEOUT_MS = 10_000;

const LOCK_POLL_MS = 10;

/** False if another run has it. */
async function createLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx", mode: FOR_OWNER.mode });
    return true;
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A rename would also replace a file that its owner has made read-only. */
const requireWritable = async (file: string): Promise<void> => (await open(file, "r+")).close();

/** The rights of a file; without an owner it belongs to the user who writes it. */
interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

const FOR_OWNER: Rights = { mode: 0o600 };

/** False on Windows, whose modes say nothing. */
const isReadableByOthers = (file: Rights | undefined): boolean =>
  file !== undefined && process.platform !== "win32" && (file.mode & 0o044) !== 0;

/**
 * Writes a file beside the target and renames it, so that the target is never half written.
 *
 * @param rights of the new file; without them it follows the umask.
 * @param approve runs right before the rename: false, or an error, leaves the target as it is.
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

/** Writes a file that does not exist yet. */
async function writeNew(
  path: string,
  content: string | Uint8Array,
  rights: Rights | undefined,
): Promise<void> {
  // Nobody else may read the content before the file has its rights.
  const file = await open(path, "wx", rights ? FOR_OWNER.mode : undefined);
  try {
    await file.writeFile(content);
    if (rights) {
      const { uid, gid } = await file.stat();
      const owner = { uid, gid, ...rights };
      if (owner.uid !== uid || owner.gid !== gid) await file.chown(owner.uid, owner.gid);
      // The mode comes after the owner, because a change of owner clears bits of the mode.
      await file.chmod(rights.mode & 0o7777);
    }
    // Without a sync, a power cut after the rename can leave an empty file.
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Does work that needs a file. The file is removed after it, and by a signal that ends the process. */
async function withTemporary<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  const remove = () => {
    rmSync(file, { force: true });
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    remove();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The absolute path behind all links. The file and the folders that hold it need not exist.
 *
 * Rejects with EACCES where another user has put the file, or a link to it, into a folder that
 * everyone may write to, such as /tmp: so does Linux with `fs.protected_symlinks` and
 * `fs.protected_regular`.
 */
export async function realPath(path: string): Promise<string> {
  // The system rejects links that lead in a circle.
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
