import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type AltchaToSolve, solveAltcha } from "../../support/altcha.ts";
import { sqlite, type TestDatabase } from "../../support/databases.ts";
import { expectSoon } from "../../support/expect.ts";
import { hang } from "../../support/fake-listmonk/public-form.ts";
import {
  type FakeListmonk,
  startFakeListmonk,
  TOKEN,
  USER,
} from "../../support/fake-listmonk/server.ts";
import { exchange, openConnection } from "../../support/http.ts";
import { minuteWithSeconds } from "../../support/rate-limit.ts";
import { startServer } from "../../support/servers.ts";
import { GOOD, rawSignup, SIGNUP, TOKENLESS } from "../../support/signup.ts";

const SECRET = "secret-of-a-server-of-ours-000001";
const AUTHORIZATION = { Authorization: `Bearer ${SECRET}` };
const BODY = JSON.stringify(TOKENLESS);
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

const withListmonk = ({ url, list }: FakeListmonk) => ({
  LISTMONK_URL: url,
  LISTMONK_API_USER: USER,
  LISTMONK_API_TOKEN: TOKEN,
  LISTMONK_LIST_ID: String(list.id),
});

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
  expect(await rows()).toMatchObject([{ email: "ada@site.test" }]);
  await end(second);
}, 30_000);

test("kill -9 between the record and the sync; a repeat syncs, and stays one row", async () => {
  await using listmonk = startFakeListmonk();
  listmonk.faults.set("POST /api/subscribers", hang);
  const first = await start(withListmonk(listmonk));
  const cutOff = post(first, {}, AUTHORIZATION).catch(() => "cut off");
  await expectSoon(async () => (await rows()).length === 1);
  first.signal("SIGKILL");
  await first.exited();
  expect(await cutOff).toBe("cut off");
  expect(await rows()).toMatchObject([{ sync_state: "pending" }]);

  listmonk.faults.clear();
  // The work of the killed process is over for certain only after its lease.
  await database.query("UPDATE signups SET leased_until = 0");
  const second = await start(withListmonk(listmonk));
  expect(await post(second, {}, AUTHORIZATION)).toEqual({ status: 200, body: OK });
  expect(await rows()).toMatchObject([{ sync_state: "synced" }]);
  expect(listmonk.subscribers.rows.size).toBe(1);
  await end(second);
}, 30_000);

