import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { postgres, startPostgres } from "../../server/support/databases.ts";
import { asQuery, COST } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import { freePort } from "../../support/free-port.ts";
import { ms, waitUntil } from "../faults/outage.ts";
import { type Check, expectSame } from "../runner.ts";
import { HOST, type ProxyKind, type RunningProxy } from "./proxies.ts";

/** Checks that visitors hardly notice servers that restart or die, behind a proxy of a kind. */
export const restartChecks = (kind: ProxyKind): readonly Check[] =>
  [
    {
      title: `${kind.name}: of three servers, all are restarted in turn: no request is lost`,
      run: () =>
        underLoad(kind, 3, async (servers) => {
          for (const server of servers) await server.restart();
          return expectNothingLost;
        }),
    },
    {
      title: `${kind.name}: one of three servers is killed and comes back: no GET is lost, and no signup that was acknowledged`,
      run: () =>
        underLoad(kind, 3, async ([first]) => {
          await first?.kill();
          await Bun.sleep(5_000);
          await first?.start();
          await Bun.sleep(2_000);
          return ({ gets }) => expectSame(kinds(gets), []);
        }),
    },
    {
      title: `${kind.name}: a single server is restarted: ${kind.bridges ? "GETs wait, and none is lost" : "a gap of some seconds"}`,
      run: () =>
        underLoad(kind, 1, async ([only]) => {
          await only?.restart();
          await Bun.sleep(3_000);
          return kind.bridges ? ({ gets }) => expectSame(kinds(gets), []) : expectShortGap;
        }),
    },
  ].map(({ title, run }) => ({
    title,
    run: async () => void process.stdout.write(`      ${await run()}\n`),
  }));

/** The outcome of the requests of a kind. */
interface Outcome {
  answered: number;
  slowestMs: number;
  /** Statuses and errors. */
  readonly lost: string[];
  /** When the first and the last one was lost, of performance.now(). */
  readonly lostAt: number[];
}

interface Load {
  readonly gets: Outcome;
  readonly signups: Outcome;
}

const expectNothingLost = ({ gets, signups }: Load) =>
  expectSame([kinds(gets), kinds(signups)], [[], []]);

const kinds = ({ lost }: Outcome): readonly string[] => [...new Set(lost)];

/** A start takes a second on an idle machine. */
const MAX_GAP_MS = 6_000;

function expectShortGap({ gets }: Load): void {
  const gap = gapOf(gets);
  if (gap > MAX_GAP_MS) throw new Error(`nobody was served for ${ms(gap)}`);
}

const gapOf = ({ lostAt }: Outcome): number => (lostAt.at(-1) ?? 0) - (lostAt[0] ?? 0);

/** With the settings of the unit for several servers, or for one. */
const unitOf = (count: number) =>
  join(
    import.meta.dir,
    `../../../deploy/${count > 1 ? "handtools@.service" : "handtools.service"}`,
  );

const drainOf = (unit: string) =>
  Object.fromEntries(
    [...readFileSync(unit, "utf8").matchAll(/\b(DRAIN_MS)=(\d+)/g)].map(([, ...pair]) => pair),
  );

const SECRET = "secret-of-a-server-of-ours-000001";

/** Servers on one PostgreSQL, each on a port of its own. */
async function startServers(count: number, databaseUrl: string) {
  const environment = {
    ...drainOf(unitOf(count)),
    DATABASE_URL: databaseUrl,
    BASE_URL: `https://${HOST}`,
    TRUSTED_PROXIES: "127.0.0.1",
    CHALLENGE_SECRET: "a secret of these checks that is long enough",
    SIGNUP_INGEST_SECRET: SECRET,
    RATE_LIMIT: "off",
    LOG: "off",
  };
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const port = await freePort();
      const begin = async () => {
        const server = await startServer(["--port", `${port}`], environment);
        if (Number.isNaN(server.port)) throw new Error(await server.error());
        return server;
      };
      let server = await begin();
      const stop = async () => {
        server.signal("SIGTERM");
        expectSame(await server.exited(25_000), 0);
      };
      const start = async () => {
        server = await begin();
      };
      return {
        port,
        start,
        /** As `systemctl restart` does. */
        restart: async () => {
          await stop();
          await start();
        },
        /** The server ends as it does with its machine. */
        kill: async () => {
          server.signal("SIGKILL");
          await server.exited();
        },
      };
    }),
  );
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/**
 * Lets visitors come while something happens to the servers. Every signup that was acknowledged must
 * be stored.
 *
 * @param happen returns what must hold of the requests.
 * @returns the figures.
 */
