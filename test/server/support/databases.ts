import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";

/** The folder of Debian's package "postgresql", with a folder for each version. */
const VERSIONS = "/usr/lib/postgresql";

const [newest] = existsSync(VERSIONS)
  ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))
  : [];

/** The account "nobody" runs the server when root runs the tests, which the server rejects. */
export const NOBODY = 65_534;

const STARTS_WITHIN_MS = 30_000;

/** Starts a PostgreSQL server in a temporary folder, on a free port of this machine. */
export async function startPostgres() {
  if (newest === undefined) throw new Error(`there is no PostgreSQL in ${VERSIONS}`);
  const folder = mkdtempSync(join(tmpdir(), "handtools-postgres-"));
  const asNobody = process.getuid?.() === 0;
  if (asNobody) chownSync(folder, NOBODY, NOBODY);
  const port = await freePort();
  const command = (program: string, ...flags: readonly string[]) => [
    // The server ends with this process, even when that is killed.
    ...["setpriv", "--pdeathsig", "INT"],
    ...(asNobody ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : []),
    ...[join(VERSIONS, newest, "bin", program), "-D", join(folder, "data"), ...flags],
  ];
  const made = Bun.spawnSync(
    command("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"),
  );
  if (!made.success) throw new Error(`initdb failed: ${made.stderr}`);

  const start = async () => {
    const child = Bun.spawn(
      command("postgres", "-p", String(port), "-h", "127.0.0.1", "-k", folder),
      { stdio: ["ignore", "ignore", "ignore"] },
    );
    await untilItAnswers(urlOf(port, "postgres"), STARTS_WITHIN_MS);
    return child;
  };
  let server = await start();
  const halt = async () => {
    server.kill("SIGINT");
    await server.exited;
  };
  const signalAll = (signal: "SIGSTOP" | "SIGCONT") => {
    const children = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(server.pid)]);
    const pids = [String(server.pid), ...children.stdout.toString().trim().split(/\s+/)];
    Bun.spawnSync(["kill", `-${signal}`, ...pids]);
  };
  return {
    url: (database: string) => urlOf(port, database),
    /** Makes it fall silent, connections and all, until it goes on. */
    pause: () => signalAll("SIGSTOP"),
    goOn: () => signalAll("SIGCONT"),
    halt,
    resume: async () => {
      server = await start();
    },
    end: async () => {
      await halt();
      rmSync(folder, { recursive: true });
    },
  };
}

const urlOf = (port: number, database: string): string =>
  `postgres://postgres@127.0.0.1:${port}/${database}`;

/** Waits for the start of a PostgreSQL server, or of a pooler before one. */
export async function untilItAnswers(url: string, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const client = new Bun.SQL({ url, max: 1, prepare: false });
    try {
      await client`SELECT 1`;
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await Bun.sleep(50);
    } finally {
      await client.close();
    }
  }
}

/** A new and empty database, for one test. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL past the store, on a connection of its own. */
  query(sql: string): Promise<readonly unknown[]>;
  drop(): Promise<void>;
}

/** The differences between the databases, for the cases that run on both. */
export interface TestEngine {
  readonly create: () => Promise<TestDatabase>;
  /** Makes every new row of signups fail, and takes that back. */
  readonly breakRows: string;
  readonly repairRows: string;
  readonly nonces: string;
  /** Lets the stored nonces grow older, as the database sees it. */
  readonly ageNonces: (hours: number) => string;
}

/** A SQLite file in a folder, read beside the server. */
const sqliteIn = (folder: string): TestDatabase => {
  const path = join(folder, "signups.sqlite");
  return {
    url: `file:${path}`,
    query: async (sql) => {
      using file = new Database(path);
      return file.query(sql).all();
    },
    drop: async () => rmSync(folder, { recursive: true }),
  };
};

export const sqlite = {
  create: async () => sqliteIn(mkdtempSync(join(tmpdir(), "handtools-sqlite-"))),
  at: sqliteIn,
  breakRows: `CREATE TRIGGER broken BEFORE INSERT ON signups BEGIN SELECT raise(ABORT, 'broken'); END`,
  repairRows: "DROP TRIGGER broken",
  nonces: "SELECT nonce FROM used_nonces",
  ageNonces: (hours: number) =>
    `UPDATE used_nonces SET expires_at = expires_at - ${hours * 3_600_000}`,
} satisfies TestEngine & { at: unknown };

type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** @param server is asked for when a test begins, because it starts after the tests are listed. */
export const postgres = (server: () => PostgresServer): TestEngine => ({
  create: async () => {
    const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
    const run = async (database: string, sql: string): Promise<readonly unknown[]> => {
      const client = new Bun.SQL({ url: server().url(database), max: 1 });
      try {
        return await client.unsafe(sql);
      } finally {
        await client.close();
      }
    };
    await run("postgres", `CREATE DATABASE ${name}`);
    return {
      url: server().url(name),
      query: (sql) => run(name, sql),
      drop: async () => {
        await run("postgres", `DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  },
  breakRows: "ALTER TABLE handtools.signups ADD CONSTRAINT broken CHECK (false) NOT VALID",
  repairRows: "ALTER TABLE handtools.signups DROP CONSTRAINT broken",
  nonces: "SELECT nonce FROM handtools.used_nonces",
  ageNonces: (hours) =>
    `UPDATE handtools.used_nonces SET expires_at = expires_at - interval '${hours} hours'`,
});

/** A new SQLite file, which goes when the tests of the file are done. */
export function temporaryDatabase(): Database {
  const folder = mkdtempSync(join(tmpdir(), "handtools-signup-"));
  // Windows removes no file that is open.
  if (process.platform !== "win32") afterAll(() => rmSync(folder, { recursive: true }));
  return new Database(join(folder, "signups.sqlite"));
}
