import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { sqliteStore } from "../../../../server/signup/store/sqlite.ts";
import { sqlite, type TestDatabase } from "../../support/databases.ts";
import { expectSoon } from "../../support/expect.ts";
import { NOW, signup, use } from "../../support/signup.ts";
import { storeCases } from "./store-cases.ts";

describe("the SQLite store", () => storeCases(sqlite));

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
    expect(await record()).toBe(true);
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
    const writes = [record(), store.tryWrite()];
    for (const write of writes) await expect(write).rejects.toThrow("database is locked");
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
  });

  test("a file that is gone is told once, within a second", async () => {
    const told: string[] = [];
    store.watch?.((problem) => told.push(problem));
    renameSync(file.filename, `${file.filename}.moved`);
    await expectSoon(() => told.length > 0);
    await Bun.sleep(1_200);
    expect(told).toEqual([`${file.filename} was removed or replaced; start the server again`]);
    renameSync(`${file.filename}.moved`, file.filename);
  });
});
