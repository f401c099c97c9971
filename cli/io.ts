import { existsSync, realpathSync, statSync } from "node:fs";
import { getErrorCode, ignoreMissingFile, withSystemErrors } from "./cli-error.ts";
import { isStandardInput, readFile, readRegularFile, sourceName } from "./files/read-file.ts";
import type { ReplaceOptions } from "./files/write-file.ts";

/** The command line's access to the outside world. Its promises reject with a CliError. */
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

/** Modules load on first use, to start fast. */
export function processIo() {
  const environment: Readonly<Record<string, string | undefined>> = process.env;
  /** The flags of the command, for the format of diagnostics, and the warnings so far. */
  const reporting: { flags: CommonFlags; warningCount: number } = { flags: {}, warningCount: 0 };
  const write = process.versions.bun === undefined ? writeWithNodeStreams : writeWithBun;
  return {
    reporting,
    environment,
    get outIsTerminal(): boolean {
      return process.stdout.isTTY === true;
    },
    /** The width of the terminal; undefined if standard output is a file or a pipe. */
    get outColumns(): number | undefined {
      return process.stdout.isTTY === true ? process.stdout.columns : undefined;
    },
    get errorIsTerminal(): boolean {
      return process.stderr.isTTY === true;
    },
    /** The command that starts this program, with absolute paths. */
    get ownCommand(): readonly string[] {
      const isDeno = process.versions.deno !== undefined;
      const main = realpathSync(process.argv[1] ?? "");
      return [process.execPath, ...(isDeno ? ["run", "-A"] : []), main];
    },
    /** The day in UTC, in ISO 8601. */
    today: () => new Date().toISOString().slice(0, 10),
    platform: process.platform as string,
    /**
     * Reads a file, a pipe or a device; "-" is standard input.
     *
     * @param limit in bytes.
     */
    readFile: (path: string, limit?: number) =>
      withSystemErrors(sourceName(path), readFile(path, limit)),
    readFileIfExists: (path: string) =>
      withSystemErrors(path, ignoreMissingFile(readRegularFile(path))),
    exists: async (path: string) => existsSync(path),
    /** Resolves all links. The file need not exist. */
    async realPath(path: string) {
      const { realPath } = await import("./files/write-file.ts");
      return withSystemErrors(path, realPath(path));
    },
    /** Whether both paths are the same regular file. "-" is the file behind standard input. */
    async isSameFile(one: string, other: string) {
      const read = (path: string) => withSystemErrors(path, fileStatus(path));
      const [first, second] = [await read(one), await read(other)];
      return first?.isFile() === true && first.dev === second?.dev && first.ino === second.ino;
    },
    async replaceFile(path: string, text: string, options: ReplaceOptions) {
      const { replaceFile } = await import("./files/write-file.ts");
      return withSystemErrors(path, replaceFile(path, text, options));
    },
    async editFile(path: string, edit: (text: string) => string) {
      const { editFile } = await import("./files/write-file.ts");
      return withSystemErrors(path, editFile(path, edit));
    },
    /** Asks on the terminal and returns the line typed there; undefined without a terminal. */
    async ask(question: string): Promise<string | undefined> {
      if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
      const { createInterface } = await import("node:readline/promises");
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("no")));
      const answer = await Promise.race([terminal.question(question), ended]);
      terminal.close();
      return answer;
    },
    async runProgram(program: string, args: readonly string[]) {
      const { runProgram } = await import("./run-on-bun.ts");
      return withSystemErrors(program, runProgram(program, args));
    },
    /** Ignores a closed pipe: the reader has read enough, as in "handtools … | head -1". */
    writeOut: (text: string) =>
      withSystemErrors("standard output", ignoreClosedPipe(write("stdout", text))),
    /** Never rejects, because there is nowhere else to report an error. */
    writeError: (text: string) => write("stderr", text).catch(() => undefined),
  };
}

const fileStatus = async (path: string) =>
  statSync(isStandardInput(path) ? "/dev/stdin" : path, { bigint: true, throwIfNoEntry: false });

/** Writes to a stream of the process. Rejects with the system's error. */
type WriteStream = (name: "stdout" | "stderr", text: string) => Promise<void>;

/** Loading Bun's copy of Node's streams takes twice as long as starting Bun. */
const writeWithBun: WriteStream = async (name, text) => {
  // Writing "" would make Bun truncate the file that a stream is redirected to.
  if (text !== "") await Bun.write(Bun[name], text);
};

/** For Node and Deno. */
const writeWithNodeStreams: WriteStream = (name, text) => {
  const stream = process[name];
  // A failed write also emits "error", which ends the process without a listener.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
};

const ignoreClosedPipe = (writing: Promise<void>): Promise<void> =>
  writing.catch((error: unknown) => {
    if (getErrorCode(error) !== "EPIPE") throw error;
  });
