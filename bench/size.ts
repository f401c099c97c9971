import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ToolContract, tools } from "../schemas/index.ts";
import { installedSize } from "../test/live/package/install.ts";
import type { Row } from "./table.ts";

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
  "mcp-config": 16,
  "automation-cost": 9,
  "mail-filter": 22,
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
