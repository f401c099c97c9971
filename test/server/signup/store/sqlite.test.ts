import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { sqliteStore } from "../../../../server/signup/store/sqlite.ts";
import { sqlite, type TestDatabase } from "../../support/databases.ts";
import { expectSoon } from "../../support/expect.ts";
import { firstLine } from "../../support/servers.ts";
import { NEW, NOW, signup, use } from "../../support/signup.ts";
import { storeCases } from "./store-cases.ts";

describe("the SQLite store", () => storeCases(sqlite));

/** Makes tables of its own as the first migration, and holds the lock for a while before it commits. */
const SLOW_MIGRATION = `
  const file = new (require("bun:sqlite").Database)(process.argv[1]);
  file.run("PRAGMA journal_mode = WAL");
  file.run("BEGIN IMMEDIATE");
  file.run("CREATE TABLE signups (email)");
  file.run("CREATE TABLE used_nonces (nonce)");
  file.run("PRAGMA application_id = 0x68616e64");
  file.run("PRAGMA user_version = 99");
  process.stdout.write("locked\\n");
  Bun.sleepSync(300);
  file.run("COMMIT");
`;

test("sqliteStore() waits for the migrations of another process, and does not repeat them", async () => {
  const database = await sqlite.create();
  const path = database.url.slice("file:".length);
  const other = Bun.spawn([process.execPath, "-e", SLOW_MIGRATION, path], { stdout: "pipe" });
  await firstLine(other.stdout);
  const store = sqliteStore(new Database(path));
  const columns = await database.query("SELECT name FROM pragma_table_info('signups')");
  expect(columns).toEqual([{ name: "email" }]);
  expect(await other.exited).toBe(0);
  await store.close();
  await database.drop();
});

describe("a failure of the SQLite file", () => {
  let database: TestDatabase;
  let file: Database;
  let store: SignupStore;
  beforeEach(async () => {
    database = await sqlite.create();
    file = new Database(database.url.slice("file:".length));
    store = sqliteStore(file);
    await store.record(signup("first@x.test"), undefined, NOW);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const record = () => store.record(signup("a@x.test"), use("n"), NOW);

  /** The same signup, with the same nonce, is accepted after the failure. */
  const expectUnharmed = async () => {
    expect(await store.count()).toBe(1);
    expect(await database.query(sqlite.nonces)).toEqual([]);
    expect(await record()).toEqual(NEW);
    expect(await store.count()).toBe(2);
  };

  test("is synchronous, in WAL mode, and never waits within SQLite", () => {
    expect(file.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(file.query("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
    expect(file.query("PRAGMA busy_timeout").get()).toEqual({ timeout: 0 });
  });

  test("a lock that is held for too long", async () => {
    using other = new Database(file.filename);
    other.run("BEGIN IMMEDIATE");
    await expect(record()).rejects.toThrow("database is locked");
    await store.tryWrite();
    other.run("ROLLBACK");
    await expectUnharmed();
  });

  test("a file that is read-only", async () => {
    file.run("PRAGMA query_only = ON");
    await expect(record()).rejects.toThrow("attempt to write a readonly database");
    await expect(store.tryWrite()).rejects.toThrow("attempt to write a readonly database");
    file.run("PRAGMA query_only = OFF");
    await expectUnharmed();
  });

  test("a disk that is full", async () => {
    // The page count cannot be set below the pages there are: a signup that needs more of them.
    file.run("PRAGMA max_page_count = 1");
    const large = signup("a@x.test", { ctaSource: "x".repeat(8_000) });
    await expect(store.record(large, use("n"), NOW)).rejects.toThrow("disk is full");
    await expect(store.tryWrite()).rejects.toThrow("disk is full");
    file.run("PRAGMA max_page_count = 1000000");
    await expectUnharmed();
  });

  describe.each([
    ["the file", ""],
    ["its log", "-wal"],
    ["the index of its log", "-shm"],
  ])("%s, under the running server,", (_, part) => {
    const moved = () => renameSync(file.filename + part, `${file.filename}${part}.moved`);
    const expectRejected = async () => {
      const problem = `signups.sqlite${part} was removed or replaced; start the server again`;
      await expect(record()).rejects.toThrow(problem);
      await expect(store.count()).rejects.toThrow(problem);
      await expect(store.tryWrite()).rejects.toThrow(problem);
    };

    test("that is gone or another one rejects signups until it is back", async () => {
      moved();
      await expectRejected();
      writeFileSync(file.filename + part, "");
      await expectRejected();
      renameSync(`${file.filename}${part}.moved`, file.filename + part);
      await expectUnharmed();
    });

    test("that is gone is told once, within a second", async () => {
      const told: string[] = [];
      store.watch?.((problem) => told.push(problem));
      moved();
      await expectSoon(() => told.length > 0);
      await Bun.sleep(1_200);
      expect(told).toEqual([
        `${file.filename}${part} was removed or replaced; start the server again`,
      ]);
      renameSync(`${file.filename}${part}.moved`, file.filename + part);
    });
  });

  test("beside a log that another process has made, the file is left to it", async () => {
    const path = file.filename;
    file.run("PRAGMA wal_checkpoint(TRUNCATE)");
    await record();
    for (const part of ["-wal", "-shm"]) rmSync(path + part);
    const other = Bun.spawnSync([process.execPath, "-e", LEAVE_LOG, path]);
    expect(other.stderr.toString()).toBe("");
    const before = [path, `${path}-wal`].map((part) => readFileSync(part));
    await store.close();
    expect([path, `${path}-wal`].map((part) => readFileSync(part))).toEqual(before);
  });
});

/** Writes a row, and ends with the row in the log. */
const LEAVE_LOG = `
  const file = new (require("bun:sqlite").Database)(process.argv[1]);
  file.run("INSERT INTO used_nonces VALUES ('of another', 0)");
  process.kill(process.pid, "SIGKILL");
`;
