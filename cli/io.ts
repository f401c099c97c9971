/** The outside world of the command line. Its work rejects with a CliError. */
export interface Io {
  /** The flags of the command, which say how messages are reported, and the warnings so far. */
  readonly reporting: { flags: CommonFlags; warningCount: number };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly outIsTerminal: boolean;
  /** The width of the terminal that standard output is; undefined for a file or a pipe. */
  readonly outColumns: number | undefined;
  readonly errorIsTerminal: boolean;
  /** The words that start this program, by absolute paths. */
  readonly ownWords: readonly string[];
  /** The day in UTC, in ISO 8601. */
  today(): string;
  /** The operating system, as Node names it. */
  readonly platform: string;
  /**
   * Reads a file, a pipe or a device; "-" is standard input.
   *
   * @param limit in bytes.
   */
  readFile(path: string, limit?: number): Promise<Uint8Array>;
  /** Opens a file to be read piece by piece; "-" is standard input. Gzip is unpacked. */
  readStream(path: string): Promise<ByteStream>;
  readFileIfExists(path: string): Promise<Uint8Array | undefined>;
  /** True for a file or a folder that is there. */
  exists(path: string): Promise<boolean>;
  /** The absolute path behind all links. The file need not exist. */
  realPath(path: string): Promise<string>;
  /** True if both paths lead to the same existing file; "-" is the file behind standard input. */
  isSameFile(one: string, other: string): Promise<boolean>;
  /** Replaces the file's content as a whole, or leaves it unchanged. */
  replaceFile(path: string, text: string, options: ReplaceOptions): Promise<Replaced>;
  /**
   * Changes a text file that other programs write too, and keeps the old one under another name.
   *
   * @param edit gives the new text for the old one, which is "" without a file. It may run again.
   */
  editFile(path: string, edit: (text: string) => string): Promise<Replaced>;
  runProgram(program: string, words: readonly string[]): Promise<ProgramResult>;
  /** Resolves when the text is written, or standard output has no reader any more. */
  writeOut(text: string): Promise<void>;
  /** Never rejects. */
  writeError(text: string): Promise<void>;
}

/** The flags that many commands have. */
export interface CommonFlags {
  readonly json?: true;
  readonly output?: string;
  readonly check?: string;
  readonly strict?: true;
  readonly quiet?: true;
  readonly reporter?: "text" | "github" | "json";
}

export interface ReplaceOptions {
  /** The text may hold a secret: a new file is for its owner alone. */
  readonly isSecret: boolean;
  /** Runs right before the replacement and rejects when the existing content must stay. */
  readonly approve?: ((existing: string) => Promise<void>) | undefined;
}

export interface Replaced {
  /** True if the file existed and users other than its owner can read it. */
  readonly readableByOthers: boolean;
  /** The old file's new name, where it is kept. */
  readonly backup?: string | undefined;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

export interface ByteStream {
  /** The file's size in bytes; undefined for a pipe. */
  readonly size: number | undefined;
  /** Number of bytes read so far. */
  position(): number;
  readonly chunks: AsyncIterable<Uint8Array>;
}
