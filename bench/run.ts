import { installPackages } from "../test/integration/programs.ts";
import { measureLibrary } from "./library.ts";
import { measurePackage } from "./package.ts";
import { measurePage } from "./page.ts";
import { measureServer } from "./server.ts";
import { measureWorst } from "./worst.ts";

/*
 * npm run bench             the whole table, in about ten minutes
 * npm run bench -- library  a part: library, worst, server, package or page
 */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  library: measureLibrary,
  worst: measureWorst,
  server: measureServer,
  package: measurePackage,
  page: measurePage,
};

await installPackages("bench", [
  ...["fastify@5.12.8", "hono@4.13.19", "@hono/valibot-validator@0.6.1", "prettier@3.10.1"],
  ...["node20@npm:node@20.20.2", "node22@npm:node@22.23.3", "node24@npm:node@24.21.0"],
]);
process.stdout.write("| what | figure | goal | |\n|---|---:|---:|---|\n");
const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure();
}
