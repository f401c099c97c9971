import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execute, outputOf } from "./programs.ts";

/** Counts checks and prints a line for each. */
export class Checks {
  #passed = 0;
  #failed = 0;

  /** @param problem what is wrong; nothing when all is well. */
  add(name: string, problem = ""): void {
    if (problem === "") this.#passed += 1;
    else this.#failed += 1;
    this.#print(problem === "" ? `ok    ${name}` : `FAIL  ${name}\n      ${problem}`);
  }

  same(name: string, actual: string, wanted: string): void {
    this.add(
      name,
      actual === wanted ? "" : `wanted ${start(wanted)}\n      got    ${start(actual)}`,
    );
  }

  /** Prints the sum and makes the process fail when a check did. */
  close(): void {
    this.#print(`${this.#passed} passed, ${this.#failed} failed`);
    if (this.#failed > 0 || this.#passed === 0) process.exitCode = 1;
  }

  #print(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}

const start = (text: string): string => JSON.stringify(text.slice(0, 300));

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../../node_modules/.cache/handtools-package");

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
