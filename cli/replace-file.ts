import {
  type FileHandle,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "./errors.ts";

export interface ReplaceOptions {
  /** The text may hold a secret: a new file is for its owner alone. */
  readonly secret: boolean;
  /** Rejects when the existing content must stay. */
  approve?(existing: Uint8Array): Promise<void>;
}

export interface Replaced {
  /** Whether the file existed and users other than its owner can read it. */
  readonly readableByOthers: boolean;
}

/** Replaces the file's content as a whole, or leaves it unchanged. */
export async function replaceFile(
  path: string,
  text: string,
  { secret, approve }: ReplaceOptions,
): Promise<Replaced> {
  const existing = await ifExists(stat(path));
  if (existing && !existing.isFile()) {
    // A device or a pipe takes the text itself; a directory refuses it.
    await writeFile(path, text);
    return { readableByOthers: false };
  }
  const target = await followLinks(path);
  if (existing) {
    // A rename would also replace a file that its owner has made read-only.
    await (await open(target, "r+")).close();
    await approve?.(await readFile(target));
  }
  await renameOver(target, text, existing ?? (secret ? FOR_OWNER : undefined));
  return { readableByOthers: existing !== undefined && isReadableByOthers(existing) };
}

async function ifExists<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The file behind symbolic links, which stay. It need not exist yet. */
async function followLinks(path: string): Promise<string> {
  const found = await ifExists(lstat(path));
  if (!found?.isSymbolicLink()) return path;
  return followLinks(resolve(await realpath(dirname(path)), await readlink(path)));
}

/** The rights of a file; without an owner it belongs to who writes it. */
interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

const FOR_OWNER: Rights = { mode: 0o600 };

/** @param rights of the new file; without them it follows the umask. */
async function renameOver(target: string, text: string, rights: Rights | undefined): Promise<void> {
  const temporary = join(dirname(target), `.handtools-${crypto.randomUUID()}`);
  // Nobody else may read the text before the file has its rights.
  const file = await open(temporary, "wx", rights ? FOR_OWNER.mode : undefined);
  try {
    try {
      await file.writeFile(text);
      if (rights) await setRights(file, rights);
      // Without it a power cut after the rename can leave an empty file.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function setRights(file: FileHandle, { mode, uid, gid }: Rights): Promise<void> {
  const own = await file.stat();
  const owner = { uid: uid ?? own.uid, gid: gid ?? own.gid };
  if (owner.uid !== own.uid || owner.gid !== own.gid) await file.chown(owner.uid, owner.gid);
  // After the owner, because a change of owner clears bits of the mode.
  await file.chmod(mode & 0o7777);
}

/** Windows has no such bits. */
const isReadableByOthers = ({ mode }: Rights): boolean =>
  process.platform !== "win32" && (mode & 0o044) !== 0;
