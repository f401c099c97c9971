import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Options {
  readonly cwd: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a program to its end, for two minutes at most. */
export async function execute(command: readonly string[], options: Options): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdin: new TextEncoder().encode(options.stdin ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 120_000,
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}

/**
 * What a program prints that has to succeed.
 *
 * @throws {Error} with what it said, when it fails.
 */
export async function outputOf(command: readonly string[], options: Options): Promise<string> {
  const { exitCode, out, error } = await execute(command, options);
  if (exitCode !== 0)
    throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${error}`);
  return out;
}

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

const DENO = "deno@2.9.6";
const CACHE = join(tmpdir(), `handtools-${DENO.replace("@", "-")}`);

const deno = join(CACHE, "node_modules/.bin/deno");

export interface Runtime {
  readonly name: string;
  /** Runs a JavaScript file; its arguments follow. */
  readonly command: readonly string[];
}

/** The runtimes that the package is for. Deno comes from npm into a folder outside the project. */
export async function runtimes(): Promise<readonly Runtime[]> {
  mkdirSync(CACHE, { recursive: true });
  await outputOf(["npm", "install", "--prefix", CACHE, "--no-audit", "--no-fund", DENO], {
    cwd: CACHE,
  });
  return [
    { name: "node", command: ["node"] },
    { name: "bun", command: [process.execPath, "--bun"] },
    { name: "deno", command: [deno, "run", "-A"] },
  ];
}

/**
 * The ways to run the package by its name from a registry, with nothing installed and nothing
 * in a cache.
 *
 * @param folder takes an empty folder to be in, and the caches.
 */
export function launchers(registry: string, folder: string): readonly Program[] {
  const empty = join(folder, "empty");
  const temporary = join(folder, "temporary");
  for (const path of [empty, temporary]) mkdirSync(path);
  const environment = {
    npm_config_registry: registry,
    NPM_CONFIG_REGISTRY: registry,
    npm_config_cache: join(folder, "npm-cache"),
    BUN_INSTALL_CACHE_DIR: join(folder, "bun-cache"),
    DENO_DIR: join(folder, "deno-cache"),
    // bunx installs here.
    TMPDIR: temporary,
  };
  const commands = {
    "npx handtools": ["npx", "--yes", "handtools"],
    "bunx handtools": [process.execPath, "x", "handtools"],
    "bunx --bun handtools": [process.execPath, "x", "--bun", "handtools"],
    "deno run -A npm:handtools": [deno, "run", "-A", "npm:handtools"],
  };
  return Object.entries(commands).map(([name, command]) => ({
    name,
    command,
    folder: empty,
    environment,
  }));
}

/** Compiles the command line and the server to one program. */
export async function compileProgram(root: string, folder: string): Promise<Program> {
  const alone = join(folder, "alone");
  mkdirSync(alone);
  const binary = join(alone, "handtools");
  await outputOf([process.execPath, "scripts/compile.ts", binary], { cwd: root });
  // Not where the sources are, of which it must need nothing.
  return { name: "the compiled handtools", command: [binary], folder: alone };
}
