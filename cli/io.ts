import { existsSync, realpathSync, statSync } from "node:fs";
import { getErrorCode, ignoreMissingFile, withSystemErrors } from "./cli-error.ts";
import { isStandardInput, readFile, sourceName } from "./files/read-file.ts";
import type { ReplaceOptions } from "./files/write-file.ts";

/** The outside world of the command line, as the process has it. Its work rejects with a CliError. */
export type Io = ReturnType<typeof processIo>;

/** The flags that many commands have. */
export interface CommonFlags {
  readonly json?: true;
  readonly output?: string;
  readonly check?: true;
  readonly strict?: true;
  readonly quiet?: true;
  readonly reporter?: "text" | "github" | "json";
}

/** The current process. Modules load on first use, which keeps the start fast. */
export function processIo() {
  const environment: Readonly<Record<string, string | undefined>> = process.env;
  /** The flags of the command, which say how messages are reported, and the warnings so far. */
  const reporting: { flags: CommonFlags; warningCount: number } = { flags: {}, warningCount: 0 };
  const write = process.versions.bun === undefined ? writeNode : writeBun;
  return {
    reporting,
    environment,
    get outIsTerminal(): boolean {
      return process.stdout.isTTY === true;
    },
    /** The width of the terminal that standard output is; undefined for a file or a pipe. */
    get outColumns(): number | undefined {
      return process.stdout.isTTY === true ? process.stdout.columns : undefined;
    },
    get errorIsTerminal(): boolean {
      return process.stderr.isTTY === true;
    },
    /** The words that start this program, by absolute paths. */
    get ownWords(): readonly string[] {
      const isDeno = process.versions.deno !== undefined;
      const main = realpathSync(process.argv[1] ?? "");
      return [process.execPath, ...(isDeno ? ["run", "-A"] : []), main];
    },
    /** The day in UTC, in ISO 8601. */
    today: () => new Date().toISOString().slice(0, 10),
    /** The operating system, as Node names it. */
    platform: process.platform as string,
    /**
     * Reads a file, a pipe or a device; "-" is standard input.
     *
     * @param limit in bytes.
     */
    readFile: (path: string, limit?: number) =>
      withSystemErrors(sourceName(path), readFile(path, limit)),
    readFileIfExists: (path: string) => withSystemErrors(path, ignoreMissingFile(readFile(path))),
    /** True for a file or a folder that is there. */
    exists: async (path: string) => existsSync(path),
    /** The absolute path behind all links. The file need not exist. */
    async realPath(path: string) {
      const { realPath } = await import("./files/write-file.ts");
      return withSystemErrors(path, realPath(path));
    },
    /** True if both paths lead to the same existing file; "-" is the file behind standard input. */
    async isSameFile(one: string, other: string) {
      const read = (path: string) => withSystemErrors(path, fileStatus(path));
      const [file, same] = [await read(one), await read(other)];
      return file?.isFile() === true && file.dev === same?.dev && file.ino === same.ino;
    },
    /** Replaces the file's content as a whole, or leaves it unchanged. */
    async replaceFile(path: string, text: string, options: ReplaceOptions) {
      const { replaceFile } = await import("./files/write-file.ts");
      return withSystemErrors(path, replaceFile(path, text, options));
    },
    /**
     * Changes a text file that other programs write too, and keeps the old one under another name.
     *
     * @param edit gives the new text for the old one, which is "" without a file. It may run again.
     */
    async editFile(path: string, edit: (text: string) => string) {
      const { editFile } = await import("./files/write-file.ts");
      return withSystemErrors(path, editFile(path, edit));
    },
    /** Asks on the terminal and returns the line typed there; undefined where nobody can answer. */
    async ask(question: string): Promise<string | undefined> {
      if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
      const { createInterface } = await import("node:readline/promises");
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("no")));
      const answer = await Promise.race([terminal.question(question), ended]);
      terminal.close();
      return answer;
    },
    async runProgram(program: string, words: readonly string[]) {
      const { runProgram } = await import("./run-on-bun.ts");
      return withSystemErrors(program, runProgram(program, words));
    },
    /** Resolves when the text is written, or standard output has no reader any more. */
    writeOut: (text: string) =>
      withSystemErrors("standard output", ignoringClosedPipe(write("stdout", text))),
    /** Never rejects: when standard error itself is closed, there is nowhere left to report it. */
    writeError: (text: string) => write("stderr", text).catch(() => undefined),
  };
}

const fileStatus = async (path: string) =>
  statSync(isStandardInput(path) ? "/dev/stdin" : path, { bigint: true, throwIfNoEntry: false });

/** Writes to a stream of the process. It rejects with the system's own error. */
type WriteStream = (name: "stdout" | "stderr", text: string) => Promise<void>;

/** By Bun's own files: loading Bun's copy of Node's streams takes twice as long as starting Bun. */
const writeBun: WriteStream = async (name, text) => {
  // Bun empties the file that a stream is redirected to when it writes nothing to it.
  if (text !== "") await Bun.write(Bun[name], text);
};

/** By Node's streams, which Deno has too. */
const writeNode: WriteStream = (name, text) => {
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
    if (getErrorCode(error) !== "EPIPE") throw error;
  }
}
