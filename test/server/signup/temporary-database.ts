import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new SQLite file, which goes when the tests of the file are done. */
export function temporaryDatabase(): Database {
  const folder = mkdtempSync(join(tmpdir(), "handtools-signup-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return new Database(join(folder, "signups.sqlite"));
}
