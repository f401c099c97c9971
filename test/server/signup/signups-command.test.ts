import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { NEEDS_NAME } from "../../../server/signup/newsletter/listmonk-api.ts";
import { openStore } from "../../../server/signup/store/open-store.ts";
import { hasProgram } from "../../support/programs.ts";
import { sqlite, type TestDatabase } from "../support/databases.ts";
import { create, listmonkVariables, startFakeListmonk } from "../support/fake-listmonk.ts";
import { fails } from "../support/faults.ts";
import { NOW, signup } from "../support/signup.ts";
import { signups, signupsCommand } from "../support/signups-command.ts";

// Some cases start processes, which takes long on a busy machine.
setDefaultTimeout(30_000);

let database: TestDatabase;
beforeEach(async () => {
  database = await sqlite.create();
});
afterEach(() => database.drop());

const operate = (
  words: readonly string[],
  environment: Record<string, string> = {},
  files: Record<string, string | Uint8Array> = {},
) => signups(words, { DATABASE_URL: database.url, ...environment }, files);

async function fill(rows: readonly Parameters<typeof signup>[]): Promise<void> {
  const store = await openStore(database.url);
  for (const row of rows) await store.record(signup(...row), undefined, NOW);
  await store.close();
}

const linesOf = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("signups export", () => {
  // U+009B begins a command of a terminal, U+202E turns the direction of writing.
  const HOSTILE = '\u009b31m \u202e \u001b[2J "a", b\n';
  const UNSAFE =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  test.each([
    ["of one address", ["export", "a@x.test"]],
    ["of all as JSON lines", ["export"]],
    ["of all as CSV", ["export", "--format", "csv"]],
  ])("%s holds no control or bidi character", async (_, words) => {
    await fill([["a@x.test", { ctaSource: HOSTILE }]]);
    const { out, exitCode } = await operate(words);
    expect(exitCode).toBe(0);
    expect(out).toInclude("a@x.test");
    expect(out).not.toMatch(UNSAFE);
  });

  test("as CSV has the mark by which Excel knows UTF-8, a heading, and no formula in an address", async () => {
    await fill([["=1@x.test"], ["a@x.test"]]);
    const { out } = await operate(["export", "--format", "csv"]);
    const time = NOW.toISOString();
    expect(out.split("\n")).toEqual([
      "\ufeffemail,ctaSource,referral,referralOther,createdAt,synced,syncedAt,rejected",
      `'=1@x.test,hero,,,${time},false,,false`,
      `a@x.test,hero,,,${time},false,,false`,
      "",
    ]);
  });

  test.each([
    ["a, b", '"a, b"'],
    ['say "a"', '"say ""a"""'],
    ["=1", "'=1"],
    ['-"x"', `"'-""x"""`],
    [" \u00a0\u3000=1", "' \u00a0\u3000=1"],
    ["x; ＝1;+2", "x;' ＝1;'+2"],
  ])("as CSV writes %j as a text, in which no separator begins a formula", async (text, cell) => {
    await fill([["a@x.test", { ctaSource: text }]]);
    const { out } = await operate(["export", "--format", "csv"]);
    expect(out.split("\n")[1]).toBe(`a@x.test,${cell},,,${NOW.toISOString()},false,,false`);
  });
});

