import { join } from "node:path";
import type { Row } from "./row.ts";

/** In kB of 1,000 bytes. */
const GOALS = { "mcp-config": 12, "automation-cost": 12, "mail-filter": 95 };

/**
 * What a page or a program takes on with a tool of the library, minified and gzipped.
 *
 * @param folder where the package is installed.
 */
export const sizeRows = (folder: string): Promise<Row[]> =>
  Promise.all(Object.entries(GOALS).map(([tool, goal]) => sizeRow(folder, tool, goal)));

async function sizeRow(folder: string, tool: string, goal: number): Promise<Row> {
  const build = await Bun.build({
    entrypoints: [Bun.resolveSync(`handtools/${tool}`, join(folder, "package.json"))],
    target: "browser",
    minify: true,
  });
  const files = await Promise.all(build.outputs.map((output) => output.arrayBuffer()));
  const kilobytes =
    files.reduce((sum, file) => sum + Bun.gzipSync(file, { level: 9 }).length, 0) / 1000;
  return {
    what: `\`import "handtools/${tool}"\`, minified and gzipped, against what it may have`,
    ours: `${kilobytes.toFixed(1)} kB`,
    baseline: `${goal} kB`,
    ratio: kilobytes / goal,
    goal: { atMost: 1 },
  };
}
