import { libraryRows } from "./library.ts";
import { installBaselines, packageRows } from "./package.ts";
import { pageRows } from "./page.ts";
import { serverRows } from "./server.ts";
import { HEADING, type Row, toLine } from "./table.ts";
import { worstRows } from "./worst.ts";

/*
 * npm run bench             the whole table, in about ten minutes
 * npm run bench -- library  a part: library, worst, server, package or page
 */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  library: libraryRows,
  worst: worstRows,
  server: serverRows,
  package: packageRows,
  page: pageRows,
};

const wanted = process.argv.slice(2);
await installBaselines();
process.stdout.write(HEADING);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await measure()) process.stdout.write(toLine(row));
}
