import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { execute, installPackages } from "../programs.ts";

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

export interface Runtime {
  readonly name: string;
  /** Runs a JavaScript file; its arguments follow. */
  readonly command: readonly string[];
}

/** Installs Deno where it is missing, and gives the program. */
export const installDeno = async (): Promise<string> =>
  join(await installPackages("deno", [DENO]), "node_modules/.bin/deno");

/** The first version of each line of Node that the package is for, and the newest line. */
const NODES = { node20: "20.19.0", node22: "22.12.0", node24: "24.21.0" };

/** Installs other versions of Node where they are missing. */
export async function installNodes(): Promise<readonly Runtime[]> {
  const versions = Object.entries(NODES);
  const installed = await installPackages(
    "nodes",
    versions.map(([name, version]) => `${name}@npm:node@${version}`),
  );
  return versions.map(([name, version]) => ({
    name: `node ${version}`,
    command: [join(installed, "node_modules", name, "bin/node")],
  }));
}

/** The runtimes that the package is for. */
export const runtimes = (deno: string): readonly Runtime[] => [
  { name: "node", command: ["node"] },
  { name: "bun", command: [process.execPath, "--bun"] },
  { name: "deno", command: [deno, "run", "-A"] },
];

/**
 * The ways to run the package by its name from a registry, with nothing installed and nothing
 * in a cache.
 *
 * @param folder takes an empty folder to be in, and the caches.
 */
export function launchers(registry: string, folder: string, deno: string): readonly Program[] {
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
