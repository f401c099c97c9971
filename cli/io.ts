import { codeOf, explained } from "./errors.ts";

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

/** How a runtime reads and writes. It rejects with the system's own error. */
interface Streams {
  readFile(path: string): Promise<Uint8Array>;
  /** Standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Resolves when standard output has taken the text. */
  writeOut(text: string): Promise<void>;
  /** Resolves when standard error has taken the text. */
  writeError(text: string): Promise<void>;
}

/** Bun's own files: its copy of Node's streams takes twice as long to load as Bun to start. */
const bunStreams: Streams = {
  readFile: (path) => Bun.file(path).bytes(),
  readInput: () => Bun.stdin.bytes(),
  writeOut: (text) => writeBun(Bun.stdout, text),
  writeError: (text) => writeBun(Bun.stderr, text),
};

async function writeBun(stream: Bun.BunFile, text: string): Promise<void> {
  await Bun.write(stream, text);
}

/** Node's streams, which Deno has too. */
const nodeStreams: Streams = {
  async readFile(path) {
    const { readFile } = await import("node:fs/promises");
    return readFile(path);
  },
  async readInput() {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  writeOut: (text) => writeNode(process.stdout, text),
  writeError: (text) => writeNode(process.stderr, text),
};

function writeNode(stream: NodeJS.WriteStream, text: string): Promise<void> {
  // A failed write is told to its callback; without a listener it would also end the process.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The process that we run in. What a run does not use of it is not loaded, so that it starts fast. */
export function processIo(): Io {
  const streams = process.versions.bun === undefined ? nodeStreams : bunStreams;
  return {
    environment: process.env,
    get errorIsTerminal() {
      return process.stderr.isTTY === true;
    },
    readFile: (path) => explained(path, streams.readFile(path)),
    readInput: () => explained("standard input", streams.readInput()),
    async replaceFile(path, text) {
      const { replaceFile } = await import("./replace-file.ts");
      await explained(path, replaceFile(path, text));
    },
    writeOut: (text) => explained("standard output", toReader(streams.writeOut(text))),
    // When standard error itself is gone, there is nobody left to tell.
    writeError: (text) => streams.writeError(text).catch(() => undefined),
  };
}

async function toReader(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    // EPIPE: the reader has seen enough, as in "handtools … | head -1". That is its right.
    if (codeOf(error) !== "EPIPE") throw error;
  }
}
