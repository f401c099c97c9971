import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checks } from "./checks.ts";
import { execute, outputOf } from "./execute.ts";

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../node_modules/.cache/handtools-package");

const LINTERS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

/** What the registry's own linters find wrong with the tarball: nothing, types included. */
export async function checkLinters(tarball: string, checks: Checks): Promise<void> {
  await installLinters();
  await check(["publint", "--strict", tarball], checks);
  await check(["attw", "--profile", "esm-only", tarball], checks);
}

async function installLinters(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const { out } = await execute(["npm", "ls", "--depth=0", ...LINTERS], { cwd: CACHE });
  if (LINTERS.every((name) => out.includes(` ${name}\n`))) return;
  const install = ["npm", "install", "--no-audit", "--no-fund", "--save-exact", ...LINTERS];
  await outputOf(install, { cwd: CACHE });
}

async function check([name = "", ...argv]: readonly string[], checks: Checks): Promise<void> {
  const program = join(CACHE, "node_modules/.bin", name);
  const { exitCode, out, error } = await execute([program, ...argv], { cwd: CACHE });
  checks.add(`${name} finds nothing wrong`, exitCode === 0 ? "" : out + error);
}
