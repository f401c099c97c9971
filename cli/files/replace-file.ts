import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { posixQuote } from "../../src/text.ts";
import { ifExists, SystemError, UsageError } from "../errors.ts";
import type { Replaced, ReplaceOptions } from "../io.ts";
import { backupPath } from "./edit-file.ts";
import { readFile } from "./read-file.ts";
import { realPath } from "./real-path.ts";
import { removeOnSignals } from "./remove-on-signals.ts";

/** Replaces the file's content as a whole, or leaves it unchanged. */
export async function replaceFile(
  path: string,
  text: string,
  { isSecret, backup = false, approve }: ReplaceOptions,
): Promise<Replaced> {
  const existing = await ifExists(stat(path));
  if (existing && !existing.isFile()) {
    if (backup) throw new UsageError([`${path}: must be a regular file`]);
    // A device or a pipe is written to directly; a directory rejects that.
    await writeFile(path, text);
    return { readableByOthers: false };
  }
  const target = await realPath(path);
  if (!existing && !backup && !(await ifExists(stat(dirname(target))))) {
    const folder = posixQuote(relative("", dirname(target)));
    throw new SystemError([
      `${path}: its folder does not exist; make it first: mkdir -p ${folder}`,
    ]);
  }
  // A rename would also replace a file that its owner has made read-only.
  if (existing) await (await open(target, "r+")).close();
  else if (backup) await mkdir(dirname(target), { recursive: true });
  const rights = existing ?? (isSecret ? FOR_OWNER : undefined);
  const copy = await renameOver(target, text, rights, async () => {
    if (!approve && !backup) return undefined;
    const content = await ifExists(readFile(target));
    await approve?.(content);
    return backup && content ? writeBackup(target, content, rights) : undefined;
  });
  return {
    readableByOthers: existing !== undefined && isReadableByOthers(existing),
    backup: copy,
  };
}

/** The rights of a file; without an owner it belongs to the user who writes it. */
interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

const FOR_OWNER: Rights = { mode: 0o600 };

/**
 * @param rights of the new file; without them it follows the umask.
 * @param beforeRename stops the replacement when it rejects.
 */
async function renameOver<Value>(
  target: string,
  content: string | Uint8Array,
  rights: Rights | undefined,
  beforeRename: () => Promise<Value>,
): Promise<Value> {
  const temporary = join(dirname(target), `.handtools-${crypto.randomUUID()}`);
  const stopListening = removeOnSignals(temporary);
  try {
    await writeNew(temporary, content, rights);
    const value = await beforeRename();
    await rename(temporary, target);
    return value;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    stopListening();
  }
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
    if (rights) await setRights(file, rights);
    // Without a sync, a power cut after the rename can leave an empty file.
    await file.sync();
  } finally {
    await file.close();
  }
}

async function setRights(file: FileHandle, { mode, uid, gid }: Rights): Promise<void> {
  const created = await file.stat();
  const owner = { uid: uid ?? created.uid, gid: gid ?? created.gid };
  if (owner.uid !== created.uid || owner.gid !== created.gid)
    await file.chown(owner.uid, owner.gid);
  // The mode comes after the owner, because a change of owner clears bits of the mode.
  await file.chmod(mode & 0o7777);
}

/** False on Windows, whose modes say nothing. */
const isReadableByOthers = ({ mode }: Rights): boolean =>
  process.platform !== "win32" && (mode & 0o044) !== 0;

/**
 * Keeps the content beside the file, for its owner alone: it may hold secrets that the file has no
 * more. An older backup is overwritten.
 */
async function writeBackup(
  target: string,
  content: Uint8Array,
  rights: Rights | undefined,
): Promise<string> {
  const path = backupPath(target);
  await renameOver(path, content, { ...rights, ...FOR_OWNER }, async () => undefined);
  return path;
}