describe("a file of the database that is removed under the running server", () => {
  const path = () => database.url.slice("file:".length);
  const emails = async () => (await rows()).map((row) => Object(row).email);

  test.each([[["-wal"]], [["-shm"]], [["-wal", "-shm"]]])(
    "%j: signups are rejected, and kill -9 a moment later loses none that was accepted",
    async (parts) => {
      const server = await start();
      const accepted = ["a@x.test", "b@x.test", "c@x.test"];
      for (const email of accepted)
        expect((await post(server, { email }, AUTHORIZATION)).status).toBe(200);
      for (const part of parts) rmSync(path() + part);
      expect((await post(server, { email: "d@x.test" }, AUTHORIZATION)).status).toBe(500);
      expect((await fetch(`${server.base}/readyz`)).status).toBe(503);
      await Bun.sleep(2_500);
      server.signal("SIGKILL");
      await server.exited();
      const output = await server.output();
      expect(output.match(/was removed or replaced; start the server again/g)).toHaveLength(1);
      const again = await start();
      expect(await emails()).toEqual(accepted);
      expect((await post(again, { email: "e@x.test" }, AUTHORIZATION)).status).toBe(200);
      await end(again);
      expect(await database.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    },
    30_000,
  );

  test("SIGTERM at once loses none either", async () => {
    const server = await start();
    expect((await post(server, { email: "a@x.test" }, AUTHORIZATION)).status).toBe(200);
    for (const part of ["-wal", "-shm"]) rmSync(path() + part);
    await end(server);
    expect(await emails()).toEqual(["a@x.test"]);
  }, 30_000);
});

test("three servers on one file, a hundred signups of one address: one row, one subscriber, one mail", async () => {
  await using listmonk = startFakeListmonk();
  listmonk.subscribers.lists.set(listmonk.list.id, { ...listmonk.list, optin: "double" });
  const servers = await Promise.all([1, 2, 3].map(() => start(withListmonk(listmonk))));
  const request = rawSignup(BODY, { Connection: "close", ...AUTHORIZATION });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => exchange(servers[at % 3]?.port ?? 0, request)),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body}`))).toEqual(
    new Set([`200 ${OK}`]),
  );
  expect(await rows()).toHaveLength(1);
  expect([...listmonk.subscribers.rows.values()].map(({ email }) => email)).toEqual([GOOD.email]);
  expect(listmonk.subscribers.mails).toEqual([GOOD.email]);
  expect(listmonk.state.mostLookUps).toBeLessThanOrEqual(12);
  await Promise.all(servers.map(end));
}, 30_000);

test("SIGTERM lets a signup finish, and its row is kept", async () => {
  const server = await start();
  const connection = await openConnection(server.port);
  const request = rawSignup(BODY, { Connection: "close", ...AUTHORIZATION });
  connection.send(request.slice(0, -20));
  await server.hasTaken();
  server.signal("SIGTERM");
  await server.lastHealth();
  connection.send(request.slice(-20));
  expect(await connection.response()).toMatchObject({ status: 200, body: OK });
  expect(await server.exited()).toBe(0);
  expect(await rows()).toHaveLength(1);
}, 15_000);

test("the rate limit goes by X-Forwarded-For of a trusted proxy only, and spares servers", async () => {
  await minuteWithSeconds(8);
  const untrusting = await start({ RATE_LIMIT: "2" });
  const from = (address: string) => ({ "X-Forwarded-For": address });
  const statuses = async (server: Server, headers: readonly Record<string, string>[]) => {
    const all: number[] = [];
    for (const each of headers) all.push((await post(server, {}, each)).status);
    return all;
  };
  const one = from("203.0.113.1");
  const other = from("203.0.113.2");
  expect(await statuses(untrusting, [one, other, from("203.0.113.3")])).toEqual([403, 403, 429]);
  expect(await statuses(untrusting, [AUTHORIZATION, AUTHORIZATION])).toEqual([200, 200]);
  await end(untrusting);

  const trusting = await start({ RATE_LIMIT: "2", TRUSTED_PROXIES: "127.0.0.0/8" });
  expect(await statuses(trusting, [one, one, one, other])).toEqual([403, 403, 429, 403]);
  const forged = from("198.51.100.9, 203.0.113.1");
  expect(await statuses(trusting, [forged])).toEqual([429]);
  await end(trusting);
}, 30_000);

describe("the rate limit", () => {
  const CHALLENGE = "/api/beta-signup/challenge";
  test("challenges have the same limit", async () => {
    await minuteWithSeconds(8);
    const server = await start({ RATE_LIMIT: "2" });
    const statuses: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      statuses.push((await fetch(`${server.base}${CHALLENGE}`)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect((await fetch(`${server.base}${CHALLENGE}`, { headers: AUTHORIZATION })).status).toBe(
      200,
    );
    await end(server);
  }, 30_000);

  test("not set, it spares callers of this machine", async () => {
    const server = await start({});
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await fetch(`${server.base}${CHALLENGE}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await end(server);
  }, 30_000);
});

test("the rate limit holds for requests without a usable Host too", async () => {
  await minuteWithSeconds(8);
  const server = await start({ RATE_LIMIT: "1" });
  const statuses: number[] = [];
  for (const [version, Host] of [
    ["HTTP/1.1", "localhost"],
    ["HTTP/1.0", []],
    ["HTTP/1.1", ""],
    ["HTTP/1.1", "a b"],
  ] as const) {
    const request = rawSignup(BODY, { Host, Connection: "close" }, { version });
    statuses.push((await exchange(server.port, request)).status);
  }
  expect(statuses.filter((status) => status === 403)).toHaveLength(1);
  expect(statuses.slice(1)).not.toContain(403);
  await end(server);
}, 15_000);

test("the process says nothing of a person", async () => {
  await using listmonk = startFakeListmonk();
  listmonk.state.isDatabaseDown = true;
  const server = await start(withListmonk(listmonk));
  expect((await post(server, { email: "marker7@site.test" }, AUTHORIZATION)).body).toBe(
    '{"ok":true,"listmonk":false}',
  );
  expect((await post(server, { name: "marker7", turnstileToken: "marker7" })).status).toBe(403);
  expect((await post(server, { marker7: "marker7" })).status).toBe(400);
  await end(server);
  const output = (await server.output()) + (await server.error());
  expect(output.match(/"route":"\/api\/beta-signup"/g)).toHaveLength(3);
  expect(output).toInclude("listmonk's POST /api/subscribers answered 500");
  expect(output).not.toMatch(/marker7|secret-of-a-server|a-token-of-listmonk/i);
}, 15_000);
