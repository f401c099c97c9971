import { bunStreams } from "./bun-streams.ts";
import type { Io } from "./io.ts";
import { nodeStreams } from "./node-streams.ts";
import { codeOf, explained } from "./system-failure.ts";

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
