import { expect, test } from "bun:test";
import { postgres } from "../server/support/databases.ts";
import { startServer } from "../server/support/servers.ts";
import { SIGNUP, TOKENLESS } from "../server/support/signup.ts";
import { signupsCommand } from "../server/support/signups-command.ts";
import { postgresServer } from "./server.ts";

const server = postgresServer();

/** What `docs/operations.md` promises for one process. */
const MOST_CONNECTIONS = 6;

test("while the standby is gone and each COMMIT hangs, a server keeps to six connections", async () => {
  const database = await postgres(server).create();
  const secret = "secret-of-a-server-of-ours-000001";
  const serving = await startServer(undefined, {
    DATABASE_URL: database.url,
    SIGNUP_INGEST_SECRET: secret,
    RATE_LIMIT: "1000",
  });
  const admin = new Bun.SQL({ url: server().url("postgres"), max: 1 });
  const waitForStandby = async (name: string) => {
    await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await admin.unsafe("SELECT pg_reload_conf()");
  };
  let most = 0;
  const count = async () => {
    const [row] = await admin.unsafe(
      "SELECT count(*)::int AS number FROM pg_stat_activity WHERE application_name = 'handtools'",
    );
    most = Math.max(most, row.number);
  };
  const signUp = async (at: number) => {
    const response = await fetch(serving.base + SIGNUP, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
      body: JSON.stringify({ ...TOKENLESS, email: `a${at}@x.test` }),
    });
    return response.status;
  };
  const isReady = async () => (await fetch(`${serving.base}/readyz`)).status;
  const untilReady = async () => {
    for (let tries = 0; tries < 100 && (await isReady()) !== 200; tries += 1) await Bun.sleep(100);
  };

  expect([await signUp(0), await isReady()]).toEqual([200, 200]);
  await waitForStandby("gone");
  // The last answer of the database counts for a second.
  await Bun.sleep(1_500);
  const waiting: Promise<number>[] = [];
  for (let second = 0; second < 20; second += 1) {
    waiting.push(signUp(2 * second + 1), signUp(2 * second + 2));
    expect(await isReady()).toBe(503);
    await count();
    await Bun.sleep(500);
  }
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([500]));
  await count();
  expect(most).toBeLessThanOrEqual(MOST_CONNECTIONS);
  const asked = await signupsCommand(["count"], { DATABASE_URL: database.url });
  expect(asked).toEqual({ exitCode: 0, out: "1\n", error: "" });

  await waitForStandby("");
  await untilReady();
  expect(await Promise.all(Array.from({ length: 20 }, (_, at) => signUp(100 + at)))).toEqual(
    Array(20).fill(200),
  );
  await count();
  expect(most).toBeLessThanOrEqual(MOST_CONNECTIONS);
  serving.signal("SIGTERM");
  expect(await serving.exited()).toBe(0);
  await admin.close();
  await database.drop();
}, 120_000);
