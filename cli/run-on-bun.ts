import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { CliError, getErrorCode, UsageError } from "./cli-error.ts";

/**
 * Runs another program to its end, without a shell.
 *
 * @returns its exit code, and what it printed on standard output and standard error, as it came.
 */
export function runProgram(
  program: string,
  words: readonly string[],
): Promise<{ code: number | null; output: string }> {
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
 * Does work that needs Bun. On Node and Deno, the same command line runs on a Bun that is installed.
 *
 * @throws {UsageError} when there is no Bun, or only one that is too old.
 * @throws {CliError} with the exit code of the other run.
 */
export async function runOnBun(work: () => Promise<void>): Promise<void> {
  const { bun } = process.versions;
  if (bun === undefined) return runOn(await findBun(), process.argv.slice(1));
  if (isUnsupportedVersion(bun)) throw bunError(`this is Bun ${bun}`);
  return work();
}

/** What the package's manifest asks for. */
const OLDEST_BUN = packageJson.peerDependencies.bun.replace(">=", "");

/** True for a version that lacks what the server needs, or does it in another way. */
export const isUnsupportedVersion = (version: string): boolean =>
  version.localeCompare(OLDEST_BUN, "en", { numeric: true }) < 0;

const bunError = (found: string): UsageError =>
  new UsageError([
    `this command needs Bun ${OLDEST_BUN} or newer, and ${found}: npm install bun@latest in the project that has handtools, or npm install -g bun@latest`,
  ]);

/** Runs a command line on another runtime and ends with its exit code. */
async function runOn(bun: string, argv: readonly string[]): Promise<void> {
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
  if (code !== 0) throw new CliError([], { exitCode: code === 2 ? 2 : 1 });
}

/**
 * Without these Bun would run the code that a bunfig.toml in the working directory names, and read
 * variables from a .env there: root would run the code of the folder's owner.
 */
const ISOLATED = ["--no-env-file", `--config=${devNull}`];

/**
 * Bun as npm installs it beside this package, or on the PATH.
 *
 * @throws {UsageError} when none is new enough.
 */
async function findBun(): Promise<string> {
  const program = process.platform === "win32" ? "bun.exe" : "bun";
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...installedBun(), ...folders.map((folder) => join(folder, program))];
  const found: string[] = [];
  for (const file of candidates.filter((file) => existsSync(file))) {
    const version = await bunVersion(file);
    if (version !== undefined && !isUnsupportedVersion(version)) return file;
    found.push(version === undefined ? `${file} does not start` : `${file} is Bun ${version}`);
  }
  throw bunError(found[0] ?? "there is none beside handtools or on the PATH");
}

/** Undefined for a program that does not start, such as npm's before its own script has run. */
async function bunVersion(file: string): Promise<string | undefined> {
  try {
    const { output } = await runProgram(file, ["--version"]);
    return /^\d+\.\d+\.\d+\S*/.exec(output)?.[0];
  } catch (error) {
    if (getErrorCode(error) === undefined) throw error;
    return undefined;
  }
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
