import type { Streams } from "./streams.ts";

/** Node's streams, which Deno has too. */
export const nodeStreams: Streams = {
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
