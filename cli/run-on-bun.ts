import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { CliError, getErrorCode, UsageError } from "./cli-error.ts";

/**
 * Runs another program without a shell, and waits for its end.
 *
 * @returns its exit code, and its standard output and standard error combined.
 */
export function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/**
 * Runs work that needs Bun. On Node and Deno, runs the same command line on an installed Bun.
 *
 * @throws {UsageError} if there is no Bun, or only an old one.
 * @throws {CliError} with the exit code of the other run.
 */
export async function runOnBun(work: () => Promise<void>): Promise<void> {
  const { bun } = process.versions;
  if (bun === undefined) return rerunWithBun(await findBun(), process.argv.slice(1));
  if (isUnsupportedVersion(bun)) throw bunError(`this is Bun ${bun}`);
  return work();
}

const OLDEST_BUN = packageJson.peerDependencies.bun.replace(">=", "");

export const isUnsupportedVersion = (version: string): boolean =>
  version.localeCompare(OLDEST_BUN, "en", { numeric: true }) < 0;

const bunError = (found: string): UsageError =>
  new UsageError([
    `this command needs Bun ${OLDEST_BUN} or newer, and ${found}: npm install bun@latest in the project that has handtools, or npm install -g bun@latest`,
  ]);

/** @throws {CliError} with the exit code of the run. */
async function rerunWithBun(bun: string, args: readonly string[]): Promise<void> {
  const child = spawn(bun, [...ISOLATION_FLAGS, ...args], { stdio: "inherit" });
  const passedOn = new Set<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      passedOn.add(signal);
      child.kill(signal);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    // Deno reports the forwarded signal instead of the exit code.
    child.on("exit", (status, signal) => resolve(status ?? (passedOn.has(String(signal)) ? 0 : 1)));
    child.on("error", reject);
  });
  // The child has reported the error.
  if (code !== 0) throw new CliError([], { exitCode: code === 2 ? 2 : 1 });
}

/**
 * Otherwise a bunfig.toml or a .env in the working directory would apply: root could run code of the
 * directory's owner.
 */
const ISOLATION_FLAGS = ["--no-env-file", `--config=${devNull}`];

/**
 * Finds Bun, installed by npm beside this package or on the PATH.
 *
 * @throws {UsageError} if none is new enough.
 */
async function findBun(): Promise<string> {
  const program = process.platform === "win32" ? "bun.exe" : "bun";
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...listInstalledBun(), ...folders.map((folder) => join(folder, program))];
  const found: string[] = [];
  for (const file of candidates.filter((file) => existsSync(file))) {
    const version = await getBunVersion(file);
    if (version !== undefined && !isUnsupportedVersion(version)) return file;
    found.push(version === undefined ? `${file} does not start` : `${file} is Bun ${version}`);
  }
  throw bunError(found[0] ?? "there is none beside handtools or on the PATH");
}

/** @returns undefined if the program does not start, as with npm's package before its install script. */
async function getBunVersion(file: string): Promise<string | undefined> {
  try {
    const { output } = await runProgram(file, ["--version"]);
    return /^\d+\.\d+\.\d+\S*/.exec(output)?.[0];
  } catch (error) {
    if (getErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function listInstalledBun(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve("bun/package.json");
    // npm's package names its program .exe on every OS.
    return [join(dirname(manifest), "bin/bun.exe")];
  } catch {
    return [];
  }
}
