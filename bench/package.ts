import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ToolContract, tools } from "../schemas/index.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { installedSize, packAndInstall } from "../test/live/package/install.ts";
import { installPackages, packagesFolder } from "../test/live/programs.ts";
import { medianRatio, type Row } from "./table.ts";

/** The package as it is installed from npm: its start, its size, and each tool in a bundle. */
export async function packageRows(): Promise<Row[]> {
  const { folder } = await packAndInstall(join(import.meta.dir, ".."));
  try {
    const { packages, bytes } = installedSize(folder);
    return [
      ...(await startRows(folder)),
      ...(await Promise.all(tools.map((tool) => importRow(folder, tool)))),
      { what: "installed size", figure: bytes / 1_000_000, unit: "MB", goal: ["<=", 6] },
      { what: "installed packages", figure: packages, goal: ["<=", 8] },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Prettier that prints its version is a program that everybody knows, and no work. */
async function startRows(folder: string): Promise<Row[]> {
  const input = join(folder, "input.json");
  writeFileSync(input, JSON.stringify(mcpConfigContract.example_input));
  const main = join(folder, "node_modules/handtools/dist/cli/main.js");
  const prettier = join(BASELINES, "node_modules/.bin/prettier");
  const rows: Row[] = [];
  for (const version of ["20", "22", "24"]) {
    const node = join(BASELINES, `node_modules/node${version}/bin/node`);
    rows.push({
      what: `\`handtools mcp-config\`, against \`prettier --version\`, by Node ${version}`,
      figure: await medianRatio(
        { warmUps: 3, turns: 41 },
        () => milliseconds([node, main, "mcp-config", input]),
        () => milliseconds([node, prettier, "--version"]),
      ),
      goal: ["<=", 0.85],
    });
  }
  return rows;
}

/** Of a whole run. */
function milliseconds(words: readonly string[]): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([...words], { timeout: 20_000 });
  const duration = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  return duration;
}

/** The largest size, in kB of 1,000 bytes. */
const GOALS: Readonly<Record<ToolContract["command"], number>> = {
  "mcp-config": 22,
  "automation-cost": 10,
  "mail-filter": 24,
};

/** The code that a page loads for one tool: bundlers leave out unused exports. */
async function importRow(folder: string, { command, function: name }: ToolContract): Promise<Row> {
  const statement = `import { ${name} } from "handtools/${command}"`;
  const entry = join(folder, `${command}.js`);
  writeFileSync(entry, `${statement};\nconsole.log(${name});\n`);
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    minify: true,
    splitting: true,
  });
  const texts = await Promise.all(outputs.map((output) => output.text()));
  // Modules behind `import()` load later.
  const later = new Set(texts.flatMap((text) => text.match(/(?<=import\("\.\/)[^"]+/g) ?? []));
  const sizes = outputs.map(({ path }, index) =>
    later.has(basename(path)) ? 0 : Bun.gzipSync(texts[index] ?? "", { level: 9 }).length,
  );
  return {
    what: `\`${statement}\`, minified and gzipped`,
    figure: sizes.reduce((sum, size) => sum + size, 0) / 1_000,
    unit: "kB",
    goal: ["<=", GOALS[command]],
  };
}

const PACKAGES = {
  fastify: "5.12.8",
  hono: "4.13.19",
  "@hono/valibot-validator": "0.6.1",
  prettier: "3.10.1",
  node20: "npm:node@20.20.2",
  node22: "npm:node@22.23.3",
  node24: "npm:node@24.21.0",
};

const BASELINES = packagesFolder("bench");

/** Installs the packages of the baselines, unless they are installed already. */
export const installBaselines = (): Promise<string> =>
  installPackages(
    "bench",
    Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`),
  );

/** The entry of a baseline's package. */
export const entryOf = (name: keyof typeof PACKAGES): string => Bun.resolveSync(name, BASELINES);
