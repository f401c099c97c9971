import { rmSync } from "node:fs";
import { join } from "node:path";
import { packAndInstall } from "../test/live/package/install.ts";
import { filtersRow } from "./filters.ts";
import { installPackages } from "./packages.ts";
import { type Row, toTable } from "./row.ts";
import { serverRows } from "./server.ts";
import { sizeRows } from "./size.ts";
import { startRows } from "./start.ts";

/*
 * npm run bench            all of the table, in about six minutes
 * npm run bench -- start   a part of it: server, library, start or size
 * npm run bench -- --long  with a million requests for the memory row
 */
const words = process.argv.slice(2);
const many = words.includes("--long") ? 1_000_000 : 100_000;

const parts: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  server: () => serverRows(many),
  library: () => [filtersRow()],
  start: () => installed(startRows),
  size: () => installed(sizeRows),
};

/** The package as users get it. */
async function installed(measure: (folder: string) => Row[] | Promise<Row[]>): Promise<Row[]> {
  const { folder } = await packAndInstall(join(import.meta.dir, ".."));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

installPackages();
const wanted = words.filter((word) => !word.startsWith("--"));
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()));
}
process.stdout.write(`${toTable(rows)}\n`);
