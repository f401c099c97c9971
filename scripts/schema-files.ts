import { mkdirSync, writeFileSync } from "node:fs";
import { fileSchemas } from "../src/file-schemas.ts";
import { openApi } from "../src/openapi/openapi.ts";

/*
 * The JSON Schemas of files for editors, as the server serves them, and the OpenAPI document. Run by
 * `npm run build`, it writes dist/schemas/<name>.json and dist/openapi.json.
 */

const FOLDER = new URL("../dist/schemas/", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const { name, compose } of fileSchemas) {
  writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(compose())}\n`);
}
writeFileSync(
  new URL("../openapi.json", FOLDER),
  `${JSON.stringify(openApi({ baseUrl: "http://localhost:3000" }))}\n`,
);
