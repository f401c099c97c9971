import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "./execute.ts";
import type { Program } from "./program.ts";

/** Compiles the command line and the server to one program. */
export async function compileProgram(root: string, folder: string): Promise<Program> {
  const alone = join(folder, "alone");
  mkdirSync(alone);
  const binary = join(alone, "handtools");
  await outputOf([process.execPath, "server/compile.ts", binary], { cwd: root });
  // Not where the sources are, of which it must need nothing.
  return { name: "the compiled handtools", command: [binary], folder: alone };
}
