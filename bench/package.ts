import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ToolContract, tools } from "../schemas/index.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { installedSize, packAndInstall } from "../test/integration/package/install.ts";
import { outputOf, packagesFolder } from "../test/integration/programs.ts";
import { medianRatio, printRow, timed } from "./table.ts";

/** The package as it is installed from npm: its start, its size, and each tool in a bundle. */
export async function measurePackage(): Promise<void> {
  const { folder } = await packAndInstall(join(import.meta.dir, ".."));
  try {
    for (const version of ["20", "22", "24"]) await measureStart(folder, version);
    for (const tool of tools) await measureImport(folder, tool);
    const { packages, bytes } = installedSize(folder);
    printRow("installed size", bytes / 1_000_000, "<= 8 MB");
    printRow("installed packages", packages, "<= 8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Prettier that prints its version is a program that everybody knows, and no work. */
async function measureStart(folder: string, version: string): Promise<void> {
  const input = join(folder, "input.json");
  writeFileSync(input, JSON.stringify(mcpConfigContract.example_input));
  const modules = join(packagesFolder("bench"), "node_modules");
  const run = (...words: readonly string[]) =>
    timed(() => outputOf([join(modules, `node${version}/bin/node`), ...words], { cwd: folder }));
  printRow(
    `\`handtools mcp-config\`, against \`prettier --version\`, by Node ${version}`,
    await medianRatio(
      { warmUps: 3, turns: 41 },
      run("node_modules/handtools/dist/cli/main.js", "mcp-config", input),
      run(join(modules, ".bin/prettier"), "--version"),
    ),
    "<= 1",
  );
}

const GOALS: Readonly<Record<ToolContract["command"], string>> = {
  "mcp-config": "<= 27 kB",
  "automation-cost": "<= 9 kB",
  "mail-filter": "<= 25 kB",
};

/** The code that a page loads for one tool: bundlers leave out unused exports. */
async function measureImport(
  folder: string,
  { command, function: name }: ToolContract,
): Promise<void> {
  const statement = `import { ${name} } from "handtools/${command}"`;
  const entry = join(folder, `${command}.js`);
  writeFileSync(entry, `${statement};\nconsole.log(${name});\n`);
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
  const texts = await Promise.all(outputs.map((output) => output.text()));
  const size = texts.reduce((sum, text) => sum + Bun.gzipSync(text, { level: 9 }).length, 0);
  printRow(`\`${statement}\`, minified and gzipped`, size / 1_000, GOALS[command]);
}
