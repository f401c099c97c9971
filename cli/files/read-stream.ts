import { close, openSync, read } from "node:fs";
import { NotMailError } from "../../src/mail-try/split-mailbox.ts";
import { codeOf, withSystemErrors } from "../errors.ts";
import type { ByteStream } from "../io.ts";
import { isStandardInput, STANDARD_INPUT, sizeOf, sourceName } from "./read-file.ts";

/**
 * Opens a file, or standard input for "-", to be read in constant memory; gzip is unpacked. A chunk
 * is overwritten when the next one is read.
 */
export async function readStream(path: string): Promise<ByteStream> {
  const isStdin = isStandardInput(path);
  const descriptor = isStdin ? STANDARD_INPUT : openSync(path, "r");
  let position = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    try {
      for (;;) {
        const read = readChunk(descriptor, buffer).catch((error) => {
          if (codeOf(error) !== "EISDIR") throw error;
          throw new NotMailError("a folder, in which other programs keep mail");
        });
        const chunk = await withSystemErrors(sourceName(path), read);
        position += chunk.length;
        if (chunk.length === 0) return;
        yield chunk;
      }
    } finally {
      if (!isStdin) close(descriptor, () => {});
    }
  }
  return {
    size: sizeOf(descriptor),
    position: () => position,
    chunks: unpack(chunks(), sourceName(path)),
  };
}

const CHUNK_BYTES = 256 * 1024;

function readChunk(descriptor: number, buffer: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, 0, CHUNK_BYTES, null, (error, count) =>
      error ? reject(error) : resolve(buffer.subarray(0, count)),
    );
  });
}

async function* unpack(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const { value: first, done } = await chunks.next();
  if (done) return;
  async function* all() {
    yield first;
    yield* chunks;
  }
  if (first[0] === 0x1f && first[1] === 0x8b) yield* gunzip(all(), name);
  else yield* all();
}

/** Copies of the chunks, which share a buffer: gunzip reads ahead. */
async function* copyChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}

async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The loop below gets the same error.
  pipeline(Readable.from(copyChunks(chunks)), unzip, () => {});
  const unzipped = unzip[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await withSystemErrors(name, unzipped.next());
    if (done) return;
    yield value;
  }
}
