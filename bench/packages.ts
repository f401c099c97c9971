import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs the packages of the baselines, unless they are installed already. */
export function installPackages(): void {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const list = Bun.spawnSync(["npm", "ls", "--depth=0", ...wanted], { cwd: CACHE });
  if (wanted.every((name) => list.stdout.includes(` ${name}\n`))) return;
  const install = ["npm", "install", "--no-audit", "--no-fund", "--save-exact", ...wanted];
  const { exitCode } = Bun.spawnSync(install, { cwd: CACHE, stderr: "inherit" });
  if (exitCode !== 0) throw new Error("npm could not install the packages of the baselines");
}

/** The main module of a package. */
export const entryOf = (name: keyof typeof PACKAGES): string => Bun.resolveSync(name, CACHE);

/** The program in a package. */
export const programOf = (name: keyof typeof PACKAGES): string =>
  join(CACHE, "node_modules/.bin", name);

/** Separate from the project's dependencies, and kept for the next run. */
const CACHE = join(import.meta.dir, "../node_modules/.cache/handtools-bench");

const PACKAGES = {
  fastify: "5.12.8",
  hono: "4.13.19",
  "@hono/valibot-validator": "0.6.1",
  "add-mcp": "2.4.0",
  "xml-js": "1.6.11",
};
