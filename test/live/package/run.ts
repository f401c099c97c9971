import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { sqlite } from "../../server/support/databases.ts";
import { execute, outputOf } from "../programs.ts";
import {
  checkExamples,
  checkExistingFiles,
  checkGolden,
  checkMcp,
  checkStreams,
  checkTools,
  goldenFolder,
} from "./command-line.ts";
import { checkEditors } from "./editors.ts";
import { writeConsumer } from "./fixtures/consumer.ts";
import { install, installedSize, packAndInstall, startRegistry } from "./install.ts";
import { Checks, checkLinters, checkTypeDoc, checkWorkflows } from "./linters.ts";
import {
  installDeno,
  installNodes,
  launchers,
  type Program,
  type Runtime,
  runProgram,
  runtimes,
} from "./programs.ts";
import { checkServer } from "./served.ts";

/*
 * Proves the package as users get it: packed, installed in an empty folder, and run by Node,
 * Bun and Deno; and run by its name from a registry.
 * `npm run test:package`; it needs the npm registry.
 */

const root = join(import.meta.dir, "../../..");
const checks = new Checks();
const entries = Object.keys(packageJson.exports)
  .filter((entry) => !entry.includes("*"))
  .map((entry) => join("handtools", entry));

const { folder, tarball, files, messages } = await packAndInstall(root);
const main = join(folder, "node_modules/handtools/dist/cli/main.js");
checkFiles();
await checkInstall();
await checkGlobalInstall();
await checkReproducible();
await checkLinters(tarball, checks);
await checkWorkflows(checks);
await checkEditors(join(folder, "node_modules/handtools/dist/schemas"), checks);
await checkTypeDoc(checks);
await checkTypes();
const deno = await installDeno();
for (const runtime of runtimes(deno)) {
  await checkLibrary(runtime);
  await checkProgram({
    name: `${runtime.name} handtools`,
    command: [...runtime.command, main],
    folder,
  });
}
for (const runtime of await installNodes()) {
  await checkLibrary(runtime);
  await checkScript(runtime, "require.cjs", entries);
  await checkTools({ ...runtime, command: [...runtime.command, main], folder }, checks);
}
const sources = [deno, "run", "-A", join(root, "cli/main.ts")];
await checkTools({ name: "deno from the sources", command: sources, folder }, checks);
const linked = {
  name: "the linked handtools",
  command: [join(folder, "node_modules/.bin/handtools")],
  folder,
};
await checkVersion(linked);
await checkServer(linked, checks);
await checkLaunchers();
rmSync(folder, { recursive: true });
checks.close();

function checkFiles(): void {
  const needed = [
    ...["package.json", "LICENSE", "README.md", "CHANGELOG.md"],
    ...["dist/THIRD-PARTY-NOTICES.txt", "dist/openapi.json"],
    "dist/schemas/mail-filter.json",
    ...["dist/server/main.js", "dist/server/admin.js"],
  ];
  for (const file of needed) checks.add(`packs ${file}`, files.includes(file) ? "" : "missing");
  const known =
    /^(dist\/(src|schemas)\/.*(\.js|\.json|\.d\.ts)|dist\/server\/((admin|main|chunk-\w+)\.js|migrations\/.*\.(sql|json))|dist\/cli\/(main|chunk-\w+)\.js|examples\/(mail\.mbox|[\w.-]+\.json|mcp-server\/(README\.md|server\.json)|repository\/(\.github\/workflows\/)?[\w.]+\.(json|md|xml|yml))|docs\/[^/]+\.md|deploy\/(handtools@?\.service|nginx\.conf))$/;
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
  checks.add("installs at most 12 packages", packages <= 12 ? "" : String(packages));
  checks.add("installs at most 8 MB", bytes <= 8_000_000 ? "" : String(bytes));
}

/** Installed for all of the machine, it has its program where a shell looks. */
async function checkGlobalInstall(): Promise<void> {
  const prefix = mkdtempSync(join(tmpdir(), "handtools-global-"));
  await outputOf(["npm", "install", "--global", "--prefix", prefix, tarball], { cwd: folder });
  await checkVersion({
    name: "the global handtools",
    command: [join(prefix, "bin/handtools")],
    folder,
  });
  rmSync(prefix, { recursive: true });
}

