import { afterEach, beforeEach, expect, test } from "bun:test";
import { type AltchaToSolve, solveAltcha } from "../../support/altcha.ts";
import { sqlite, type TestDatabase } from "../../support/databases.ts";
import { listmonkVariables, startFakeListmonk } from "../../support/fake-listmonk.ts";
import { minuteWithSeconds } from "../../support/rate-limit.ts";
import { startServer } from "../../support/servers.ts";
import { SIGNUP, TOKENLESS } from "../../support/signup.ts";

const SECRET = "secret-of-a-server-of-ours-000001";
const AUTHORIZATION = { Authorization: `Bearer ${SECRET}` };
const OK = '{"ok":true,"listmonk":true}';

let database: TestDatabase;
beforeEach(async () => {
  database = await sqlite.create();
});
afterEach(() => database.drop());

const rows = () => database.query("SELECT * FROM signups");

/** `handtools serve` on the database of the test. */
const start = (environment: Record<string, string> = {}) =>
  startServer(["--port", "0"], {
    DATABASE_URL: database.url,
    SIGNUP_INGEST_SECRET: SECRET,
    ...environment,
  });
type Server = Awaited<ReturnType<typeof start>>;

async function post({ base }: Server, changes: object, headers: Record<string, string> = {}) {
  const response = await fetch(base + SIGNUP, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...TOKENLESS, ...changes }),
  });
  return { status: response.status, body: await response.text() };
}

/** Gets a challenge, and solves it. */
async function solveNew({ base }: Server): Promise<string> {
  const response = await fetch(`${base}${SIGNUP}/challenge`);
  const challenge: AltchaToSolve = JSON.parse(await response.text());
  return solveAltcha(challenge);
}

async function end(server: Server): Promise<void> {
  server.signal("SIGTERM");
  expect(await server.exited()).toBe(0);
}

test("a stop waits for the sync of a page that has its answer; kill -9 leaves it waiting, and a repeat syncs", async () => {
  await using listmonk = startFakeListmonk();
  const { faults, subscribers } = listmonk;
  const environment = listmonkVariables(listmonk);
  const states = async () => (await rows()).map((row) => Object(row).sync_state);
  /** Signs up, with a listmonk that answers its search when it is told to. */
  const signUp = async (server: Server) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    faults.set("GET /api/subscribers", () =>
      promise.then(() => Response.json({ data: { results: [], total: 0 } })),
    );
    const token = { turnstileToken: await solveNew(server) };
    const answer = { status: 200, body: '{"ok":true,"listmonk":false}' };
    expect(await post(server, token)).toEqual(answer);
    return resolve;
  };

  const killed = await start(environment);
  await signUp(killed);
  killed.signal("SIGKILL");
  await killed.exited();
  expect(await states()).toEqual(["pending"]);
  // The work of the killed process is over for certain only after its lease.
  await database.query("UPDATE signups SET leased_until = 0");

  const stopped = await start(environment);
  const goOn = await signUp(stopped);
  stopped.signal("SIGTERM");
  await stopped.lastHealth();
  expect(await states()).toEqual(["pending"]);
  goOn();
  expect(await stopped.exited()).toBe(0);
  expect(await states()).toEqual(["synced"]);
  expect([...subscribers.rows.values()].map(({ email }) => email)).toEqual([TOKENLESS.email]);
}, 30_000);

test("a page signs up through the embedded challenge; the same after kill -9", async () => {
  const secret = { CHALLENGE_SECRET: "challenge-secret-of-the-site-0001" };
  const first = await start({ ...secret, BASE_URL: "https://tools.test" });
  const token = { turnstileToken: await solveNew(first) };
  const own = { Origin: "https://tools.test" };
  expect((await post(first, token, { Origin: first.base })).status).toBe(403);
  expect(await post(first, token, own)).toEqual({ status: 200, body: OK });
  expect((await post(first, token, own)).status).toBe(403);
  first.signal("SIGKILL");
  await first.exited();

  const second = await start({ ...secret, BASE_URL: "https://tools.test" });
  // A nonce that was used stays used, and a challenge of the first process is as good as its own.
  expect((await post(second, token, own)).status).toBe(403);
  const again = { turnstileToken: await solveNew(second), email: " ADA@site.test" };
  expect(await post(second, again, own)).toEqual({ status: 200, body: OK });
  expect(await rows()).toMatchObject([{ email: "ada@site.test", sync_state: "pending" }]);
  await end(second);
}, 30_000);

test("the start warns of weak settings and of the newsletter", async () => {
  const listmonk = { LISTMONK_API_USER: "a", LISTMONK_API_TOKEN: "b", LISTMONK_LIST_ID: "1" };
  const variables = { BASE_URL: "http://tools.test", LISTMONK_URL: "http://127.0.0.1:1" };
  const server = await start({ CHALLENGE_SECRET: SECRET, ...variables, ...listmonk });
  await Bun.sleep(500);
  await end(server);
  const lines = (await server.output())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message).join("\n")).toMatch(
    /BASE_URL is plain http.*listmonk's GET \S+ failed/s,
  );
}, 30_000);

test("the rate limit goes by X-Forwarded-For of a trusted proxy, and spares servers", async () => {
  await minuteWithSeconds(8);
  const server = await start({ RATE_LIMIT: "2", TRUSTED_PROXIES: "127.0.0.0/8" });
  const from = (address: string) => ({ "X-Forwarded-For": address });
  const one = from("203.0.113.1");
  const forged = from("198.51.100.9, 203.0.113.1");
  const statuses: number[] = [];
  for (const headers of [one, one, one, from("203.0.113.2"), forged, AUTHORIZATION]) {
    statuses.push((await post(server, {}, headers)).status);
  }
  expect(statuses).toEqual([403, 403, 429, 403, 429, 200]);
  await end(server);
}, 30_000);
