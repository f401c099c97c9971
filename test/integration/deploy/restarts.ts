import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { postgres, startPostgres } from "../../server/support/databases.ts";
import { asQuery, COST } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import { freePort } from "../../support/free-port.ts";
import { ms, repeatedly, waitUntil } from "../faults/outage.ts";
import { type Check, expectSame } from "../runner.ts";
import { HOST, type ProxyKind, type RunningProxy } from "./proxies.ts";

/** Visitors hardly notice servers that restart or die, behind a proxy of a kind. */
export const restartChecks = (kind: ProxyKind): readonly Check[] => [
  {
    title: `${kind.name}: of three servers, all are restarted in turn: no request is lost`,
    run: () =>
      underLoad(kind, 3, async (servers) => {
        for (const server of servers) await server.restart();
        return ({ gets, signups }) => expectSame([...lost(gets), ...lost(signups)], []);
      }),
  },
  {
    title: `${kind.name}: one of three servers is killed and comes back: no GET is lost, and no signup that was acknowledged`,
    run: () =>
      underLoad(kind, 3, async ([first]) => {
        await first?.end("SIGKILL");
        await Bun.sleep(5_000);
        await first?.begin();
        await Bun.sleep(2_000);
        return ({ gets }) => expectSame(lost(gets), []);
      }),
  },
  {
    title: `${kind.name}: a single server is restarted: ${kind.bridges ? "GETs wait, and none is lost" : "a gap of some seconds"}`,
    run: () =>
      underLoad(kind, 1, async ([only]) => {
        await only?.restart();
        await Bun.sleep(3_000);
        return ({ gets }) => {
          const times = lost(gets).map(({ sentAt }) => sentAt);
          const gap = (times.at(-1) ?? 0) - (times[0] ?? 0);
          // A start takes a second on an idle machine.
          if (gap > (kind.bridges ? 0 : 6_000)) throw new Error(`a gap of ${ms(gap)}`);
        };
      }),
  },
];

interface Answer {
  readonly sentAt: number;
  readonly ms: number;
  /** The status, or why there is none. */
  readonly outcome: string;
  readonly email: string;
}

interface Load {
  readonly gets: readonly Answer[];
  readonly signups: readonly Answer[];
}

const lost = (answers: readonly Answer[]) => answers.filter(({ outcome }) => outcome !== "200");

const SECRET = "secret-of-a-server-of-ours-000001";

/** As the unit for several servers has it, or that for one. */
function drainOf(count: number): Readonly<Record<string, string>> {
  const unit = join(import.meta.dir, `../../../deploy/handtools${count > 1 ? "@" : ""}.service`);
  const [, DRAIN_MS] = /\bDRAIN_MS=(\d+)/.exec(readFileSync(unit, "utf8")) ?? [];
  return DRAIN_MS === undefined ? {} : { DRAIN_MS };
}

/** One of several servers on one PostgreSQL, on a port of its own. */
async function openServer(environment: Readonly<Record<string, string>>) {
  const port = await freePort();
  const start = async () => {
    const server = await startServer(["--port", `${port}`], environment);
    if (Number.isNaN(server.port)) throw new Error(await server.error());
    return server;
  };
  let server = await start();
  const end = (signal: NodeJS.Signals) => {
    server.signal(signal);
    return server.exited(25_000);
  };
  const begin = async () => {
    server = await start();
  };
  return {
    port,
    begin,
    end,
    /** As `systemctl restart` does. */
    restart: async () => {
      expectSame(await end("SIGTERM"), 0);
      await begin();
    },
  };
}

type Servers = readonly Awaited<ReturnType<typeof openServer>>[];

/** With the signups no more than nginx lets one address have under way. */
const GET_CLIENTS = 7;
const SIGNUP_CLIENTS = 3;

const PATHS = [
  "/",
  "/docs",
  `${COST}${asQuery(JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] }))}`,
];

/**
 * Lets visitors come while something happens to the servers. Every signup that was acknowledged must
 * be stored.
 *
 * @param happen returns what must hold of the requests.
 */
async function underLoad(
  kind: ProxyKind,
  count: number,
  happen: (servers: Servers) => Promise<(load: Load) => void>,
): Promise<void> {
  const neighbour = await startPostgres();
  const database = await postgres(() => neighbour).create();
  const environment = {
    ...drainOf(count),
    DATABASE_URL: database.url,
    BASE_URL: `https://${HOST}`,
    TRUSTED_PROXIES: "127.0.0.1",
    CHALLENGE_SECRET: "a secret of these checks that is long enough",
    SIGNUP_INGEST_SECRET: SECRET,
    RATE_LIMIT: "off",
    LOG: "off",
  };
  const servers = await Promise.all(Array.from({ length: count }, () => openServer(environment)));
  try {
    await using proxy = await kind.start(...servers.map(({ port }) => port));
    const agent = new Agent({ keepAlive: true, maxSockets: GET_CLIENTS + SIGNUP_CLIENTS });
    let asked = 0;
    await using gets = repeatedly(GET_CLIENTS, () =>
      send(proxy, agent, PATHS[asked++ % PATHS.length] ?? "/"),
    );
    await using signups = repeatedly(SIGNUP_CLIENTS, () =>
      send(proxy, agent, "/api/beta-signup", `visitor-${asked++}@site.test`),
    );
    await waitUntil("answers", () => gets.results.length > 100 && signups.results.length > 10);
    const judge = await happen(servers);
    await Promise.all([gets.stop(), signups.stop()]);
    agent.destroy();
    const rows = await database.query("SELECT email FROM handtools.signups");
    const stored = new Set(rows.map((row) => Object(row).email));
    const acknowledged = signups.results.filter(({ outcome }) => outcome === "200");
    expectSame(
      acknowledged.filter(({ email }) => !stored.has(email)),
      [],
    );
    process.stdout.write(
      `      ${told("GETs", gets.results)}; ${told("signups", signups.results)}\n`,
    );
    judge({ gets: gets.results, signups: signups.results });
  } finally {
    await Promise.all(servers.map(({ end }) => end("SIGKILL")));
    await neighbour.end();
  }
}

const told = (what: string, answers: readonly Answer[]): string =>
  `${answers.length} ${what}, ${lost(answers).length} lost, the slowest in ${ms(Math.max(...answers.map(({ ms }) => ms)))}`;

/** Gets a page, or signs an address up. */
async function send(proxy: RunningProxy, agent: Agent, path: string, email = ""): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = JSON.stringify({ email, name: "Ada Lovelace", ctaSource: "hero" });
  const sentAt = performance.now();
  const asked = request(
    {
      ...{ agent, path, host: "127.0.0.1", port: proxy.https, servername: HOST, timeout: 15_000 },
      ca: readFileSync(proxy.certificate),
      method: email === "" ? "GET" : "POST",
      headers: {
        Host: HOST,
        ...(email !== "" && {
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
  asked.end(email === "" ? undefined : body);
  const outcome = await promise;
  return { sentAt, ms: performance.now() - sentAt, outcome, email };
}
