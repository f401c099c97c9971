import { expect } from "bun:test";
import { postgres, startPostgres } from "../../server/support/databases.ts";
import { openConnection, rawPost } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import type { Scenario } from "./run.ts";
import { startAttack, upTo } from "./support.ts";

const INGEST_SECRET = "ingest-secret-of-the-flooded-0001";

/** The limit of the servers, for one address. */
const LIMIT = 20;

/** While the database is silent, each of the two servers lets a quarter through. */
const STAND_IN = 2 * (LIMIT / 4);

/** Two servers of one PostgreSQL database. */
async function openSite() {
  const server = await startPostgres();
  const { url } = await postgres(() => server).create();
  const environment = {
    LOG: "off",
    DATABASE_URL: url,
    CHALLENGE_SECRET: "challenge-secret-of-the-flooded-1",
    SIGNUP_INGEST_SECRET: INGEST_SECRET,
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMIT: String(LIMIT),
  };
  const servers = [
    await startServer(["--port", "0"], environment),
    await startServer(["--port", "0"], environment),
  ];
  return {
    database: server,
    ports: servers.map(({ port }) => port),
    close: async () => {
      for (const { signal } of servers) signal("SIGTERM");
      for (const { exited } of servers) await exited();
      await server.end();
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

const get = (path: string, address: string): Uint8Array =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`);

const challengeFor = (address: string): Uint8Array => get("/api/beta-signup/challenge", address);

/** An address of the block for benchmarks, which is not a private network. */
const addressOf = (index: number): string =>
  `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`;

/** Does something beside a flood. @returns how often each request of the flood passed. */
async function beside<Value>(
  { ports }: Site,
  connections: number,
  requests: readonly Uint8Array[],
  act: () => Promise<Value>,
) {
  const attack = startAttack(ports, connections, requests);
  await Bun.sleep(300);
  const value = await act();
  return { ...(await attack.stop()), value };
}

/** Waits until so much of a minute is left, since the limit is one of the clock's minutes. */
async function untilLeft(milliseconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < milliseconds) await Bun.sleep(left + 100);
}

/** Honest people: a signup that an own server sends, and a challenge for somebody new, by turns. */
function honestRequests() {
  let count = 0;
  return (): Uint8Array => {
    count += 1;
    if (count % 2 === 0) return challengeFor(`203.0.113.${(count % 250) + 1}`);
    const body = { email: `honest-${count}@site.test`, name: "Ada", ctaSource: "hero" };
    const headers = `Authorization: Bearer ${INGEST_SECRET}\r\n`;
    return rawPost("/api/beta-signup", JSON.stringify(body), headers);
  };
}

/** Of a hundred requests, one after the other, the time within which 95 are answered. */
async function p95(port: number, request: () => Uint8Array): Promise<number> {
  const connection = await openConnection(port);
  const times: number[] = [];
  while (times.length < 100) {
    const started = performance.now();
    connection.send(request());
    expect((await connection.response("POST", 20_000)).status).toBe(200);
    times.push(performance.now() - started);
    await Bun.sleep(10);
  }
  connection.end();
  return times.sort((a, b) => a - b)[95] ?? Number.NaN;
}

/** Whoever floods the signup gets no more than the limit, and holds nobody up. */
export const floods: Scenario = {
  title: "a flood on the signup passes no limit and holds up nobody, with PostgreSQL",

  async run() {
    const site = await openSite();
    const honest = honestRequests();
    const [port = 0] = site.ports;
    const lines: string[] = [];

    /** Honest people wait no longer than beside as many requests that ask no database. */
    const waits = async (title: string, connections: number, addresses: readonly string[]) => {
      const time = () => p95(port, honest);
      const quiet = await time();
      const health = [get("/api/health", "198.51.100.1")];
      const { value: busy } = await beside(site, connections, health, time);
      await untilLeft(30_000);
      const flood = await beside(site, connections, addresses.map(challengeFor), time);
      const most = Math.max(...flood.passed);
      const [calm, flooded, control] = [quiet, flood.value, busy].map(Math.round);
      lines.push(
        `${title}: ${most} passed of an address, ${flood.answers} answered; p95 of honest requests ${calm} ms, ${flooded} beside the flood, ${control} beside one of health checks`,
      );
      expect(most).toBeWithin(1, LIMIT + 1);
      if (flood.value > Math.max(100, 3 * quiet, 3 * busy)) throw new Error(lines.at(-1));
      return most;
    };
    const passes = async (title: string, address: string, act: () => Promise<void>) => {
      const { passed, answers } = await beside(site, 50, [challengeFor(address)], act);
      const [count = 0] = passed;
      lines.push(`${title}: ${count} of ${answers} passed`);
      return count;
    };
    try {
      expect(await waits("50 connections", 50, ["198.51.100.2"])).toBe(LIMIT);
      expect(await waits("500 connections", 500, ["198.51.100.3"])).toBe(LIMIT);
      await waits("10,000 addresses", 50, upTo(10_000).map(addressOf));
      await untilLeft(10_000);
      site.database.pause();
      const paused = await passes("the database pauses for 2.5 s", "198.51.100.4", async () => {
        await Bun.sleep(2_200);
        site.database.goOn();
        await Bun.sleep(1_500);
      });
      expect(paused).toBeWithin(1, LIMIT + STAND_IN + 1);
      await untilLeft(10_000);
      await site.database.halt();
      const stopped = await passes("the database is stopped", "198.51.100.5", () =>
        Bun.sleep(3_000),
      );
      expect(stopped).toBeWithin(1, STAND_IN + 1);
      await site.database.resume();
    } finally {
      await site.close();
    }
    return lines.join("\n      ");
  },
};