describe("signups sync", () => {
  /** Three waiting rows, of which listmonk has two, and one that is synced. */
  const setUp = async () => {
    const listmonk = startFakeListmonk();
    const { subscribers, list } = listmonk;
    const row = { name: "Old Name", status: "enabled", attribs: {}, preconfirm: false };
    subscribers.add({ ...row, email: "known@x.test", lists: [] });
    subscribers
      .add({ ...row, email: "gone@x.test", lists: [list.id] })
      .subscriptions.set(list.id, "unsubscribed");
    await fill([["known@x.test"], ["gone@x.test"], ["new@x.test"], ["synced@x.test"]]);
    await database.query("UPDATE signups SET sync_state = 'synced' WHERE email = 'synced@x.test'");
    return listmonk;
  };
  const statuses = (listmonk: ReturnType<typeof startFakeListmonk>) =>
    Object.fromEntries(
      [...listmonk.subscribers.rows.values()].map((row) => [
        row.email,
        [row.name, row.subscriptions.get(listmonk.list.id)],
      ]),
    );
  const waiting = async () =>
    (await database.query("SELECT email FROM signups WHERE sync_state = 'pending' ORDER BY 1")).map(
      (row) => Object(row).email,
    );

  test("lists who waits, since when and why, and asks listmonk nothing", async () => {
    await using listmonk = await setUp();
    const environment = listmonkVariables(listmonk);
    await operate(["sync", "--yes"], environment);
    await fill([["=\u202e@x.test"]]);
    const asked = listmonk.seen.length;
    const { out, error, exitCode } = await operate(["sync"], environment);
    expect({ error, exitCode }).toEqual({ error: "", exitCode: 0 });
    expect(linesOf(out)).toEqual([
      { email: "=\u202e@x.test", createdAt: NOW.toISOString() },
      {
        email: "new@x.test",
        createdAt: NOW.toISOString(),
        failedAt: expect.any(String),
        failure: NEEDS_NAME,
      },
    ]);
    expect(out).not.toInclude("\u202e");
    const all = await operate(["sync", "--all"], environment);
    expect(linesOf(all.out)).toHaveLength(5);
    expect(listmonk.seen).toHaveLength(asked);
  });

  test("subscribes those that listmonk has, except people who have unsubscribed", async () => {
    await using listmonk = await setUp();
    const { out } = await operate(["sync", "--yes"], listmonkVariables(listmonk));
    expect(out).toInclude("2 subscribed or left alone\n");
    expect(await waiting()).toEqual(["new@x.test"]);
    expect(statuses(listmonk)).toEqual({
      "known@x.test": ["Old Name", "unconfirmed"],
      "gone@x.test": ["Old Name", "unsubscribed"],
    });
    expect(listmonk.subscribers.byEmail("known@x.test")?.attribs).toEqual({ ctaSource: "hero" });
  });

  test("counts what fails, says why once, and exits with 1", async () => {
    await using listmonk = await setUp();
    const environment = { ...listmonkVariables(listmonk), LISTMONK_API_TOKEN: "wrong" };
    const { out, error, exitCode } = await operate(["sync", "--yes"], environment);
    expect({ error, exitCode }).toEqual({
      error: "error: listmonk failed for 3 signups\n",
      exitCode: 1,
    });
    expect(out).toMatch(/^3 waiting\n3 not subscribed: listmonk's GET .* is forbidden: .*\n$/);
    expect(await waiting()).toHaveLength(3);
  });

  test("counts apart whom listmonk rejects for good, says why, and does not try again", async () => {
    await using listmonk = startFakeListmonk();
    const environment = listmonkVariables(listmonk);
    await fill([["a@blocked.test"], ["b@x.test"]]);
    const why = "listmonk does not accept the address: E-mail domain is blocklisted.";
    const sync = (...words: string[]) => operate(["sync", ...words], environment);
    expect(await sync("--yes", "--subscriber-name", "Friend")).toEqual({
      exitCode: 0,
      out: `2 waiting\n1 not subscribed: ${why}\n1 subscribed or left alone\n`,
      error: "",
    });
    expect(await waiting()).toEqual([]);
    expect((await sync("--yes", "--subscriber-name", "Friend")).out).toBe("0 waiting\n");
    await sync("--yes", "--all");
    const { out: exported } = await operate(["export"]);
    expect(linesOf(exported).map(({ rejected }) => rejected)).toEqual([true, false]);
    const [listed] = linesOf((await sync()).out);
    expect(listed).toMatchObject({ email: "a@blocked.test", failure: why });
    for (const email of ["a@blocked.test", "b@x.test"]) await operate(["delete", email]);
    await operate(["import", "rows"], {}, { rows: exported });
    expect((await operate(["export"])).out).toBe(exported);
  });

  test("leaves out whom a server syncs at the moment, and says so", async () => {
    await using listmonk = await setUp();
    const store = await openStore(database.url);
    await store.lease("known@x.test", 20_000, new Date());
    await store.close();
    const { out, exitCode } = await operate(["sync", "--yes"], listmonkVariables(listmonk));
    expect(exitCode).toBe(1);
    expect(out).toBe(
      `3 waiting\n1 subscribed or left alone\n1 not subscribed: another process syncs the address, or it was deleted\n1 not subscribed: ${NEEDS_NAME}\n`,
    );
  });

  test("--all brings everybody to a list that was made again, except those who have left it", async () => {
    await using listmonk = await setUp();
    await operate(["sync", "--yes", "--subscriber-name", "Friend"], listmonkVariables(listmonk));
    const { subscribers } = listmonk;
    const list = subscribers.addList({ name: "Anew", type: "public", optin: "double" });
    const anew = { ...listmonkVariables(listmonk), LISTMONK_LIST_ID: String(list.id) };
    subscribers.byEmail("gone@x.test")?.subscriptions.set(list.id, "unsubscribed");
    const { out } = await operate(["sync", "--all", "--yes", "--subscriber-name", "Friend"], anew);
    expect(out).toBe("4 stored\n4 subscribed or left alone\n");
    const on = [...subscribers.rows.values()].map((row) => row.subscriptions.get(list.id));
    expect(on.sort()).toEqual(["unconfirmed", "unconfirmed", "unconfirmed", "unsubscribed"]);
    expect(subscribers.mails).toHaveLength(3);
  });
});

describe("signups delete", () => {
  test("says what is still in listmonk, and with --with-subscriber deletes it there too", async () => {
    await using listmonk = startFakeListmonk();
    const environment = listmonkVariables(listmonk);
    await fill([["a@x.test"], ["b@x.test"], ["c@x.test"]]);
    await operate(["sync", "--yes", "--subscriber-name", "Friend"], environment);
    await fill([["d@x.test"]]);
    const id = (email: string) => listmonk.subscribers.byEmail(email)?.id;
    expect((await operate(["delete", "a@x.test"])).out).toBe(
      "listmonk may have the address: --with-subscriber looks for it and deletes it\ndeleted here\n",
    );
    const gone = id("b@x.test");
    expect((await operate(["delete", "--with-subscriber", "b@x.test"], environment)).out).toBe(
      `deleted in listmonk: subscriber ${gone}\ndeleted here\n`,
    );
    expect(id("b@x.test")).toBeUndefined();
    expect((await operate(["delete", "--with-subscriber", "d@x.test"], environment)).out).toBe(
      "listmonk does not have the address\ndeleted here\n",
    );
    listmonk.faults.set("DELETE /api/subscribers/{id}", fails(500));
    expect(await operate(["delete", "--with-subscriber", "never@x.test"], environment)).toEqual({
      exitCode: 1,
      out: "",
      error: "error: the address is not stored\n",
    });
    expect(await operate(["delete", "--with-subscriber", "c@x.test"], environment)).toEqual({
      exitCode: 1,
      out: "",
      error: expect.stringContaining(
        "DELETE /api/subscribers/{id} returned an unexpected response, 500",
      ),
    });
    expect((await operate(["count"])).out).toBe("1\n");
  });

  test("deletes nothing during a sync that is about to bring the address to listmonk", async () => {
    await using listmonk = startFakeListmonk();
    const environment = listmonkVariables(listmonk);
    await fill([["a@x.test"]]);
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    listmonk.faults.set("POST /api/subscribers", async () => {
      asked.resolve();
      await goOn.promise;
      return create(listmonk.subscribers, { email: "a@x.test", lists: [listmonk.list.id] });
    });
    const synced = operate(["sync", "--yes", "--subscriber-name", "Friend"], environment);
    await asked.promise;
    const remove = () => operate(["delete", "--with-subscriber", "a@x.test"], environment);
    const inUse =
      "a sync or a deletion of the address is under way, or ended early: repeat the command in 20 seconds\n";
    const failure = { exitCode: 1, out: "", error: `error: ${inUse}` };
    expect(await remove()).toEqual(failure);
    expect(await operate(["delete", "a@x.test"], environment)).toEqual(failure);
    goOn.resolve();
    expect((await synced).out).toInclude("1 subscribed or left alone\n");
    expect((await remove()).out).toMatch(/^deleted in listmonk: subscriber \d+\ndeleted here\n$/);
    expect(listmonk.subscribers.rows.size).toBe(0);
  });
});

describe("an address in letters outside ASCII", () => {
  const STORED = "info@xn--mller-kva.example";
  const WRITTEN = "Info@MÜLLER。example";

  test.each([[WRITTEN], [STORED]])("is exported and deleted as %s", async (email) => {
    await fill([[STORED]]);
    expect(JSON.parse((await operate(["export", email])).out)).toMatchObject({ email: STORED });
    expect(await operate(["delete", email])).toMatchObject({ exitCode: 0, error: "" });
    expect((await operate(["count"])).out).toBe("0\n");
  });

  test("is deleted in listmonk in both spellings", async () => {
    await using listmonk = startFakeListmonk();
    for (const email of [STORED, "info@müller.example"]) {
      const row = { email, name: "A", status: "enabled", attribs: {} };
      listmonk.subscribers.add({ ...row, lists: [], preconfirm: false });
    }
    await fill([[STORED]]);
    const words = ["delete", "--with-subscriber", WRITTEN];
    const { out } = await operate(words, listmonkVariables(listmonk));
    expect(out.match(/^deleted in listmonk/gm)).toHaveLength(2);
    expect(listmonk.subscribers.rows.size).toBe(0);
  });
});

test.each(["--help@x.test", "-@x.test"])(
  "%s is exported and deleted after --, and without it the error says so",
  async (email) => {
    await fill([[email]]);
    const after = (name: string) => operate([name, "--", email]);
    for (const name of ["export", "delete"]) {
      const { exitCode, error } = await operate([name, email]);
      expect([exitCode, error]).toEqual([2, expect.stringContaining("put -- before an address")]);
    }
    expect(JSON.parse((await after("export")).out)).toMatchObject({ email });
    expect(await after("delete")).toMatchObject({ exitCode: 0, error: "" });
    expect((await operate(["count"])).out).toBe("0\n");
  },
);

test.each([
  ["export", "müller@site.test"],
  ["delete", "ada@site.test, bob@site.test"],
])("signups %s rejects %j, which is no address", async (name, email) => {
  await fill([["a@x.test"]]);
  expect(await operate([name, email])).toEqual({
    exitCode: 2,
    out: "",
    error: "error: EMAIL: must be an e-mail address, such as me@example.com\n",
  });
});

describe("signups import", () => {
  test("brings an export into another database, all of it", async () => {
    await fill([
      ["a@x.test", { referral: "other", referralOther: '"é😀,\u202e\u2028' }],
      ["b@x.test"],
    ]);
    await using listmonk = startFakeListmonk();
    await operate(["sync", "--yes", "--subscriber-name", "Friend"], listmonkVariables(listmonk));
    await fill([["c@x.test"]]);
    const { out: exported } = await operate(["export"]);
    const other = await sqlite.create();
    await (await openStore(other.url)).close();
    const importRows = (rows: string) =>
      operate(["import", "rows.jsonl"], { DATABASE_URL: other.url }, { "rows.jsonl": rows });
    expect(await importRows(exported)).toMatchObject({ out: "imported: 3\nalready stored: 0\n" });
    expect((await operate(["export"], { DATABASE_URL: other.url })).out).toBe(exported);
    expect(await importRows(exported)).toMatchObject({ out: "imported: 0\nalready stored: 3\n" });
    expect(await importRows(`${exported}{"email":"d@x.test"}\n`)).toMatchObject({
      exitCode: 2,
      error: "error: line 4 is not a row of handtools signups export; nothing was imported\n",
    });
    await other.drop();
  });

  // A command that goes from Node to Bun leaves it what it reads.
  test.if(hasProgram("node"))("reads standard input on Node", async () => {
    await fill([["a@x.test"]]);
    const input = new Blob([(await operate(["export"])).out]);
    await operate(["delete", "a@x.test"]);
    const environment = { DATABASE_URL: database.url };
    const { out, error } = await signupsCommand(["import", "-"], environment, {
      input,
      onNode: true,
    });
    expect(out || error).toBe("imported: 1\nalready stored: 0\n");
  });
});

describe("--env-file", () => {
  const count = (file: string) =>
    signups(
      ["count", "--env-file", "x.env"],
      {},
      { "x.env": file.replace("=URL", `=${database.url}`) },
    );

  test.each([
    ["SECRET=abc#def\n", "SECRET: is cut off at the #; put the value in quotes"],
    ["A='x\nDATABASE_URL=URL\n# it's\n", "A: must not have a line break; close its quote"],
  ])("rejects %j, which systemd reads otherwise", async (file, problem) => {
    expect(await count(file)).toMatchObject({ exitCode: 2, error: `error: x.env: ${problem}\n` });
  });

  test("fills in what is empty in the environment", async () => {
    await fill([["a@x.test"]]);
    const files = { "x.env": `DATABASE_URL=${database.url}\n` };
    expect(await signups(["count", "--env-file", "x.env"], { DATABASE_URL: "" }, files)).toEqual({
      exitCode: 0,
      out: "1\n",
      error: "",
    });
  });
});

test("the examples of every subcommand's --help run", async () => {
  await fill([["ada@example.org"], ["b@x.test"]]);
  await using listmonk = startFakeListmonk();
  const environment = { DATABASE_URL: database.url, ...listmonkVariables(listmonk) };
  const { out: exported } = await operate(["export"]);
  const files = { "handtools.env": "LOG=off\n", "signups.jsonl": exported };
  const failed: string[] = [];
  // The address is deleted last.
  for (const name of ["count", "export", "sync", "import", "delete"]) {
    const { out } = await operate([name, "--help"]);
    const lines = [...out.matchAll(/^ {2}\$ handtools signups (.*)$/gm)].map(
      ([, line = ""]) => line,
    );
    if (lines.length === 0) failed.push(`${name} has none`);
    for (const line of lines) {
      const words = line.replace(/ > .*/, "").split(" ");
      const { exitCode, error } = await signups(words, environment, files);
      if (exitCode !== 0) failed.push(`${line}: ${error}`);
    }
  }
  expect(failed).toEqual([]);
});
