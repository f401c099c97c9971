import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openStore } from "../../server/signup/store/open-store.ts";
import { postgres, type TestDatabase } from "../server/support/databases.ts";
import { startPgbouncer } from "../server/support/pgbouncer.ts";
import { startServer } from "../server/support/servers.ts";
import { GOOD, NOW, SIGNUP, signup, use } from "../server/support/signup.ts";
import { signupsCommand } from "../server/support/signups-command.ts";
import { postgresServer } from "./server.ts";

const open = async (url: string) => (await openStore(url)).close();

describe("the start with PostgreSQL", () => {
  const server = postgresServer();
  let database: TestDatabase;
  beforeEach(async () => {
    database = await postgres(server).create();
  });
  afterEach(() => database.drop());

  test("rejects a database that cannot keep every text, with the command that makes one", async () => {
    await database.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const failure = String(await openStore(server().url("latin")).catch((error: unknown) => error));
    await database.query("DROP DATABASE latin");
    expect(failure).toContain("its encoding, LATIN1");
    const [, options = ""] = /: createdb (.+) NAME$/.exec(failure) ?? [];
    const { port } = new URL(database.url);
    const place = ["-h", "127.0.0.1", "-p", port, "-U", "postgres"];
    const made = Bun.spawnSync(["createdb", ...place, ...options.split(" "), "fit"]);
    expect(String(made.stderr)).toBe("");
    await open(server().url("fit"));
  });

  test("leaves no lock behind in a pooler", async () => {
    const pooler = await startPgbouncer(server().url("postgres"), "transaction");
    await open(pooler.url(new URL(database.url).pathname.slice(1)));
    const locks = await database.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'");
    await pooler.end();
    expect(locks).toEqual([]);
  });

  describe("as a role that owns nothing", () => {
    const role = `visitor_${crypto.randomUUID().slice(0, 8)}`;
    const as = () => database.url.replace("postgres://postgres@", `postgres://${role}@`);
    beforeAll(async () => {
      const client = new Bun.SQL({ url: server().url("postgres"), max: 1 });
      await client.unsafe(`CREATE ROLE ${role} LOGIN`);
      await client.close();
    });

    const grants = (name: string) =>
      `GRANT USAGE ON SCHEMA handtools TO ${name}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA handtools TO ${name}`;

    test.each<[string, () => Promise<unknown>, string]>([
      ["it may make no schema", async () => {}, "database test_\\w+"],
      ["it may not use the schema", () => open(database.url), "schema handtools"],
    ])("the start names the privilege that it lacks: %s", async (_, prepare, denied) => {
      await prepare();
      await expect(openStore(as())).rejects.toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(new RegExp(`permission denied for ${denied}$`)),
      });
    });

    test("it works on tables that its owner has made", async () => {
      await open(database.url);
      await database.query(grants(role));
      const store = await openStore(as());
      expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
      await store.tryWrite();
      await store.close();
    });

    test.each(["signups", "used_nonces", "rate_counts"])(
      "it is not ready without the right to write %s",
      async (table) => {
        await open(database.url);
        await database.query(`${grants(role)}; REVOKE INSERT ON handtools.${table} FROM ${role}`);
        const store = await openStore(as());
        await expect(store.tryWrite()).rejects.toMatchObject({ cause: { code: "42501" } });
        await store.close();
      },
    );

    test("rows that a policy hides from it are an error, and no absence", async () => {
      const owner = await openStore(database.url);
      await owner.record(signup("a@x.test"), undefined, NOW);
      await owner.close();
      const hidden = ["signups", "used_nonces", "rate_counts", "migrations"].map(
        (table) => `ALTER TABLE handtools.${table} ENABLE ROW LEVEL SECURITY`,
      );
      await database.query([grants(role), ...hidden.slice(0, 3)].join("; "));
      const denied = {
        exitCode: 1,
        error: expect.stringContaining("the role needs all rights on the tables of the schema"),
      };
      for (const words of [["count"], ["export"], ["export", "a@x.test"], ["delete", "a@x.test"]]) {
        expect(await signupsCommand(words, { DATABASE_URL: as() })).toMatchObject(denied);
      }
      const store = await openStore(as());
      await expect(store.tryWrite()).rejects.toMatchObject({ cause: { code: "42501" } });
      await store.close();
      await database.query(hidden.join("; "));
      await expect(openStore(as())).rejects.toThrow("row-level security");
    });
  });

  test("the schema of the first version is brought up to date, and keeps its rows", async () => {
    const store = await openStore(database.url);
    await store.record(signup("a@x.test"), undefined, NOW);
    await store.close();
    await database.query(
      "DELETE FROM handtools.migrations WHERE id > 1; DROP TABLE handtools.rate_counts; DROP INDEX handtools.signups_pending; ALTER TABLE handtools.signups DROP leased_until, DROP failed_at, DROP failure, ADD listmonk_id integer",
    );
    await open(database.url);
    expect(await database.query("SELECT email FROM handtools.signups")).toEqual([
      { email: "a@x.test" },
    ]);
    expect(await database.query("SELECT key FROM handtools.rate_counts")).toEqual([]);
  });

  test("an operator's command makes no tables", async () => {
    expect(await signupsCommand(["count"], { DATABASE_URL: database.url })).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("cannot be used: it has no tables of handtools"),
    });
    expect(await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'handtools'")).toEqual(
      [],
    );
  });

  test("a server that has met a silent PostgreSQL stops all the same", async () => {
    const secret = "secret-of-a-server-of-ours-000001";
    const serving = await startServer(undefined, {
      DATABASE_URL: database.url,
      SIGNUP_INGEST_SECRET: secret,
    });
    const signUp = async () => {
      const response = await fetch(serving.base + SIGNUP, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
        body: JSON.stringify({ ...GOOD, turnstileToken: undefined }),
      });
      return response.status;
    };
    const signUps = (length: number) => Promise.all(Array.from({ length }, signUp));
    expect(new Set(await signUps(8))).toEqual(new Set([200]));
    server().pause();
    try {
      // Fewer than there are connections: the others are idle, and dead as well.
      expect(await signUps(2)).toEqual([500, 500]);
      serving.signal("SIGTERM");
      expect(await serving.exited(10_000)).toBe(0);
    } finally {
      server().goOn();
    }
  }, 30_000);

  test("a newer schema is rejected with words", async () => {
    await open(database.url);
    await database.query(
      "INSERT INTO handtools.migrations (hash, created_at) VALUES ('later', 9999999999999)",
    );
    await expect(openStore(database.url)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("its tables were made by a newer version of handtools"),
    });
  });
});
