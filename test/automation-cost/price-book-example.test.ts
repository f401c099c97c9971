import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { priceBook } from "../../src/automation-cost/index.ts";

const file = join(import.meta.dir, "../../examples/price-book.json");

/** UPDATE_GOLDEN=1 writes the file anew. */
test("examples/price-book.json is the built-in price book", () => {
  const text = `${JSON.stringify(priceBook, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});
