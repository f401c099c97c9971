/*
 * Proves the package as users get it: packed, installed in an empty folder, and run by Node,
 * Bun and Deno. `bun run test/package/run.ts`; it needs the npm registry.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tools } from "../../schemas/index.ts";
import { callTool } from "../../src/call-tool.ts";
import { Checks } from "./checks.ts";
import { consumers, writeConsumer } from "./consumer.ts";
import { execute } from "./execute.ts";
import { packAndInstall } from "./install.ts";
import { type Runtime, runtimes } from "./runtimes.ts";
import { checkServer } from "./served.ts";

const root = join(import.meta.dir, "../..");
const goldenFolder = join(root, "test/golden");
const checks = new Checks();

/** The examples that are a tool's built-in data, to be given with a flag. */
const settings = tools.flatMap((tool) =>
  Object.keys(tool.settings)
    .map((setting) => setting.replaceAll("_", "-"))
    .map((name) => ({ tool, flag: `--${name}`, file: `${name}.json` })),
);

const { folder, files } = await packAndInstall(root);
const main = join(folder, "node_modules/handtools/dist/cli/main.js");
checkFiles();
await checkTypes();
for (const runtime of await runtimes()) {
  await checkLibrary(runtime);
  await checkCommandLine(runtime);
  await checkStreams(runtime);
  await checkServer(runtime, main, checks);
}
await checkBin();
rmSync(folder, { recursive: true });
checks.close();

function checkFiles(): void {
  const needed = [
    ...["package.json", "LICENSE", "README.md", "CHANGELOG.md"],
    ...["dist/cli/LICENSES.txt", "dist/openapi.json", "dist/server/worker.js"],
  ];
  for (const file of needed) checks.add(`packs ${file}`, files.includes(file) ? "" : "missing");
  const known =
    /^(dist\/(src|schemas|server)\/.*(\.js|\.d\.ts)|dist\/server\/signup\/store\/migrations\/.*\.(sql|json)|dist\/cli\/[^/]+\.js|examples\/[^/]+\.json)$/;
  const foreign = files.filter((file) => !known.test(file) && !needed.includes(file));
  checks.add("packs nothing else", foreign.join(", "));
}

async function checkTypes(): Promise<void> {
  for (const consumer of consumers) {
    const cwd = writeConsumer(folder, consumer);
    const { out } = await execute([join(root, "node_modules/.bin/tsc"), "-p", "."], { cwd });
    checks.add(`has types for ${consumer.name}`, out);
  }
}

async function checkLibrary({ name, command }: Runtime): Promise<void> {
  copyFileSync(join(import.meta.dir, "golden.js"), join(folder, "golden.js"));
  const { exitCode, out, error } = await execute([...command, "golden.js", goldenFolder], {
    cwd: folder,
  });
  for (const line of out.split("\n").filter(Boolean)) {
    const check = JSON.parse(line);
    checks.add(`${name} ${check.name}`, check.problem);
  }
  checks.add(`${name} ran the library`, exitCode === 0 && out !== "" ? "" : error || "no case");
}

/** The same bytes as the golden cases, and for the examples as our sources give. */
async function checkCommandLine({ name, command }: Runtime): Promise<void> {
  const handtools = (...argv: string[]) => execute([...command, main, ...argv], { cwd: folder });
  for (const tool of tools) {
    for (const testCase of readdirSync(join(goldenFolder, tool.command)).sort()) {
      const path = (file: string) => join(goldenFolder, tool.command, testCase, file);
      const { out, error } = await handtools(tool.command, path("input.json"));
      const wanted = readFileSync(path("output.txt"), "utf8");
      checks.same(`${name} handtools ${tool.command} ${testCase}`, out || error, wanted);
    }
  }
  const examples = join(folder, "node_modules/handtools/examples");
  for (const example of readdirSync(examples).sort()) {
    if (settings.some(({ file }) => file === example)) continue;
    const path = join(examples, example);
    const input = JSON.parse(readFileSync(path, "utf8"));
    const tool = tools.find((tool) => callTool(tool.name, input).ok);
    const result = tool && callTool(tool.name, input);
    const wanted = result?.ok
      ? `${JSON.stringify(result.value, null, 2)}\n`
      : "a tool that takes it";
    const { out, error } = await handtools(tool?.command ?? "", path, "--json");
    checks.same(`${name} handtools ${tool?.command} ${example}`, out || error, wanted);
  }
  for (const { tool, flag, file } of settings) {
    const input = join(folder, "input.json");
    writeFileSync(input, JSON.stringify(tool.example_input));
    const { out, error } = await handtools(tool.command, input, flag, join(examples, file));
    const wanted = await handtools(tool.command, input);
    checks.same(`${name} handtools ${tool.command} ${flag} ${file}`, out || error, wanted.out);
  }
  const { exitCode, error } = await handtools("no-such-command");
  checks.same(
    `${name} ends with the code of the run`,
    `${exitCode} ${error.slice(0, 6)}`,
    "2 error:",
  );
}

/** A reader that leaves early is no failure, a full disk is one. */
async function checkStreams({ name, command }: Runtime): Promise<void> {
  const shell = async (script: string) => {
    const { out, error } = await execute(["sh", "-c", script, "sh", ...command, main], {
      cwd: folder,
    });
    return out + error;
  };
  const early = await shell('{ "$@" tools --json; echo "code $?" >&2; } | head -n 1');
  checks.same(`${name} ends quietly when its reader leaves`, early, "{\ncode 0\n");
  const full = await shell('"$@" tools > /dev/full; echo "code $?"');
  const wanted = "code 1\nerror: standard output: no space is left on the device\n";
  checks.same(`${name} says that standard output is full`, full, wanted);
  const unheard = await shell('"$@" nothing 2> /dev/full; echo "code $?"');
  checks.same(`${name} keeps its code when nobody can read its messages`, unheard, "code 2\n");
}

/** The command as npm links it. */
async function checkBin(): Promise<void> {
  const { out } = await execute([join(folder, "node_modules/.bin/handtools"), "--version"], {
    cwd: folder,
  });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  checks.same("handtools --version through its link", out, `${version}\n`);
}
