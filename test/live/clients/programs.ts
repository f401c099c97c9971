import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BRIDGE } from "../../../src/mcp-config/bridge.ts";
import { installPackages, NEWER_NODE } from "../programs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Outcome {
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

/** The environment of clients that are to ask nobody but the servers of the test. */
export const quietEnvironment = (bin: string, home: string) => ({
  PATH: `${bin}:${process.env.PATH}`,
  HOME: home,
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  RUST_BACKTRACE: "0",
});

/** Starts a program as the leader of its own process group, to be ended as one. */
export const startProgram = (command: string, args: readonly string[], options: ProgramOptions) =>
  spawn(command, args, { env: options.env, cwd: options.cwd, detached: true, stdio: "pipe" });

/** Ends a program that `startProgram` started, with its children. */
export function endProgram({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

/** Runs a program to its end. */
async function runProgram(
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

/** The clients and what their checks need. */
export const PACKAGES = [
  NEWER_NODE,
  "@openai/codex@0.169.0",
  "@anthropic-ai/claude-code@2.1.330",
  `${BRIDGE.package}@${BRIDGE.version}`,
  "@github/copilot@1.0.102",
  "opencode-ai@1.18.33",
  "@google/gemini-cli@0.61.0",
  "@qwen-code/qwen-code@0.24.4",
];

/** VS Code 1.139.1 as a package of npm, from which only its schema is taken. */
const CODE_SERVER = "code-server@4.139.1";
const WORKBENCH = "package/lib/vscode/out/vs/code/browser/workbench/workbench.js";

/** Installs the clients where they are missing, and gives the folder that they are in. */
export const installClients = (): Promise<string> => installPackages("clients", PACKAGES);

/** VS Code's own program text; its path. */
export async function unpackWorkbench(folder: string): Promise<string> {
  const file = join(folder, WORKBENCH);
  if (existsSync(file)) return file;
  // npm as this machine is set up to use it, which may be said in the environment.
  const options = { cwd: folder, env: process.env, timeout: 300_000 };
  const packed = await outputOf("npm", ["pack", "--silent", CODE_SERVER], options);
  await outputOf("tar", ["-xzf", packed.trim(), WORKBENCH], options);
  return file;
}
