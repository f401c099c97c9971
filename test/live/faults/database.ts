import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { startPgbouncer } from "../../server/support/pgbouncer.ts";
import { expectSame } from "../runner.ts";
import { ms, SYNCED, spread, waitUntil } from "./expect.ts";
import { openPostgres, openRelay, type Postgres, sqliteFile } from "./fakes.ts";
import { smallDisk } from "./host.ts";
import {
  type DatabaseOutage,
  expectCleanStop,
  NO_FAULT,
  type Scenario,
  throughDatabaseOutage,
} from "./outage.ts";
import { openSite, type Site, startWatch } from "./site.ts";

/** As many as a server has connections. */
const COMMITS = 5;

/** A PostgreSQL that does not run says so at once. */
const REFUSED = {
  withinMs: 100,
  fault: /ERR_POSTGRES_(?:CONNECTION_(?:REFUSED|CLOSED)|SERVER_ERROR 57P\d\d)/,
};

/** One that says nothing is given up after seven seconds; what is under way has one more. */
const SILENT = { withinMs: 8_000, fault: /postgres-silent|ERR_POSTGRES_CONNECTION_TIMEOUT/ };

const OUTAGES: readonly (readonly [string, (postgres: Postgres) => DatabaseOutage])[] = [
  ["is stopped, and started again", ({ stop, start }) => ({ begin: stop, end: start, ...REFUSED })],
  ["is killed, and started again", ({ kill, start }) => ({ begin: kill, end: start, ...REFUSED })],
  ["is frozen, and thawed", ({ freeze, thaw }) => ({ begin: freeze, end: thaw, ...SILENT })],
];

export const postgresOutages: readonly Scenario[] = [
  ...OUTAGES.map(([what, outage]) => ({
    title: `PostgreSQL ${what}`,
    run: async () => {
      await using postgres = await openPostgres();
      const { url, rows } = postgres;
      return await throughDatabaseOutage({ url, rows, commits: COMMITS }, outage(postgres));
    },
  })),
  {
    title: "PostgreSQL's machine dies, and another takes its place",
    run: async () => {
      await using postgres = await openPostgres();
      using relay = await openRelay(postgres.url);
      const { url, silence, restore } = relay;
      const database = { url, rows: postgres.rows, commits: COMMITS };
      return await throughDatabaseOutage(database, { begin: silence, end: restore, ...SILENT });
    },
  },
];

const READY = '200 {"status":"pass"}';
const NOT_READY = '503 {"status":"fail"}';

/** An answer counts for a second and waits for one; a connection that was silent is given up later. */
const NOTICED_MS = 3_000;
const READY_AGAIN_MS = 12_000;

/** Waits for an answer of /readyz, while the site stays healthy. @returns how long it took. */
async function becomes(site: Site, wanted: string, timeoutMs: number): Promise<string> {
  const start = performance.now();
  await waitUntil(wanted, async () => (await site.readiness()) === wanted, timeoutMs);
  expectSame(await site.isHealthy(), true);
  return ms(performance.now() - start);
}

/** The answers to a balancer meanwhile. */
export const readiness: readonly Scenario[] = OUTAGES.map(([what, outage]) => ({
  title: `PostgreSQL ${what}: /readyz is 200, then 503, then 200 again, and the health check 200`,
  run: async () => {
    await using postgres = await openPostgres();
    await using site = await openSite({ DATABASE_URL: postgres.url });
    const { begin, end } = outage(postgres);
    expectSame(await site.readiness(), READY);
    await begin(site);
    const noticed = await becomes(site, NOT_READY, NOTICED_MS);
    await end(site);
    const readyAgain = await becomes(site, READY, READY_AGAIN_MS);
    await expectCleanStop(site, NO_FAULT);
    return `503 after ${noticed}, 200 again after ${readyAgain}`;
  },
}));

export const poolerOutages: readonly Scenario[] = (["session", "transaction"] as const).map(
  (mode) => ({
    title: `pgbouncer in ${mode} mode is stopped, and started again`,
    run: async () => {
      await using postgres = await openPostgres();
      const pooler = await startPgbouncer(postgres.url, mode);
      const url = pooler.url(new URL(postgres.url).pathname.slice(1));
      const { halt, resume } = pooler;
      const database = { url, rows: postgres.rows, commits: COMMITS };
      return await throughDatabaseOutage(database, {
        begin: halt,
        end: resume,
        ...REFUSED,
      }).finally(pooler.end);
    },
  }),
);

