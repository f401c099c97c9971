import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../../src/index.ts";

/** UPDATE_GOLDEN=1 writes what the document says now; read the diff before you commit it. */
test("the OpenAPI document is the golden one", () => {
  const file = join(import.meta.dir, "../golden/openapi.json");
  const text = `${JSON.stringify(openApi({ baseUrl: "https://tools.example" }), null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, text);
  expect(existsSync(file) && readFileSync(file, "utf8")).toBe(text);
});
