import { type ChildProcess, spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env: Environment;
  readonly cwd?: string;
  /** Milliseconds after which the program and its children are ended. */
  readonly timeout?: number;
}

/** Starts a program as the leader of its own process group, to be ended as one. */
export const startProgram = (command: string, args: readonly string[], options: ProgramOptions) =>
  spawn(command, args, { env: options.env, cwd: options.cwd, detached: true, stdio: "pipe" });

/** Ends a program that `startProgram` started, with its children. */
export function endProgram({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

/** Runs a program to its end. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Outcome> {
  const child = startProgram(command, args, options);
  const timer = setTimeout(() => endProgram(child), options.timeout ?? 20_000);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  child.stdin.end();
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("close", resolve);
      child.on("error", reject);
    });
    return { code, ...output };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a program that must succeed, and gives its standard output. */
export async function outputOf(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}
