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
