import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { OutsideFailure, UsageFailure } from "./errors.ts";

/**
 * Runs the same command line on Bun, and ends as it ends.
 *
 * @param argv the program's file and its arguments.
 * @throws {UsageFailure} when there is no Bun, or with what Bun's exit code stands for.
 */
export async function runOnBun(argv: readonly string[]): Promise<void> {
  const bun = findBun();
  if (bun === undefined) {
    throw new UsageFailure([
      "this command needs Bun, and there is none; install it (npm install bun) or run: bunx --bun handtools …",
    ]);
  }
  const child = spawn(bun, argv, { stdio: "inherit" });
  const passedOn = new Set<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      passedOn.add(signal);
      child.kill(signal);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    // Deno names the signal that was passed on, and keeps the code to itself.
    child.on("exit", (status, signal) => resolve(status ?? (passedOn.has(String(signal)) ? 0 : 1)));
    child.on("error", reject);
  });
  // The child has said why.
  if (code === 2) throw new UsageFailure([]);
  if (code !== 0) throw new OutsideFailure([]);
}

/** Bun as npm installs it beside us, or on the PATH. */
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
