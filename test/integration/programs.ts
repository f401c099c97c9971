import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Options {
  readonly cwd: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which the program is ended. */
  readonly timeout?: number;
}

interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a program to its end, for two minutes at most unless another time is given. */
export async function execute(command: readonly string[], options: Options): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdin: new TextEncoder().encode(options.stdin ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: options.timeout ?? 120_000,
  });
  const [out, error] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
  ]);
  return { exitCode: await child.exited, out, error };
}

/**
 * Runs a program that must succeed. @returns its output.
 *
 * @throws {Error} with what it said, when it fails.
 */
export async function outputOf(command: readonly string[], options: Options): Promise<string> {
  const { exitCode, out, error } = await execute(command, options);
  if (exitCode !== 0)
    throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${error}`);
  return out;
}

/** For programs that need a newer Node than the project does: it comes from npm as they do. */
export const NEWER_NODE = "node@24.21.0";

const CACHE = join(import.meta.dir, "../../node_modules/.cache");

/** The package "node", whose versions have these names, fetches the program for this machine. */
const WITH_SCRIPTS = ["node", "node20", "node22", "node24"];

const MANIFEST = JSON.stringify({
  private: true,
  type: "module",
  allowScripts: Object.fromEntries(WITH_SCRIPTS.map((name) => [name, true])),
});

/** The clients have more than a gigabyte. */
const INSTALL_MS = 900_000;

/**
 * Installs packages in a folder outside the project's own dependencies, where they are kept for the
 * next time.
 *
 * @param packages each with its version.
 * @returns the folder.
 */
export async function installPackages(suite: string, packages: readonly string[]): Promise<string> {
  const folder = packagesFolder(suite);
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, MANIFEST);
  const { out } = await execute(["npm", "ls", "--depth=0", ...packages], { cwd: folder });
  const installed = out.split("\n").map((line) => line.split(" ")[1]);
  if (!packages.every((name) => installed.includes(name))) {
    // By force, because npm itself may run on an older Node than a package wants.
    const install = ["npm", "install", "--force", "--no-audit", "--no-fund", "--save-exact"];
    await outputOf([...install, ...packages], { cwd: folder, timeout: INSTALL_MS });
  }
  return folder;
}

export const packagesFolder = (suite: string): string => join(CACHE, `handtools-${suite}`);
