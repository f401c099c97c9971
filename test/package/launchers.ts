import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./program.ts";
import { deno } from "./runtimes.ts";

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
