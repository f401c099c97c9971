import { lstat, open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "./errors.ts";

/** Puts the text in the file's place whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const existing = await ifThere(stat(path));
  // A device or a pipe takes the text itself; a directory refuses it.
  if (existing && !existing.isFile()) return writeFile(path, text);
  const target = await followLinks(path);
  // Renaming would also replace a file that its owner has made read-only.
  if (existing) await (await open(target, "r+")).close();
  await renameOver(target, text, existing?.mode);
}

/** The file that is to be replaced in place of the links to it. It need not be there yet. */
async function followLinks(path: string): Promise<string> {
  const found = await ifThere(lstat(path));
  if (!found?.isSymbolicLink()) return path;
  return followLinks(resolve(await realpath(dirname(path)), await readlink(path)));
}

async function ifThere<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function renameOver(target: string, text: string, mode: number | undefined): Promise<void> {
  const temporary = join(dirname(target), `.handtools-${crypto.randomUUID()}`);
  const file = await open(temporary, "wx");
  try {
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
      // Else a power cut after the renaming could leave an empty file.
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
