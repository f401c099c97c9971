import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type ToolContract, tools } from "../schemas/index.ts";
import { installedSize } from "../test/live/package/install.ts";
import type { Row } from "./table.ts";

export const libraryRows = (): Promise<Row[]> => rowsOnRuntimes("calls.ts");

/** The rows that a program of this folder prints on Bun and on Node. */
export async function rowsOnRuntimes(program: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "handtools-bench-"));
  const source = join(import.meta.dir, program);
  try {
    // Node before 22.18 reads no TypeScript.
    const build = await Bun.build({ entrypoints: [source], target: "node", outdir: folder });
    const bundle = build.outputs[0]?.path ?? "";
    return [
      ...rowsOf([process.execPath, source], `Bun ${Bun.version}`),
      ...rowsOf(["node", bundle], `Node ${textOf(["node", "--version"]).slice(1)}`),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rowsOf = (command: readonly string[], runtime: string): Row[] =>
  JSON.parse(textOf(command, { BENCH_RUNTIME: runtime }));

function textOf(command: readonly string[], environment: Record<string, string> = {}): string {
  const env = { ...process.env, ...environment };
  const { success, stdout } = Bun.spawnSync([...command], { env, stderr: "inherit" });
  if (!success) throw new Error(`${command[0]} failed`);
  return stdout.toString().trim();
}

/**
 * The size of the installed package, and of each tool of the library in a bundle, minified and gzipped.
 *
 * @param folder in which the package is installed.
 */
export async function sizeRows(folder: string): Promise<Row[]> {
  const { packages, bytes } = installedSize(folder);
  const sizes = tools.map((tool) => sizeRow(folder, tool));
  return [
    {
      what: "`npm install handtools`, packages, against what it may bring",
      ours: String(packages),
      baseline: "12",
      ratio: packages / 12,
      goal: { atMost: 1 },
    },
    {
      what: "`npm install handtools`, files, against what they may take",
      ours: `${(bytes / 1_000_000).toFixed(1)} MB`,
      baseline: "8 MB",
      ratio: bytes / 8_000_000,
      goal: { atMost: 1 },
    },
    ...(await Promise.all(sizes)),
  ];
}

/** The largest size, in kB of 1,000 bytes. */
const GOALS: Readonly<Record<ToolContract["command"], number>> = {
  "mcp-config": 12,
  "automation-cost": 12,
  "mail-filter": 95,
};

/** The code that a page loads for one tool: bundlers leave out unused exports. */
async function sizeRow(folder: string, { command, function: name }: ToolContract): Promise<Row> {
  const statement = `import { ${name} } from "handtools/${command}"`;
  const entry = join(folder, `${command}.js`);
  writeFileSync(entry, `${statement};\nconsole.log(${name});\n`);
  const build = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    minify: true,
    splitting: true,
  });
  const texts = await Promise.all(build.outputs.map((output) => output.text()));
  // Modules behind `import()` load later.
  const later = new Set(texts.flatMap((text) => text.match(/(?<=import\("\.\/)[^"]+/g) ?? []));
  const kilobytes =
    build.outputs.reduce((sum, { path }, index) => {
      if (later.has(basename(path))) return sum;
      return sum + Bun.gzipSync(texts[index] ?? "", { level: 9 }).length;
    }, 0) / 1000;
  const goal = GOALS[command];
  return {
    what: `\`${statement}\`, minified and gzipped, against what it may have`,
    ours: `${kilobytes.toFixed(1)} kB`,
    baseline: `${goal} kB`,
    ratio: kilobytes / goal,
    goal: { atMost: 1 },
  };
}
