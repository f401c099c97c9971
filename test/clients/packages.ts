import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRIDGE } from "../../src/mcp-config/bridge.ts";
import { outputOf, runProgram } from "./program.ts";

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../node_modules/.cache/handtools-clients");

const PACKAGES = [
  "@openai/codex@0.169.0",
  // The last one that runs on Node 20.
  "@anthropic-ai/claude-code@2.1.197",
  `${BRIDGE.package}@${BRIDGE.version}`,
];

/** VS Code 1.139.1 as a package of npm, from which only its schema is taken. */
const CODE_SERVER = "code-server@4.139.1";
const WORKBENCH = "package/lib/vscode/out/vs/code/browser/workbench/workbench.js";

// npm as this machine is set up to use it, which may be said in the environment.
const options = { cwd: CACHE, env: process.env, timeout: 300_000 };

/** Installs the clients where they are missing, and gives the folder of their programs. */
export async function installClients(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const list = await runProgram("npm", ["ls", "--depth=0", ...PACKAGES], options);
  const missing = PACKAGES.some((name) => !list.stdout.includes(` ${name}\n`));
  if (missing) {
    await outputOf(
      "npm",
      ["install", "--no-audit", "--no-fund", "--save-exact", ...PACKAGES],
      options,
    );
  }
  return join(CACHE, "node_modules/.bin");
}

/** VS Code's own program text; its path. */
export async function unpackWorkbench(): Promise<string> {
  const file = join(CACHE, WORKBENCH);
  if (existsSync(file)) return file;
  const packed = await outputOf("npm", ["pack", "--silent", CODE_SERVER], options);
  await outputOf("tar", ["-xzf", packed.trim(), WORKBENCH], options);
  return file;
}
