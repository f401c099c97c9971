/** How a runtime reads and writes. It rejects with the system's own error. */
export interface Streams {
  readFile(path: string): Promise<Uint8Array>;
  /** Standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Resolves when standard output has taken the text. */
  writeOut(text: string): Promise<void>;
  /** Resolves when standard error has taken the text. */
  writeError(text: string): Promise<void>;
}
