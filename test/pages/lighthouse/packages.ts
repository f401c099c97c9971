import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execute, outputOf } from "../../package/execute.ts";

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../../node_modules/.cache/handtools-lighthouse");

/** Lighthouse wants a newer Node than the project does, so it brings its own. */
const PACKAGES = ["node@24.21.0", "lighthouse@13.5.0"];

/** Installs Lighthouse where it is missing, and gives the command that runs it. */
export async function installLighthouse(): Promise<readonly string[]> {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  // The package "node" fetches the program for this machine when it is installed.
  if (!existsSync(manifest)) {
    writeFileSync(manifest, '{ "private": true, "allowScripts": { "node": true } }\n');
  }
  const { out } = await execute(["npm", "ls", "--depth=0", ...PACKAGES], { cwd: CACHE });
  if (!PACKAGES.every((name) => out.includes(` ${name}`))) {
    // By force, because npm itself runs on the older Node.
    const install = ["npm", "install", "--force", "--no-audit", "--no-fund", "--save-exact"];
    await outputOf([...install, ...PACKAGES], { cwd: CACHE });
  }
  const installed = (path: string) => join(CACHE, "node_modules", path);
  return [installed("node/bin/node"), installed("lighthouse/cli/index.js")];
}
