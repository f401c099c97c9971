import { mkdirSync, writeFileSync } from "node:fs";
import { fileSchemas } from "../src/file-schemas.ts";

/*
 * The JSON Schemas of files for editors, as the server serves them. Run by `npm run build`, it
 * writes dist/schemas/<name>.json.
 */

const FOLDER = new URL("../dist/schemas/", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const { name, compose } of fileSchemas) {
  writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(compose(), null, 2)}\n`);
}
