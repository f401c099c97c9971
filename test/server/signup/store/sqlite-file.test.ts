import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import { expectSoon } from "../../support/expect.ts";
import { NOW, signup, use } from "../../support/signup.ts";
import { signups, signupsCommand } from "../../support/signups-command.ts";

// Most cases start processes, which takes long on a busy machine.
setDefaultTimeout(30_000);

const PARTS = ["", "-wal", "-shm"];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handtools-file-"));
  path = join(folder, "signups.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openStore(`file:${path}`);
const operate = (...words: readonly string[]) => signups(words, { DATABASE_URL: `file:${path}` });
/** The same while another process uses the file, or has left it. */
const operateBeside = (...words: readonly string[]) =>
  signupsCommand(words, { DATABASE_URL: `file:${path}` });

/** The modes of the files that exist, in octal. */
const modes = () =>
  PARTS.filter((part) => existsSync(path + part)).map((part) =>
    (statSync(path + part).mode & 0o777).toString(8),
  );

/** The parts of the database with a text. */
const partsWith = (text: string) =>
  PARTS.filter((part) => existsSync(path + part) && readFileSync(path + part).includes(text));

async function fill([first = "", ...others]: readonly string[]): Promise<void> {
  const store = await open();
  await store.record(signup(first), use(crypto.randomUUID()), NOW);
  await store.close();
  addLike(first, others);
  // The statements of the store keep its connection, and with it the log, until they are collected.
  await expectSoon(() => {
    Bun.gc(true);
    return !existsSync(`${path}-wal`);
  });
}

/** Copies a row under other addresses, at once: each record of its own waits for the disk. */
function addLike(first: string, others: readonly string[]): void {
  using file = new Database(path);
  const columns = "cta_source, referral, referral_other, created_at, sync_state";
  file.transaction(() => {
    for (const email of others) {
      file.run(
        `INSERT INTO signups (email, ${columns}) SELECT ?, ${columns} FROM signups WHERE email = ?`,
        [email, first],
      );
    }
  })();
}

describe("the SQLite file", () => {
  test("its parts are readable by their owner only, from the start on", async () => {
    const store = await open();
    expect(modes()).toEqual(["600", "600", "600"]);
    expect(store.warnings).toEqual([]);
    await store.record(signup("a@x.test"), use("n"), NOW);
    expect(modes()).toEqual(["600", "600", "600"]);
    await store.close();
  });

  test("open to other users is closed at the start", async () => {
    const crashed = await open();
    await crashed.record(signup("a@x.test"), use("n"), NOW);
    for (const part of PARTS) chmodSync(path + part, 0o666);
    const store = await open();
    expect(modes()).toEqual(["600", "600", "600"]);
    expect(store.warnings).toEqual(
      PARTS.map(
        (part) =>
          `DATABASE_URL: other users could open ${path}${part}: its mode is 0600 from now on`,
      ),
    );
    expect(await store.count()).toBe(1);
    await store.close();
    await crashed.close();
  });

  test.each([
    ["while the server runs", true],
    ["while nothing runs", false],
  ])("holds no trace of an address deleted %s", async (_, runs) => {
    const emails = Array.from({ length: 500 }, (_, at) => `person${at}@deleted.test`);
    await fill(emails);
    const server = runs ? await open() : undefined;
    await server?.record(signup("another@x.test"), use("n"), NOW);
    expect(await operateBeside("delete", "person250@deleted.test")).toMatchObject({ exitCode: 0 });
    expect(partsWith("person250@deleted.test")).toEqual([]);
    expect(partsWith("person251@deleted.test")).not.toEqual([]);
    await server?.remove("person251@deleted.test");
    if (server) expect(partsWith("person251@deleted.test")).toEqual([]);
    await server?.close();
    expect(partsWith("person250@deleted.test")).toEqual([]);
  });

  /** Changes a database that is ours, or makes another. */
  const change = (sql: string) => {
    using file = new Database(path);
    file.run(sql);
    // So that all of it is in the file itself.
    file.run("PRAGMA journal_mode = DELETE");
  };

  const cut = () => {
    change("SELECT 1");
    truncateSync(path, 8_192);
  };

  test.each<[string, boolean, () => void, string]>([
    [
      "another program's",
      false,
      () => change("CREATE TABLE x (y)"),
      "is the database of another program",
    ],
    [
      "a newer version's",
      true,
      () => change("PRAGMA user_version = 99"),
      "was made by a newer version",
    ],
    ["half restored: it is cut off", true, () => cut(), "malformed"],
  ])("that is %s is rejected with words, and left alone", async (_, isOurs, prepare, problem) => {
    if (isOurs) await fill(Array.from({ length: 300 }, (_, at) => `person${at}@x.test`));
    prepare();
    const before = readFileSync(path);
    await expect(open()).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(problem),
    });
    expect(await operate("count")).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining(problem),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("handtools signups", () => {
  test.each([[["count"]], [["export", "a@x.test"]], [["delete", "a@x.test"]]])(
    "%j makes no database",
    async (words) => {
      expect(await operate(...words)).toEqual({
        exitCode: 1,
        out: "",
        error: `error: DATABASE_URL: ${path} cannot be used: there is no such file\n`,
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  describe("a backup", () => {
    const copy = () => join(folder, "copy.sqlite");
    /** As docs/self-hosting.md says. */
    const backUp = () => {
      using file = new Database(path);
      file.run("VACUUM INTO ?", [copy()]);
    };

    /** Ends a server without giving SQLite the time to clean up: its WAL stays. */
    const crash = async (emails: readonly string[]) => {
      const program = `
        const { openStore } = await import(process.argv[1]);
        const store = await openStore(process.argv[2]);
        for (const email of process.argv.slice(3)) await store.record({ email, ctaSource: "hero" }, undefined, new Date());
        process.kill(process.pid, "SIGKILL");
      `;
      const module = join(import.meta.dir, "../../../../server/signup/store/open-store.ts");
      const child = Bun.spawn([process.execPath, "-e", program, module, `file:${path}`, ...emails]);
      await child.exited;
      expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    };
    const people = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${prefix}${at}@x.test`);

    test("copied beside the WAL of another state is rejected with words", async () => {
      await fill(people("early", 300));
      backUp();
      await crash(people("late", 300));
      copyFileSync(copy(), path);
      for (const start of [
        open(),
        operateBeside("count").then(({ error }) => Promise.reject(new Error(error))),
      ]) {
        await expect(start).rejects.toThrow(`restored beside ${path}-wal`);
      }
    });
  });
});
