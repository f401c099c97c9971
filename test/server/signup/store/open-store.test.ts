import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import { storableText } from "../../../../server/signup/store/signup-store.ts";

describe("an address of no database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "handtools-store-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  await Bun.write(join(folder, "letter.txt"), "Dear reader, ".repeat(1_000));
  // Without a writer, a pipe would never open; the log beside it calls for a look into it.
  Bun.spawnSync(["mkfifo", join(folder, "pipe")]);
  await Bun.write(join(folder, "pipe-wal"), "x");

  test.each([
    ["", 2, "must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE"],
    ["mysql://127.0.0.1/x", 2, "must be file:PATH or"],
    ["file:", 1, `${process.cwd()} cannot be used: it is not a file`],
    [`file:${folder}/none/x.sqlite`, 1, `${folder}/none/x.sqlite cannot be used: ENOENT`],
    [`file:${folder}/pipe`, 1, `${folder}/pipe cannot be used: it is not a file`],
    ["file::memory:?cache=shared", 2, "must be file: and a plain path"],
    [`file:${folder}/x.sqlite#fragment`, 2, "must be file: and a plain path"],
    ["file:a%20b.sqlite", 2, "must be file: and a plain path"],
    [`file://${folder}/letter.txt`, 1, `${folder}/letter.txt cannot be used: file is not a`],
    [`file:${folder}/letter.txt`, 1, `${folder}/letter.txt cannot be used: file is not a database`],
    [
      "postgres://me:a-secret@127.0.0.1:1/x",
      1,
      "PostgreSQL at 127.0.0.1:1 cannot be used: nothing",
    ],
    ["postgres://app:1#a-secret@127.0.0.1:1/x", 2, "must be file:PATH or"],
    ["postgres://app:a-secret%@127.0.0.1:1/x", 2, "must be file:PATH or"],
    ["postgres://me@a.test:1/a-secret@127.0.0.1:1/x", 2, "must be file:PATH or"],
    ["postgres://127.0.0.1/x?port=70000", 2, "must be file:PATH or"],
    ["postgres://127.0.0.1/x?options=a-secret", 2, "supports only these parameters: host, port"],
    ["postgres://127.0.0.1/x?channel_binding=require", 2, "supports only these parameters: host"],
    ["postgres://127.0.0.1/x?sslmode=verify-ca", 2, "sslmode=verify-ca: needs sslrootcert"],
    ["postgres://127.0.0.1/x?sslrootcert=/none", 2, "sslrootcert: no such file or directory"],
    ["postgres://h.test/x?sslrootcert=system&sslmode=require", 2, "sslrootcert=system: needs"],
    [
      `postgres://app:a-secret@/x?host=${folder}`,
      1,
      `PostgreSQL at ${folder} cannot be used: there`,
    ],
    ["postgres://me:a-secret@none.invalid/x", 1, "PostgreSQL at none.invalid:5432 cannot be used"],
  ])("openStore(%j) says what is wrong", async (url, exitCode, problem) => {
    const failure = await openStore(url).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "OperatorError",
      exitCode,
      problems: [expect.stringContaining(`DATABASE_URL: ${problem}`)],
    });
    expect(String(failure)).not.toInclude("a-secret");
  });
});

describe("the migrations", () => {
  const root = join(import.meta.dir, "../../../..");
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
    120_000,
  );
});

// bun:sqlite would replace them too, listmonk would not.
test.each([
  ["\uD800", "\uFFFD"],
  ["\uDE00\uD83D", "\uFFFD\uFFFD"],
])("storableText(%j) is %j", (text, storable) => {
  expect(storableText(text)).toBe(storable);
});
