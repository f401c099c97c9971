import { lstat, open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "./errors.ts";

/** Replaces the file's content as a whole, or leaves it unchanged. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const existing = await ifExists(stat(path));
  // A device or a pipe takes the text itself; a directory refuses it.
  if (existing && !existing.isFile()) return writeFile(path, text);
  const target = await followLinks(path);
  // A rename would also replace a file that its owner has made read-only.
  if (existing) await (await open(target, "r+")).close();
  await renameOver(target, text, existing?.mode);
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

async function renameOver(target: string, text: string, mode: number | undefined): Promise<void> {
  const temporary = join(dirname(target), `.handtools-${crypto.randomUUID()}`);
  const file = await open(temporary, "wx");
  try {
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
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
