import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { postgresPool, silentConnections } from "../../server/signup/store/postgres-pool.ts";
import { openRelay } from "./relay.ts";
import { postgresServer } from "./server.ts";

describe("a pool of connections to PostgreSQL", () => {
  const server = postgresServer();
  let relay: Awaited<ReturnType<typeof openRelay>>;
  let pool: ReturnType<typeof postgresPool>;
  beforeEach(async () => {
    relay = await openRelay(server().url("postgres"));
    const config = { connectionString: relay.url, connectionTimeoutMillis: 2_000 };
    const silent = silentConnections(config);
    pool = postgresPool(config, silent, { connections: 2, statementMs: 1_000 });
  });
  afterEach(async () => {
    await pool.close();
    relay[Symbol.dispose]();
  });

  const select = (value: number) =>
    pool.transaction(async (db) => {
      const [row] = await db.select({ value: sql`${value}::int` }).from(sql`(SELECT 1) AS one`);
      return row?.value;
    });
  const values = [1, 2, 3, 4, 5];
  const selectAll = () => Promise.all(values.map(select));

  test("work is done once, on another connection, when all have fallen silent", async () => {
    expect(await selectAll()).toEqual(values);
    relay.begin();
    relay.end();
    let runs = 0;
    const count = () =>
      pool.transaction(async () => {
        runs += 1;
      });
    await Promise.all(values.map(count));
    expect(runs).toBe(values.length);
  }, 10_000);

  test("a statement that nobody hears gives its place back when another machine answers", async () => {
    const cut = () =>
      pool.transaction(async (db) => {
        await db.execute(sql`SELECT 1`);
        relay.begin();
        await db.execute(sql`SELECT 2`);
      });
    const cuts = await Promise.allSettled([cut(), cut()]);
    expect(cuts).toMatchObject(Array(2).fill({ reason: { code: "postgres-silent" } }));
    relay.end();
    const start = performance.now();
    for (const value of values) {
      while ((await select(value).catch(() => undefined)) !== value) {
        expect(performance.now() - start).toBeLessThan(15_000);
      }
    }
  }, 30_000);

  test("an error of the work does not repeat it", async () => {
    let runs = 0;
    const fail = pool.transaction(async () => {
      runs += 1;
      throw new Error("of the work");
    });
    await expect(fail).rejects.toThrow("of the work");
    expect(runs).toBe(1);
  });

  test("a server that stays silent is reported in time", async () => {
    await select(1);
    relay.begin();
    await expect(select(2)).rejects.toMatchObject({ code: "postgres-silent" });
    relay.end();
    expect(await select(3)).toBe(3);
  }, 10_000);

  test("a connection that may only read, as one to a standby, is not used again", async () => {
    const admin = new Bun.SQL({ url: server().url("postgres"), max: 1 });
    const write = () =>
      pool.transaction(async (db) => {
        await db.execute(sql`CREATE TABLE written ()`);
        await db.execute(sql`DROP TABLE written`);
      });
    // A session takes the default of the database when it begins, and keeps it.
    await admin`ALTER DATABASE postgres SET default_transaction_read_only = on`;
    const failed = await write().catch((error: unknown) => error);
    await admin`ALTER DATABASE postgres RESET default_transaction_read_only`.simple();
    await admin.close();
    expect(failed).toMatchObject({ cause: { code: "25006" } });
    await write();
  }, 10_000);
});
