import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { execute, installPackages } from "../programs.ts";
import { checkMcp, checkTools, type Program, runProgram } from "./command-line.ts";
import { writeConsumer } from "./fixtures/consumer.ts";
import { installedSize, packAndInstall } from "./install.ts";
import { Checks, checkLinters, checkWorkflows } from "./linters.ts";
import { checkServer } from "./served.ts";

/*
 * Proves the package as users get it: packed, installed in an empty folder, and run by Node,
 * Bun and Deno.
 * `npm run test:integration package`; it needs the npm registry.
 */

const root = join(import.meta.dir, "../../..");
const checks = new Checks();
const entries = Object.keys(packageJson.exports)
  .filter((entry) => !entry.includes("*"))
  .map((entry) => join("handtools", entry));

/** The first version of each line of Node that the package is for, and the newest line. */
const NODES = { node20: "20.19.0", node22: "22.12.0", node24: "24.21.0" };

const { folder, tarball, files, messages } = await packAndInstall(root);
const main = join(folder, "node_modules/handtools/dist/cli/main.js");
checkFiles();
await checkInstall();
await checkLinters(tarball, checks);
await checkWorkflows(checks);
await checkTypes();
for (const [name, ...command] of await runtimes()) {
  await checkScript(name, command, "imports.js", entries);
  await checkScript(name, command, "golden.js", [join(import.meta.dir, "../../golden")]);
  if (name.startsWith("node")) await checkScript(name, command, "require.cjs", entries);
  const program = { name: `${name} handtools`, command: [...command, main], folder };
  await checkTools(program, checks);
  await checkMcp(program, checks);
  await checkServer(program, checks);
}
await checkVersion({
  name: "the linked handtools",
  command: [join(folder, "node_modules/.bin/handtools")],
  folder,
});
rmSync(folder, { recursive: true });
checks.close();

/** The runtimes that the package is for: a name and what runs a JavaScript file. */
async function runtimes(): Promise<readonly (readonly [name: string, ...command: string[]])[]> {
  const versions = Object.entries(NODES);
  const nodes = versions.map(([name, version]) => `${name}@npm:node@${version}`);
  const installed = await installPackages("nodes", nodes);
  const deno = join(await installPackages("deno", ["deno@2.9.6"]), "node_modules/.bin/deno");
  return [
    ...versions.map(
      ([name, version]) =>
        [`node ${version}`, join(installed, "node_modules", name, "bin/node")] as const,
    ),
    ["bun", process.execPath, "--bun"],
    ["deno", deno, "run", "-A"],
  ];
}

function checkFiles(): void {
  const needed = [
    ...["package.json", "LICENSE", "README.md", "CHANGELOG.md"],
    ...["dist/THIRD-PARTY-NOTICES.txt", "dist/openapi.json"],
    "dist/schemas/mail-filter.json",
    ...["dist/server/main.js", "dist/server/signups-command.js"],
  ];
  for (const file of needed) checks.add(`packs ${file}`, files.includes(file) ? "" : "missing");
  const known =
    /^(dist\/(src|schemas)\/.*(\.js|\.json|\.d\.ts)|dist\/server\/((admin|main|chunk-\w+)\.js|migrations\/.*\.(sql|json))|dist\/cli\/(main|chunk-\w+)\.js|examples\/(offer\.eml|[\w.-]+\.json|repository\/(\.github\/workflows\/)?[\w.]+\.(json|md|xml|yml))|docs\/[^/]+\.md|deploy\/(handtools@?\.service|nginx\.conf))$/;
  const foreign = files.filter((file) => !known.test(file) && !needed.includes(file));
  checks.add("packs nothing else", foreign.join(", "));
}

/** It is small, and npm warns of nothing. */
async function checkInstall(): Promise<void> {
  checks.same("installs without a warning", warningsIn(messages), "");
  const publish = ["npm", "publish", "--dry-run", tarball];
  const { out, error } = await execute(publish, { cwd: folder });
  checks.same("would be published without a warning", warningsIn(out + error), "");
  const { packages, bytes } = installedSize(folder);
  checks.add("installs at most 8 packages", packages <= 8 ? "" : String(packages));
  checks.add("installs at most 8 MB", bytes <= 8_000_000 ? "" : String(bytes));
}

/** Warnings of npm, without those of the settings of this machine and of nobody being logged in. */
function warningsIn(said: string): string {
  const known =
    /^npm warn (?:Unknown \w+ config|publish This command requires you to be logged in)/;
  const lines = said.split("\n").filter((line) => /^npm (?:warn|error)/i.test(line));
  return lines.filter((line) => !known.test(line)).join("\n");
}

async function checkTypes(): Promise<void> {
  for (const moduleResolution of ["NodeNext", "Bundler"] as const) {
    const cwd = writeConsumer(folder, moduleResolution);
    const { out } = await execute([join(root, "node_modules/.bin/tsc"), "-p", "."], { cwd });
    checks.add(`has types for ${moduleResolution}`, out);
  }
}

/** A script that prints its checks, one line of JSON each. */
async function checkScript(
  name: string,
  command: readonly string[],
  script: string,
  argv: readonly string[],
): Promise<void> {
  copyFileSync(join(import.meta.dir, "fixtures", script), join(folder, script));
  const { exitCode, out, error } = await execute([...command, script, ...argv], { cwd: folder });
  for (const line of out.split("\n").filter(Boolean)) {
    const check = JSON.parse(line);
    checks.add(`${name} ${check.name}`, check.problem);
  }
  checks.add(`${name} ran ${script}`, exitCode === 0 && out !== "" ? "" : error || "no case");
}

async function checkVersion(program: Program): Promise<void> {
  const { out, error } = await runProgram(program, ["--version"]);
  checks.same(`${program.name} --version`, out || error, `${packageJson.version}\n`);
}
