import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import {
  checkExamples,
  checkExistingFiles,
  checkGolden,
  checkStreams,
  checkTools,
  goldenFolder,
} from "./command-line.ts";
import { consumers, writeConsumer } from "./fixtures/consumer.ts";
import { packAndInstall, startRegistry } from "./install.ts";
import { Checks, checkLinters } from "./linters.ts";
import {
  compileProgram,
  execute,
  launchers,
  type Program,
  type Runtime,
  runProgram,
  runtimes,
} from "./programs.ts";
import { checkServer } from "./served.ts";

/*
 * Proves the package as users get it: packed, installed in an empty folder, and run by Node,
 * Bun and Deno; run by its name from a registry; and compiled to one program.
 * `npm run test:package`; it needs the npm registry.
 */

const root = join(import.meta.dir, "../../..");
const checks = new Checks();

const { folder, tarball, files } = await packAndInstall(root);
const main = join(folder, "node_modules/handtools/dist/cli/main.js");
checkFiles();
await checkLinters(tarball, checks);
await checkTypes();
for (const runtime of await runtimes()) {
  await checkLibrary(runtime);
  await checkProgram({
    name: `${runtime.name} handtools`,
    command: [...runtime.command, main],
    folder,
  });
}
await checkVersion({
  name: "the linked handtools",
  command: [join(folder, "node_modules/.bin/handtools")],
  folder,
});
await checkLaunchers();
await checkBinary();
rmSync(folder, { recursive: true });
checks.close();

function checkFiles(): void {
  const needed = [
    ...["package.json", "LICENSE", "README.md", "CHANGELOG.md"],
    ...["dist/cli/LICENSES.txt", "dist/openapi.json", "dist/server/worker.js"],
    ...["dist/server/pages/assets/built-assets.js", "dist/server/pages/assets/LICENSES.txt"],
  ];
  for (const file of needed) checks.add(`packs ${file}`, files.includes(file) ? "" : "missing");
  const known =
    /^(dist\/(src|schemas|server)\/.*(\.js|\.d\.ts)|dist\/server\/signup\/store\/migrations\/.*\.(sql|json)|dist\/cli\/[^/]+\.js|examples\/[^/]+\.json)$/;
  const foreign = files.filter((file) => !known.test(file) && !needed.includes(file));
  checks.add("packs nothing else", foreign.join(", "));
  // The scripts of the pages are in the assets, which nobody builds any more.
  const builders = files.filter((file) => /\/pages\/client\/|-assets\.js$/.test(file));
  checks.same("packs the pages built", builders.join(), "dist/server/pages/assets/built-assets.js");
}

async function checkTypes(): Promise<void> {
  for (const consumer of consumers) {
    const cwd = writeConsumer(folder, consumer);
    const { out } = await execute([join(root, "node_modules/.bin/tsc"), "-p", "."], { cwd });
    checks.add(`has types for ${consumer.name}`, out);
  }
}

/** Each export can be imported, and the library gives the results of the golden cases. */
async function checkLibrary(runtime: Runtime): Promise<void> {
  const entries = Object.keys(packageJson.exports)
    // The server is for Bun alone.
    .filter((entry) => entry !== "./server" || runtime.name === "bun")
    .map((entry) => join("handtools", entry));
  await checkScript(runtime, "imports.js", entries);
  await checkScript(runtime, "golden.js", [goldenFolder]);
}

/** A script that prints its checks, one line of JSON each. */
async function checkScript(
  { name, command }: Runtime,
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

async function checkProgram(program: Program): Promise<void> {
  await checkGolden(program, checks);
  await checkExamples(program, join(folder, "node_modules/handtools/examples"), checks);
  await checkExistingFiles(program, checks);
  await checkStreams(program, checks);
  await checkServer(program, checks);
}

async function checkLaunchers(): Promise<void> {
  const registry = await startRegistry(tarball);
  for (const program of launchers(registry.url, folder)) {
    await checkVersion(program);
    await checkTools(program, checks);
    if (program.name.includes("--bun")) await checkServer(program, checks);
  }
  await registry.stop();
}

async function checkBinary(): Promise<void> {
  const program = await compileProgram(root, folder);
  await checkVersion(program);
  await checkProgram(program);
  await checkServer(program, checks, ["--workers", "2"]);
}

async function checkVersion(program: Program): Promise<void> {
  const { out, error } = await runProgram(program, ["--version"]);
  checks.same(`${program.name} --version`, out || error, `${packageJson.version}\n`);
}
