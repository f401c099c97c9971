import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "./execute.ts";

const DENO = "deno@2.9.6";

export interface Runtime {
  readonly name: string;
  /** Runs a JavaScript file; its arguments follow. */
  readonly command: readonly string[];
}

/** The runtimes that the package is for. Deno comes from npm into a folder outside the project. */
export async function runtimes(): Promise<readonly Runtime[]> {
  const cache = join(tmpdir(), `handtools-${DENO.replace("@", "-")}`);
  mkdirSync(cache, { recursive: true });
  await outputOf(["npm", "install", "--prefix", cache, "--no-audit", "--no-fund", DENO], {
    cwd: cache,
  });
  return [
    { name: "node", command: ["node"] },
    { name: "bun", command: [process.execPath, "--bun"] },
    { name: "deno", command: [join(cache, "node_modules/.bin/deno"), "run", "-A"] },
  ];
}
