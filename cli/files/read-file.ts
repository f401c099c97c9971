import { closeSync, fstatSync, openSync, read, statSync } from "node:fs";
import { decodeText, isZip } from "../../src/text.ts";
import { getErrorCode, UsageError } from "../cli-error.ts";

/**
 * Reads a file, a pipe or a device. A stream can be read only once, so later calls get the same bytes.
 *
 * @param limit in bytes.
 * @throws {UsageError} if it is larger than the limit.
 */
export async function readFile(path: string, limit: number = MAX_INPUT_BYTES): Promise<Uint8Array> {
  const name = isStandardInput(path) ? "-" : path;
  const earlier = streams.get(name);
  if (earlier) return earlier;
  const { isFile, chunks } = openSource(path);
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) {
      throw new UsageError([`${sourceName(path)}: is larger than ${limit / MIB} MiB`]);
    }
    read.push(chunk);
  }
  const bytes = Buffer.concat(read);
  if (!isFile) streams.set(name, bytes);
  return bytes;
}

/** Reads a file that we will rewrite. A pipe without a writer would never end. */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  if (statSync(path).isFIFO()) throw new UsageError([`${path}: must be a regular file`]);
  return await readFile(path);
}

const MIB = 1024 * 1024;

/** A Gmail export with 10,000 filters has about 20 MB. */
const MAX_INPUT_BYTES = 32 * MIB;

const streams = new Map<string, Uint8Array>();

/** Checks the open descriptor, because a path can be replaced. */
function openSource(path: string) {
  const descriptor = isStandardInput(path) ? STANDARD_INPUT : openSync(path, "r");
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = await readSome(descriptor);
        if (chunk.length === 0) return;
        yield chunk;
      }
    } finally {
      if (descriptor !== STANDARD_INPUT) closeSync(descriptor);
    }
  }
  return { isFile: fstatSync(descriptor).isFile(), chunks: chunks() };
}

const CHUNK_BYTES = 256 * 1024;

const STDIN_POLL_MS = 10;

/** @returns the next bytes, or none at the end. */
const readSome = (descriptor: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const attempt = () =>
      read(descriptor, buffer, 0, buffer.length, null, (error, count) => {
        const code = getErrorCode(error);
        // Another program may have set standard input to non-blocking.
        if (code === "EAGAIN") setTimeout(attempt, STDIN_POLL_MS);
        // Windows reports the end of a pipe as an error.
        else if (error && code !== "EOF") reject(error);
        else resolve(buffer.subarray(0, count ?? 0));
      });
    attempt();
  });

export interface FileReader {
  readFile(path: string, limit?: number): Promise<Uint8Array>;
  readFileIfExists(path: string): Promise<Uint8Array | undefined>;
}

/**
 * Reads a file, or standard input for "-", as a string.
 *
 * @param limit in bytes.
 * @throws {UsageError} unless it is UTF-8, or UTF-16 with a byte order mark.
 */
export async function readText(file: string, io: FileReader, limit?: number): Promise<string> {
  const bytes = await io.readFile(file, limit);
  // A ZIP archive gets a better error later.
  const fatal = !isZip(String.fromCharCode(...bytes.subarray(0, 4)));
  return decode(file, () => decodeText(bytes, { fatal }));
}

/**
 * Reads a file that we will rewrite, and keeps its byte order mark; "" without a file.
 *
 * @throws {UsageError} unless it is UTF-8.
 */
export const readTextIfExists = async (path: string, io: FileReader): Promise<string> =>
  decodeExactly(path, await io.readFileIfExists(path));

export const decodeExactly = (path: string, bytes: Uint8Array = new Uint8Array()): string =>
  decode(path, () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));

function decode(file: string, work: () => string): string {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([
      { location: { file: sourceName(file) }, text: "must be saved as UTF-8" },
    ]);
  }
}

/** Whether the path is a name of standard input. */
export const isStandardInput = (path: string): boolean =>
  /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(path);

const STANDARD_INPUT = 0;

export const sourceName = (path: string): string => (path === "-" ? "standard input" : path);
