import type { Stats } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ifExists } from "../errors.ts";

/**
 * The absolute path behind all links. The file and the folders that hold it need not exist.
 *
 * Rejects with EACCES where another user has put the file, or a link to it, into a folder that
 * everyone may write to, such as /tmp: so does Linux with `fs.protected_symlinks` and
 * `fs.protected_regular`.
 */
export async function realPath(path: string): Promise<string> {
  // The system rejects links that lead in a circle.
  await ifExists(stat(path));
  const absolute = resolve(path);
  const folder = await realFolder(dirname(absolute));
  const entry = await ifExists(lstat(absolute));
  if (entry) requireTrusted(entry, await stat(folder));
  return entry?.isSymbolicLink()
    ? realPath(resolve(folder, await readlink(absolute)))
    : join(folder, basename(absolute));
}

const realFolder = async (path: string): Promise<string> =>
  (await ifExists(realpath(path))) ?? realPath(path);

function requireTrusted(entry: Stats, folder: Stats): void {
  const isShared = (folder.mode & STICKY_AND_SHARED) === STICKY_AND_SHARED;
  if (!isShared || entry.uid === folder.uid || entry.uid === process.geteuid?.()) return;
  throw Object.assign(new Error("another user's file in a shared folder"), { code: "EACCES" });
}

const STICKY_AND_SHARED = 0o1002;