async function underLoad(
  kind: ProxyKind,
  count: number,
  happen: (servers: Servers) => Promise<(load: Load) => void>,
): Promise<string> {
  const neighbour = await startPostgres();
  const database = await postgres(() => neighbour).create();
  const servers = await startServers(count, database.url);
  try {
    await using proxy = await kind.start(...servers.map(({ port }) => port));
    const load = startLoad(proxy);
    await waitUntil("answers", () => load.gets.answered > 100 && load.signups.answered > 10);
    const expect = await happen(servers).finally(load.stop);
    const stored = new Set(
      (await database.query("SELECT email FROM handtools.signups")).map((row) => Object(row).email),
    );
    const missing = load.acknowledged.filter((email) => !stored.has(email));
    expectSame(missing, []);
    const figures = `${told("GETs", load.gets)}; ${told("signups", load.signups)}, ${missing.length} acknowledged lost`;
    try {
      expect(load);
    } catch (error) {
      throw new Error(`${figures}\n  ${error instanceof Error ? error.message : error}`);
    }
    return figures;
  } finally {
    for (const { kill } of servers) await kill().catch(() => undefined);
    await neighbour.end();
  }
}

const told = (what: string, { answered, lost, slowestMs, ...outcome }: Outcome): string => {
  const gap =
    lost.length > 1 ? ` within ${ms(gapOf({ answered, lost, slowestMs, ...outcome }))}` : "";
  return `${answered} ${what}, ${lost.length} lost${gap}, the slowest in ${ms(slowestMs)}`;
};

const PATHS = [
  "/",
  "/docs",
  `${COST}${asQuery(JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] }))}`,
];

/** With the signups no more than nginx lets one address have under way. */
const GET_CLIENTS = 7;
const SIGNUP_CLIENTS = 3;
const PAUSE_MS = 10;

/** Visitors with connections of their own, one request after the other. */
function startLoad(proxy: RunningProxy) {
  const acknowledged: string[] = [];
  let isOn = true;
  let count = 0;
  const newOutcome = (): Outcome => ({ answered: 0, slowestMs: 0, lost: [], lostAt: [] });
  const load = { gets: newOutcome(), signups: newOutcome() };

  const client = async (outcome: Outcome, ask: (agent: Agent) => Promise<string>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (isOn) {
      const start = performance.now();
      const answer = await ask(agent);
      outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - start);
      if (answer === "200") outcome.answered += 1;
      else {
        outcome.lost.push(answer);
        outcome.lostAt.push(start);
      }
      await Bun.sleep(PAUSE_MS);
    }
    agent.destroy();
  };
  const get = (agent: Agent) => send(proxy, agent, PATHS[count++ % PATHS.length] ?? "/");
  const signUp = async (agent: Agent) => {
    const email = `visitor-${count++}@site.test`;
    const body = JSON.stringify({ email, name: "Ada Lovelace", ctaSource: "hero" });
    const answer = await send(proxy, agent, "/api/beta-signup", body);
    if (answer === "200") acknowledged.push(email);
    return answer;
  };
  const clients = [
    ...Array.from({ length: GET_CLIENTS }, () => client(load.gets, get)),
    ...Array.from({ length: SIGNUP_CLIENTS }, () => client(load.signups, signUp)),
  ];
  return {
    ...load,
    acknowledged,
    stop: async () => {
      isOn = false;
      await Promise.all(clients);
    },
  };
}

const TIMEOUT_MS = 15_000;

/** @returns the status, or why there is none. */
const send = (proxy: RunningProxy, agent: Agent, path: string, body?: string): Promise<string> =>
  new Promise((resolve) => {
    const asked = request(
      {
        agent,
        path,
        host: "127.0.0.1",
        port: proxy.https,
        servername: HOST,
        ca: readFileSync(proxy.certificate),
        timeout: TIMEOUT_MS,
        method: body === undefined ? "GET" : "POST",
        headers: {
          Host: HOST,
          ...(body !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": body.length,
            Authorization: `Bearer ${SECRET}`,
          }),
        },
      },
      (response) => {
        response.on("error", (error) => resolve(String(error)));
        response.on("end", () => resolve(String(response.statusCode)));
        response.resume();
      },
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.on("error", (error) => resolve(String(error)));
    asked.end(body);
  });
