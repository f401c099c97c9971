import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { SystemError, UsageError } from "./errors.ts";
import type { ProgramResult } from "./io.ts";

/** Runs another program to its end, without a shell. */
export function runProgram(program: string, words: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk) => printed.push(chunk));
    child.stderr.on("data", (chunk) => printed.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(printed).toString() }));
  });
}

/**
 * Runs the same command line on Bun and ends with its exit code.
 *
 * @param argv the program's file and its arguments.
 * @throws {CliError} with Bun's exit code, or when Bun is not installed.
 */
export async function runOnBun(argv: readonly string[]): Promise<void> {
  const bun = findBun();
  if (bun === undefined) {
    throw new UsageError([
      "this command needs Bun, which is neither installed beside handtools nor on the PATH: npm install bun in the project that has handtools, or npm install -g bun",
    ]);
  }
  const child = spawn(bun, [...ISOLATED, ...argv], { stdio: "inherit" });
  const passedOn = new Set<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      passedOn.add(signal);
      child.kill(signal);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    // Deno reports the signal that was passed on instead of the exit code.
    child.on("exit", (status, signal) => resolve(status ?? (passedOn.has(String(signal)) ? 0 : 1)));
    child.on("error", reject);
  });
  // The child has printed the reason.
  if (code === 2) throw new UsageError([]);
  if (code !== 0) throw new SystemError([]);
}

/**
 * Without these Bun would run the code that a bunfig.toml in the working directory names, and read
 * variables from a .env there: root would run the code of the folder's owner.
 */
const ISOLATED = ["--no-env-file", `--config=${devNull}`];

/** Bun as npm installs it beside this package, or on the PATH. */
function findBun(): string | undefined {
  const program = process.platform === "win32" ? "bun.exe" : "bun";
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...installedBun(), ...folders.map((folder) => join(folder, program))];
  return candidates.find(isExecutable);
}

function installedBun(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve("bun/package.json");
    // npm's package names its program .exe on every system.
    return [join(dirname(manifest), "bin/bun.exe")];
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
