import { afterEach, beforeEach, expect, test } from "bun:test";
import { freePort } from "../../support/free-port.ts";
import { sqlite, type TestDatabase } from "../support/databases.ts";
import { startServer } from "../support/servers.ts";
import { GOOD, SIGNUP } from "../support/signup.ts";

const SECRET = "secret-of-a-server-of-ours-000001";

let database: TestDatabase;
beforeEach(async () => {
  database = await sqlite.create();
});
afterEach(() => database.drop());

/** `handtools serve` with metrics, and what their port says. */
async function start(environment: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const server = await startServer(["--port", "0"], {
    DATABASE_URL: database.url,
    SIGNUP_INGEST_SECRET: SECRET,
    METRICS: String(port),
    ...environment,
  });
  const metricsBase = `http://127.0.0.1:${port}`;
  return {
    ...server,
    metricsBase,
    scrape: async () => samples(await (await fetch(`${metricsBase}/metrics`)).text()),
    get: async (path: string) => {
      const response = await fetch(server.base + path);
      await response.text();
    },
    signUp: async (changes: object, headers: Record<string, string> = AUTHORIZED) => {
      const response = await fetch(server.base + SIGNUP, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify({ ...GOOD, turnstileToken: undefined, ...changes }),
      });
      return response.text();
    },
    end: async () => {
      server.signal("SIGTERM");
      return server.exited();
    },
  };
}

const AUTHORIZED = { Authorization: `Bearer ${SECRET}` };

/** The samples of a Prometheus text by their names with labels. */
const samples = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const space = line.lastIndexOf(" ");
        return [line.slice(0, space), Number(line.slice(space + 1))];
      }),
  );

const HEALTH = 'handtools_http_requests_total{route="/api/health",status="200"}';
const UNKNOWN = 'handtools_http_requests_total{route="unknown",status="404"}';

const TYPE = "text/plain; version=0.0.4; charset=utf-8";

test("counts requests by route and status, on a port that answers GET /metrics alone", async () => {
  const server = await start();
  for (let count = 0; count < 3; count += 1) await server.get("/api/health");
  await server.get("/docs");
  await server.get("/api/ada@site.test");
  await server.get("/wp-login.php?name=ada@site.test");
  const found = await server.scrape();
  expect(found).toMatchObject({
    [HEALTH]: 3,
    [UNKNOWN]: 2,
    'handtools_http_requests_total{route="/docs",status="200"}': 1,
    'handtools_http_request_duration_seconds_count{route="/api/health"}': 3,
    'handtools_http_request_duration_seconds_bucket{le="+Inf",route="/api/health"}': 3,
    'handtools_http_request_duration_seconds_bucket{le="10",route="/api/health"}': 3,
  });
  expect(found.process_resident_memory_bytes).toBeGreaterThan(10_000_000);
  for (const [method, path, status, type] of [
    ["GET", "/metrics", 200, TYPE],
    ["GET", "/metrics?name=x", 200, TYPE],
    ["POST", "/metrics", 404, null],
    ["GET", "/api/health", 404, null],
  ] as const) {
    const response = await fetch(server.metricsBase + path, { method });
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      status,
      type,
    ]);
  }
  expect((await fetch(`${server.base}/metrics`)).status).toBe(404);
  expect(await server.end()).toBe(0);
  await expect(fetch(`${server.metricsBase}/metrics`)).rejects.toThrow();
  expect(await server.output()).toContain(
    `"message":"Metrics are at ${server.metricsBase}/metrics"}\n`,
  );
});

test("counts signups by outcome, newsletter failures and waiting rows, and names nobody", async () => {
  const closed = await freePort();
  const server = await start({
    LISTMONK_URL: `http://127.0.0.1:${closed}`,
    LISTMONK_API_USER: "user",
    LISTMONK_API_TOKEN: "token",
    LISTMONK_LIST_ID: "1",
  });
  expect(await server.signUp({})).toBe('{"ok":true,"listmonk":false}');
  await server.signUp({ email: "bob@site.test" });
  await server.signUp({ honeypot: "filled in" });
  await server.signUp({ email: "no address" });
  await server.signUp({}, {});
  expect(await server.scrape()).toMatchObject({
    'handtools_signups_total{outcome="recorded"}': 2,
    'handtools_signups_total{outcome="honeypot"}': 1,
    'handtools_signups_total{outcome="invalid_request"}': 1,
    'handtools_signups_total{outcome="verification_failed"}': 1,
    handtools_newsletter_failures_total: 2,
    handtools_signups_waiting: 2,
  });
  const text = await (await fetch(`${server.metricsBase}/metrics`)).text();
  expect(text).not.toMatch(/@|site\.test|Ada|127\.0\.0\.1|no address/);
  await server.end();
});

test("serve does not start when the port of the metrics is taken", async () => {
  using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const server = await start({ METRICS: `127.0.0.1:${taken.port}` });
  expect(await server.exited()).toBe(1);
  expect(await server.error()).toStartWith(
    `error: METRICS: port ${taken.port} of 127.0.0.1 is in use`,
  );
});
