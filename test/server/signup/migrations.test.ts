import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");
const store = "server/signup/store";

const folder = mkdtempSync(join(tmpdir(), "handtools-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["sqlite", "sqlite", "sqlite-tables.ts"],
  ["postgres", "postgresql", "postgres-tables.ts"],
])(
  "the migrations of %s make the tables as they are declared",
  (database, dialect, tables) => {
    const out = join(folder, database);
    cpSync(join(root, store, "migrations", database), out, { recursive: true });
    const before = readdirSync(out, { recursive: true }).sort();
    const generate = [
      ...["node_modules/.bin/drizzle-kit", "generate"],
      ...[`--dialect=${dialect}`, `--schema=${store}/${tables}`, `--out=${out}`],
    ];
    const { exitCode, stdout } = Bun.spawnSync(generate, { cwd: root, stdin: "ignore" });
    expect(exitCode, String(stdout)).toBe(0);
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(before);
  },
  30_000,
);
