import { CliError, SystemError, UsageError } from "../errors.ts";
import type { Io, Replaced } from "../io.ts";

/**
 * Changes a text file that other programs write too, and keeps its old text at `backupPath`. Another
 * run of this program waits, and changes that another program makes meanwhile are not lost.
 *
 * @param edit gives the new text for the old one, which is "" without a file. It may run again.
 * @throws {UsageError} for a file that is too large or not UTF-8.
 * @throws {SystemError} when it cannot be read or written.
 */
export const editFile = (path: string, edit: Edit, io: Io): Promise<Replaced> =>
  io.whileLocked(path, () => editLocked(path, edit, io));

type Edit = (text: string) => string;

async function editLocked(path: string, edit: Edit, io: Io): Promise<Replaced> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await io.readFileIfExists(path, MAX_BYTES);
    const oldText = decode(path, before);
    const text = edit(oldText);
    if (text === oldText) return { readableByOthers: false };
    try {
      return await io.replaceFile(path, text, {
        isSecret: true,
        backup: true,
        async approve(existing) {
          if (!isSame(before, existing)) throw new ChangedMeanwhile();
        },
      });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
  throw new SystemError([`${path}: another program keeps changing it; close that program first`]);
}

const MAX_ATTEMPTS = 5;

/** Where the old text of an edited file stays. */
export const backupPath = (path: string): string => `${path}.handtools.bak`;

/** The text of the file before its last edit; undefined where it cannot be read any more. */
export async function readBackup(path: string, io: Io): Promise<string | undefined> {
  try {
    const bytes = await io.readFileIfExists(backupPath(path), MAX_BYTES);
    return bytes && decode(path, bytes);
  } catch (error) {
    // A backup is of use, but nothing depends on it.
    if (!(error instanceof CliError)) throw error;
    return undefined;
  }
}

/**
 * The text of a file that is to be edited, with its byte order mark; "" without a file.
 *
 * @throws {UsageError} when it is too large or not UTF-8.
 */
export const readEditable = async (path: string, io: Io): Promise<string> =>
  decode(path, await io.readFileIfExists(path, MAX_BYTES));

const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file of any size that is only read: Claude Code's state grows without end.
 *
 * @throws {UsageError} when it is not UTF-8.
 */
export const readTextIfExists = async (path: string, io: Io): Promise<string> =>
  decode(path, await io.readFileIfExists(path));

function decode(path: string, bytes: Uint8Array = new Uint8Array()): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([`${path}: must be saved as UTF-8`]);
  }
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one && other ? Buffer.compare(one, other) === 0 : one === other;

class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}
