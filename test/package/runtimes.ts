import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "./execute.ts";

const DENO = "deno@2.9.6";
const CACHE = join(tmpdir(), `handtools-${DENO.replace("@", "-")}`);

export const deno = join(CACHE, "node_modules/.bin/deno");

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