/** Warnings of npm, without those of the settings of this machine and of nobody being logged in. */
function warningsIn(said: string): string {
  const known =
    /^npm warn (?:Unknown \w+ config|publish This command requires you to be logged in)/;
  const lines = said.split("\n").filter((line) => /^npm (?:warn|error)/i.test(line));
  return lines.filter((line) => !known.test(line)).join("\n");
}

/** Built again, the package has the same bytes. */
async function checkReproducible(): Promise<void> {
  const again = mkdtempSync(join(tmpdir(), "handtools-again-"));
  await outputOf(["npm", "pack", "--pack-destination", again], { cwd: root });
  const same = readFileSync(tarball).equals(readFileSync(join(again, basename(tarball))));
  checks.add("is the same when it is built again", same ? "" : "the bytes differ");
  rmSync(again, { recursive: true });
}

async function checkTypes(): Promise<void> {
  for (const moduleResolution of ["NodeNext", "Bundler"] as const) {
    const cwd = writeConsumer(folder, moduleResolution);
    const { out } = await execute([join(root, "node_modules/.bin/tsc"), "-p", "."], { cwd });
    checks.add(`has types for ${moduleResolution}`, out);
  }
}

/** Each export can be imported, and the library gives the results of the golden cases. */
async function checkLibrary(runtime: Runtime): Promise<void> {
  await checkScript(runtime, "imports.js", entries);
  await checkScript(runtime, "golden.js", [goldenFolder]);
}

/** A script that prints its checks, one line of JSON each. */
async function checkScript(
  { name, command }: Runtime,
  script: string,
  argv: readonly string[],
  cwd = folder,
): Promise<void> {
  copyFileSync(join(import.meta.dir, "fixtures", script), join(cwd, script));
  const { exitCode, out, error } = await execute([...command, script, ...argv], { cwd });
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
  await checkMcp(program, checks);
  await checkServer(program, checks);
}

async function checkLaunchers(): Promise<void> {
  const registry = await startRegistry(tarball);
  for (const program of launchers(registry.url, folder, deno)) {
    await checkVersion(program);
    await checkTools(program, checks);
    if (program.name.includes("--bun")) await checkServer(program, checks);
  }
  await checkUpgrade(registry.url);
  await registry.stop();
}

/** Installed by its name, the package goes on with a database of 0.1.0. */
async function checkUpgrade(registry: string): Promise<void> {
  const site = mkdtempSync(join(tmpdir(), "handtools-upgrade-"));
  await install(site, [packageJson.name, "--registry", registry]);
  const database = await sqlite.create();
  const old = readFileSync(join(import.meta.dir, "fixtures/database-0.1.0.sql"), "utf8");
  for (const statement of old.split(/(?<=;)\n/).filter(Boolean)) await database.query(statement);
  const program = {
    name: "handtools after 0.1.0",
    command: [join(site, "node_modules/.bin/handtools")],
    folder: site,
    environment: {
      DATABASE_URL: database.url,
      // Node finds Bun here.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    },
  };
  const signups = async (...words: string[]) => {
    const { out, error } = await runProgram(program, ["signups", ...words]);
    return out || error;
  };
  await checkVersion(program);
  checks.same(`${program.name} counts its signups`, await signups("count"), "2\n");
  const found = JSON.parse(await signups("export", "mary@site.test")).ctaSource;
  checks.same(`${program.name} finds a signup`, found, "hero");
  await checkServer(program, checks, [], database);
  checks.same(`${program.name} counts one more`, await signups("count"), "3\n");
  await runProgram(program, ["signups", "delete", "mary@site.test"]);
  checks.same(`${program.name} deletes a signup`, await signups("count"), "2\n");
  await database.drop();
  rmSync(site, { recursive: true });
}

async function checkVersion(program: Program): Promise<void> {
  const { out, error } = await runProgram(program, ["--version"]);
  checks.same(`${program.name} --version`, out || error, `${packageJson.version}\n`);
}
