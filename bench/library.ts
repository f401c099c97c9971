import { join } from "node:path";
import type { MailFilterInput } from "../schemas/index.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { median, type Row } from "./table.ts";

/** Compares twenty filters in one call with one filter. */
export function filtersRow(): Row {
  const [twenty, one] = [someFilters(20), someFilters(1)];
  for (let call = 0; call < ROUNDS; call += 1) microseconds(twenty);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    twenty: microseconds(twenty),
    one: microseconds(one),
  }));
  return {
    what: "20 filters in one call, against 1 filter",
    ours: `${Math.round(median(rounds.map((round) => round.twenty)))} µs`,
    baseline: `${Math.round(median(rounds.map((round) => round.one)))} µs`,
    ratio: median(rounds.map((round) => round.twenty / round.one)),
    goal: { atMost: 20 },
  };
}

const ROUNDS = 51;
const CALLS = 40;

/** The time of one call. */
function microseconds(input: MailFilterInput): number {
  const started = performance.now();
  for (let call = 0; call < CALLS; call += 1) mailFilter(input);
  return ((performance.now() - started) * 1000) / CALLS;
}

/** Realistic filters, no two the same. */
export const someFilters = (count: number): MailFilterInput => ({
  filters: Array.from({ length: count }, (_, index) => ({
    name: `Customer ${index}`,
    from: [`billing@customer${index}.example`, `@shop${index}.example`],
    subject: ["invoice", "your receipt"],
    has_words: [`order ${index}`],
    does_not_have: ["refund"],
    label: `Money/Customer ${index}`,
    skip_inbox: true,
  })),
});

/**
 * The size of each tool of the library in a bundle, minified and gzipped.
 *
 * @param folder in which the package is installed.
 */
export const sizeRows = (folder: string): Promise<Row[]> =>
  Promise.all(Object.entries(GOALS).map(([tool, goal]) => sizeRow(folder, tool, goal)));

/** The largest size, in kB of 1,000 bytes. */
const GOALS = { "mcp-config": 12, "automation-cost": 12, "mail-filter": 95 };

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
