import { realpathSync } from "node:fs";
import { codeOf, ifExists, withSystemErrors } from "./errors.ts";
import { isStandardInput, readFile, readStream, STANDARD_INPUT, sourceName } from "./files/read.ts";
import type { Io } from "./io.ts";

/** The current process. Modules load on first use, which keeps the start fast. */
export function processIo(): Io {
  const write = process.versions.bun === undefined ? writeNode : writeBun;
  return {
    reporting: { flags: {}, warningCount: 0 },
    environment: process.env,
    today: () => new Date().toISOString().slice(0, 10),
    platform: process.platform,
    get ownWords() {
      const isDeno = process.versions.deno !== undefined;
      const main = realpathSync(process.argv[1] ?? "");
      return [process.execPath, ...(isDeno ? ["run", "-A"] : []), main];
    },
    get outIsTerminal() {
      return process.stdout.isTTY === true;
    },
    get outColumns() {
      return process.stdout.isTTY === true ? process.stdout.columns : undefined;
    },
    get errorIsTerminal() {
      return process.stderr.isTTY === true;
    },
    readFile: (path, limit) => withSystemErrors(sourceName(path), readFile(path, limit)),
    readFileIfExists: (path) => withSystemErrors(path, ifExists(readFile(path))),
    readStream: (path) => withSystemErrors(sourceName(path), readStream(path)),
    exists: async (path) => (await import("node:fs")).existsSync(path),
    async realPath(path) {
      const { realPath } = await import("./files/replace.ts");
      return withSystemErrors(path, realPath(path));
    },
    async isSameFile(one, other) {
      const ids = await Promise.all([one, other].map(fileId));
      return ids[0] !== undefined && ids[0] === ids[1];
    },
    async replaceFile(path, text, options) {
      const { replaceFile } = await import("./files/replace.ts");
      return withSystemErrors(path, replaceFile(path, text, options));
    },
    async editFile(path, edit) {
      const { editFile } = await import("./files/edit.ts");
      return withSystemErrors(path, editFile(path, edit));
    },
    async runProgram(program, words) {
      const { runProgram } = await import("./spawn.ts");
      return withSystemErrors(program, runProgram(program, words));
    },
    writeOut: (text) =>
      withSystemErrors("standard output", ignoringClosedPipe(write("stdout", text))),
    // When standard error itself is closed, there is nowhere left to report it.
    writeError: (text) => write("stderr", text).catch(() => undefined),
  };
}

/** The identity of a file under all its names; undefined for a device, and without a file. */
async function fileId(path: string): Promise<string | undefined> {
  const { fstatSync, statSync } = await import("node:fs");
  try {
    const options = { bigint: true } as const;
    const file = isStandardInput(path)
      ? fstatSync(STANDARD_INPUT, options)
      : statSync(path, options);
    return file.isFile() ? `${file.dev}:${file.ino}` : undefined;
  } catch (error) {
    // Reading or writing it will report what is wrong.
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Writes to a stream of the process. It rejects with the system's own error. */
type Write = (name: "stdout" | "stderr", text: string) => Promise<void>;

/** By Bun's own files: loading Bun's copy of Node's streams takes twice as long as starting Bun. */
const writeBun: Write = async (name, text) => {
  // Bun empties the file that a stream is redirected to when it writes nothing to it.
  if (text !== "") await Bun.write(Bun[name], text);
};

/** By Node's streams, which Deno has too. */
const writeNode: Write = (name, text) => {
  const stream = process[name];
  // A failed write also emits "error", which ends the process when nothing listens.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
};

/** EPIPE is not an error: the reader has read enough, as in "handtools … | head -1". */
async function ignoringClosedPipe(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (codeOf(error) !== "EPIPE") throw error;
  }
}