/** Signups wait two seconds for a lock. */
const PATIENCE_MS = 2_000;

/** Another process, such as an operator's shell, which waits for its turn. */
function openBeside(path: string): Database {
  const file = new Database(path);
  // The server warns of a file that other users can read, and this is not about that.
  chmodSync(path, 0o600);
  file.run("PRAGMA busy_timeout = 2000");
  return file;
}

export const fileLocked: readonly Scenario[] = [
  {
    title: "the SQLite file is locked for longer than signups wait",
    run: async () => {
      using database = sqliteFile();
      using other = openBeside(database.path);
      return await throughDatabaseOutage(database, {
        begin: () => other.run("BEGIN IMMEDIATE"),
        end: () => other.run("COMMIT"),
        withinMs: PATIENCE_MS,
        fault: /SQLITE_BUSY/,
      });
    },
  },
  {
    title: "the SQLite file is locked for a second while 200 signups come",
    run: async () => {
      using database = sqliteFile();
      await using site = await openSite({ DATABASE_URL: database.url });
      using other = openBeside(database.path);
      other.run("BEGIN IMMEDIATE");
      await using watch = startWatch(site);
      const signups = Array.from({ length: 200 }, site.signUp);
      await Bun.sleep(PATIENCE_MS / 2);
      other.run("COMMIT");
      const answers = await Promise.all(signups);
      const lively = await watch.judge();
      expectSame(new Set(answers.map(({ outcome }) => outcome)), new Set([SYNCED]));
      await expectCleanStop(site, NO_FAULT);
      return `answered in ${spread(answers)}, ${lively}`;
    },
  },
];

type Change = (path: string, aside: string) => void;

const CHANGES: readonly (readonly [string, Change])[] = [
  ["the SQLite file is gone until it is put back", renameSync],
  [
    "a copy is in the SQLite file's place until it is put back",
    (path, aside) => {
      renameSync(path, aside);
      copyFileSync(aside, path);
    },
  ],
];

/** SQLite itself would go on writing to a file that nobody will ever read again. */
export const fileMoved: readonly Scenario[] = CHANGES.map(([title, change]) => ({
  title,
  run: async () => {
    using database = sqliteFile();
    const { path } = database;
    const aside = `${path}.aside`;
    return await throughDatabaseOutage(database, {
      begin: () => change(path, aside),
      end: () => renameSync(aside, path),
      withinMs: 100,
      fault: /sqlite-file-replaced/,
    });
  },
}));

/** Of the readiness: an answer counts for a second, and a write that worked for five. */
const DISK_NOTICED_MS = 8_000;

/** It needs the right to mount. */
export const fullDiskIsNotReady: Scenario = {
  title: "the disk is full: /readyz is 503 until space is freed, and the health check 200",
  run: async () => {
    using disk = smallDisk();
    await using site = await openSite({ DATABASE_URL: sqliteFile(disk.folder).url });
    expectSame(await site.readiness(), READY);
    disk.fill();
    const noticed = await becomes(site, NOT_READY, DISK_NOTICED_MS);
    disk.free();
    const readyAgain = await becomes(site, READY, DISK_NOTICED_MS);
    await expectCleanStop(site, NO_FAULT);
    return `503 after ${noticed}, 200 again after ${readyAgain}`;
  },
};

/** It needs the right to mount. */
export const diskFull: Scenario = {
  title: "the disk is full until space is freed",
  run: async () => {
    using disk = smallDisk();
    return await throughDatabaseOutage(sqliteFile(disk.folder), {
      begin: disk.fill,
      end: disk.free,
      withinMs: 100,
      fault: /SQLITE_FULL/,
    });
  },
};

export const quotaUsedUp: Scenario = {
  title: "a quota is used up until it is raised",
  run: async () => {
    using database = sqliteFile();
    return await throughDatabaseOutage(database, {
      begin: (site) => limitFileSize(site, "0"),
      end: (site) => limitFileSize(site, "unlimited"),
      withinMs: 100,
      fault: /SQLITE_IOERR/,
    });
  },
};

/** How far into a file the server may write; where it logs is none. */
function limitFileSize({ pid }: Site, bytes: string): void {
  const done = Bun.spawnSync(["prlimit", "--pid", String(pid), `--fsize=${bytes}:unlimited`]);
  if (!done.success) throw new Error(`prlimit failed: ${done.stderr}`);
}
