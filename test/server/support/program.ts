import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leanPackages } from "../../../scripts/lean-packages.ts";
import { buildAssets } from "../../../server/pages/assets/build-assets.ts";

const root = join(import.meta.dir, "../../..");

const CACHE = join(root, "node_modules/.cache/handtools-program");

let bundled: Promise<string> | undefined;
let bundledForNode: Promise<string> | undefined;

/**
 * The words that start the command line, to put before `serve`. It is bundled as in the package,
 * because a server of the sources takes more than twice as long to start, and tests start a hundred.
 */
export async function handtools(): Promise<readonly string[]> {
  bundled ??= bundle("bun");
  return [process.execPath, "--no-env-file", await bundled];
}

/** The same on Node, which starts Bun for the server and its database. */
export async function handtoolsOnNode(): Promise<readonly string[]> {
  bundledForNode ??= bundle("node");
  return ["node", await bundledForNode];
}

async function bundle(target: "bun" | "node"): Promise<string> {
  // No hook comes at the end of a run: the next one removes the bundle.
  mkdirSync(CACHE, { recursive: true });
  for (const pid of readdirSync(CACHE)) {
    if (!isRunning(Number(pid))) rmSync(join(CACHE, pid), { recursive: true, force: true });
  }
  const outdir = join(CACHE, String(process.pid), target);
  const { assets } = await buildAssets();
  await Bun.build({
    entrypoints: ["cli/main.ts"].map((path) => join(root, path)),
    files: {
      [join(root, "server/pages/assets/built-assets.ts")]:
        `export const builtAssets = ${JSON.stringify(assets)};`,
    },
    outdir,
    naming: { entry: "[name].[ext]" },
    splitting: true,
    target,
    external: ["bun"],
    plugins: [leanPackages],
  });
  cpSync(join(root, "server/signup/store/migrations"), join(outdir, "migrations"), {
    recursive: true,
  });
  return join(outdir, "main.js");
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
