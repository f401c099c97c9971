import { execute } from "./execute.ts";

/** A way to start `handtools`. */
export interface Program {
  readonly name: string;
  /** The arguments follow. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command line of it to its end. */
export const runProgram = (
  { command, folder, environment = {} }: Program,
  argv: readonly string[],
  stdin = "",
) => execute([...command, ...argv], { cwd: folder, environment, stdin });
