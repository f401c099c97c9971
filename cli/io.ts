import {
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
import { OutsideFailure } from "./failures.ts";

/** All that the command line touches outside itself. What fails there is an OutsideFailure. */
export interface Io {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly errorIsTerminal: boolean;
  readFile(path: string): Promise<Uint8Array>;
  /** Standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Puts the text in the file's place whole or not at all. */
  replaceFile(path: string, text: string): Promise<void>;
  /** Resolves when standard output has taken the text, or has no reader any more. */
  writeOut(text: string): Promise<void>;
  /** Never fails. */
  writeError(text: string): Promise<void>;
}

/** The process that we run in. */
export function processIo(): Io {
  // A failed write is told to its callback; without a listener it would also end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return {
    environment: process.env,
    errorIsTerminal: process.stderr.isTTY === true,
    readFile: (path) => explained(path, readFile(path)),
    readInput: () => explained("standard input", readInput()),
    replaceFile: (path, text) => explained(path, replaceFile(path, text)),
    writeOut: (text) => explained("standard output", writeOut(text)),
    // When standard error itself is gone, there is nobody left to tell.
    writeError: (text) => write(process.stderr, text).catch(() => undefined),
  };
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function writeOut(text: string): Promise<void> {
  try {
    await write(process.stdout, text);
  } catch (error) {
    // EPIPE: the reader has seen enough, as in "handtools … | head -1". That is its right.
    if (codeOf(error) !== "EPIPE") throw error;
  }
}

/** Resolves when the stream has taken the text. */
const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (text === "") return resolve();
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function replaceFile(path: string, text: string): Promise<void> {
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

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "is closed",
  EFBIG: "the file would grow too large",
  EISDIR: "is a directory",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};

async function explained<Value>(place: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const code = codeOf(error);
    // Without a code it is no answer of the system, but a fault of ours.
    if (code === undefined) throw error;
    throw new OutsideFailure([`${place}: ${REASONS[code] ?? `failed with ${code}`}`]);
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
