import { closeSync, fstatSync, openSync, read } from "node:fs";
import { decodeText, isZip } from "../../src/text.ts";
import { codeOf, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/**
 * Reads a file to its end, and a pipe or a device as a stream. Its kind and size are those of the
 * open file, which nothing can replace. A stream can be read once only: later calls get the same bytes.
 *
 * @param limit in bytes.
 * @throws {UsageError} when it is larger than the limit.
 */
export async function readFile(path: string, limit: number = MAX_BYTES): Promise<Uint8Array> {
  const isStdin = isStandardInput(path);
  const stream = isStdin ? "-" : path;
  const earlier = streams.get(stream);
  if (earlier) return earlier;
  const descriptor = isStdin ? STANDARD_INPUT : openSync(path, "r");
  try {
    const status = fstatSync(descriptor);
    const size = status.isFile() ? status.size : 0;
    requireWithin(limit, size, path);
    const bytes = await readUpTo(limit + 1, descriptor, size);
    requireWithin(limit, bytes.length, path);
    if (!status.isFile()) streams.set(stream, bytes);
    return bytes;
  } finally {
    if (!isStdin) closeSync(descriptor);
  }
}

/**
 * Reads a text file, or standard input for "-".
 *
 * @param limit in bytes.
 * @throws {UsageError} when it is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export async function readText(
  file: string,
  io: Pick<Io, "readFile">,
  limit?: number,
): Promise<string> {
  const bytes = await io.readFile(file, limit);
  // A ZIP archive passes: its parser says which file of it to unpack.
  const fatal = !isZip(String.fromCharCode(...bytes.subarray(0, 4)));
  try {
    return decodeText(bytes, { fatal });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([{ place: { file: sourceName(file) }, text: "must be saved as UTF-8" }]);
  }
}

/** True for standard input under any of its names. */
export const isStandardInput = (path: string): boolean =>
  /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(path);

export const sourceName = (path: string): string => (path === "-" ? "standard input" : path);

/** A file that the command line names, and the name of its argument or flag in messages. */
export interface NamedFile {
  readonly label: string;
  readonly file: string;
}

/** @throws {UsageError} for an empty path, and when standard input is to be read twice. */
export function requireReadable(files: readonly NamedFile[]): void {
  files.forEach(({ label, file }, index) => {
    if (file === "") throw new UsageError([`${label}: must not be empty`]);
    if (isStandardInput(file) && files.findIndex((other) => isStandardInput(other.file)) < index) {
      throw new UsageError([`${label}: standard input is already used; give a file`]);
    }
  });
}

/** The size of an open file in bytes; undefined for a pipe or a device. */
export function sizeOf(descriptor: number): number | undefined {
  const status = fstatSync(descriptor);
  return status.isFile() ? status.size : undefined;
}

const MIB = 1024 * 1024;

/** An export of Gmail with 10,000 filters has about 20 MB. */
const MAX_BYTES = 32 * MIB;

export const STANDARD_INPUT = 0;

const streams = new Map<string, Uint8Array>();

function requireWithin(limit: number, size: number, path: string): void {
  if (size > limit)
    throw new UsageError([`${sourceName(path)}: is larger than ${limit / MIB} MiB`]);
}

/**
 * Reads up to the end, or up to the given number of bytes.
 *
 * @param size the expected number of bytes, if known.
 */
async function readUpTo(count: number, descriptor: number, size: number): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(Math.min(Math.max(size + 1, PIPE_BYTES), count));
  let length = 0;
  while (length < count) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, count));
    const added = await readSome(descriptor, buffer, length);
    if (added === 0) break;
    length += added ?? 0;
    // A program that had standard input before may have set it to return without waiting.
    if (added === undefined) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return buffer.subarray(0, length);
}

const PIPE_BYTES = 64 * 1024;

const POLL_MS = 10;

/** The number of bytes read: 0 at the end, undefined when there is nothing to read yet. */
function readSome(descriptor: number, buffer: Buffer, start: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, start, buffer.length - start, null, (error, count) => {
      const code = codeOf(error);
      if (!error) resolve(count);
      else if (code === "EAGAIN") resolve(undefined);
      // Windows reports the end of a pipe as an error.
      else if (code === "EOF") resolve(0);
      else reject(error);
    });
  });
}
