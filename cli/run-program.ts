import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  /** What it has written, standard error last. */
  readonly output: string;
}

/** Runs another program to its end, without a shell. */
export function runProgram(program: string, words: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk) => printed.push(chunk));
    child.stderr.on("data", (chunk) => printed.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(printed).toString() }));
  });
}
