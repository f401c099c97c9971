import { rmSync } from "node:fs";
import { join } from "node:path";
import { packAndInstall } from "../test/live/package/install.ts";
import { startRows } from "./command-line.ts";
import { fairnessRows } from "./fairness.ts";
import { libraryRows } from "./library.ts";
import { installBaselines } from "./packages.ts";
import { serverRows } from "./server.ts";
import { sizeRows } from "./size.ts";
import { type Row, toTable } from "./table.ts";
import { tryRows } from "./try.ts";
import { worstRows } from "./worst.ts";

/*
 * npm run bench            the whole table, in about ten minutes
 * npm run bench -- worst   a part: library, worst, fairness, try, server, start or size
 * npm run bench -- --long  with a million requests in the memory row
 */
const words = process.argv.slice(2);

const parts: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  library: libraryRows,
  worst: worstRows,
  fairness: fairnessRows,
  try: tryRows,
  server: () => serverRows(words.includes("--long") ? 1_000_000 : 100_000),
  start: () => installed(startRows),
  size: () => installed(sizeRows),
};

/** Measures the package as it is installed from npm. */
async function installed(measure: (folder: string) => Row[] | Promise<Row[]>): Promise<Row[]> {
  const { folder } = await packAndInstall(join(import.meta.dir, ".."));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await installBaselines();
const wanted = words.filter((word) => !word.startsWith("--"));
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()));
}
process.stdout.write(`${toTable(rows)}\n`);
