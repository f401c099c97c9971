/** A client's file that cannot be read as the client reads it, or that no edit could leave right. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
  /** Counted from 1. */
  readonly line: number | undefined;

  /** @param problem to be read after the file's name. */
  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `${problem} (line ${line})`);
    this.line = line;
  }
}
