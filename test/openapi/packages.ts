import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execute, outputOf } from "../package/execute.ts";

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../node_modules/.cache/handtools-openapi");

const PACKAGES = [
  // The last one that runs on Node 20.
  "@redocly/cli@2.77.0",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
];

/** Installs the programs where they are missing, and gives the folder that they are in. */
export async function installPackages(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }\n');
  const { out } = await execute(["npm", "ls", "--depth=0", ...PACKAGES], { cwd: CACHE });
  if (PACKAGES.some((name) => !out.includes(` ${name}\n`))) {
    const install = ["npm", "install", "--no-audit", "--no-fund", "--save-exact"];
    await outputOf([...install, ...PACKAGES], { cwd: CACHE });
  }
  return CACHE;
}
