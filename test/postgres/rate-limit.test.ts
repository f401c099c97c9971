import { expect, test } from "bun:test";
import { postgres } from "../server/support/databases.ts";
import { minuteWithSeconds, passed } from "../server/support/rate-limit.ts";
import { startServer } from "../server/support/servers.ts";
import { postgresServer } from "./server.ts";

const engine = postgres(postgresServer());

test("the rate limit is one of several servers, counted in PostgreSQL without an address", async () => {
  const database = await engine.create();
  const environment = {
    DATABASE_URL: database.url,
    RATE_LIMIT: "4",
    CHALLENGE_SECRET: "challenge-secret-of-the-site-0001",
  };
  await minuteWithSeconds(12);
  const servers = [
    await startServer(undefined, environment),
    await startServer(undefined, environment),
  ];
  expect(await passed(servers)).toBe(4);
  expect(
    await database.query(
      "SELECT count, length(key) AS length, expires_at - now() < interval '2 minutes' AS soon, relpersistence FROM handtools.rate_counts, pg_class WHERE relname = 'rate_counts'",
    ),
  ).toEqual([{ count: 8, length: 43, soon: true, relpersistence: "u" }]);
  await database.query("UPDATE handtools.rate_counts SET expires_at = now() - interval '1 s'");
  await fetch(`${servers[0]?.base}/api/beta-signup/challenge`);
  expect(await database.query("SELECT count FROM handtools.rate_counts")).toEqual([{ count: 1 }]);
  for (const server of servers) {
    server.signal("SIGTERM");
    expect(await server.exited()).toBe(0);
  }
}, 90_000);
