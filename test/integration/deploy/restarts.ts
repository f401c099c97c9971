import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { COST } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import { freePort } from "../../support/free-port.ts";
import { type Check, expectSame } from "../runner.ts";
import { repeatedly, waitUntil } from "../wait.ts";
import { HOST, type ProxyKind, type RunningProxy } from "./proxies.ts";

/** Visitors hardly notice servers that restart, behind a proxy of a kind. */
export const restartChecks = (kind: ProxyKind): readonly Check[] => [
  {
    title: `${kind.name}: of three servers, all are restarted in turn: no request is lost`,
    run: async () => expectSame(await lostInRestarts(kind, 3), []),
  },
  {
    title: `${kind.name}: a single server is restarted: ${kind.bridges ? "GETs wait, and none is lost" : "a gap of some seconds"}`,
    run: async () => {
      const times = (await lostInRestarts(kind, 1)).filter(({ isGet }) => isGet);
      const gap = (times.at(-1)?.sentAt ?? 0) - (times[0]?.sentAt ?? 0);
      // A start takes a second on an idle machine.
      if (gap > (kind.bridges ? 0 : 6_000)) throw new Error(`a gap of ${Math.round(gap)} ms`);
    },
  },
];

interface Answer {
  readonly sentAt: number;
  readonly isGet: boolean;
  /** The status, or why there is none. */
  readonly outcome: string;
}

/** As the unit for several servers has it, or that for one. */
function drainOf(count: number): Readonly<Record<string, string>> {
  const unit = join(import.meta.dir, `../../../deploy/handtools${count > 1 ? "@" : ""}.service`);
  const [, DRAIN_MS] = /\bDRAIN_MS=(\d+)/.exec(readFileSync(unit, "utf8")) ?? [];
  return DRAIN_MS === undefined ? {} : { DRAIN_MS };
}

/** One of several servers, on a port of its own. */
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
  return {
    port,
    end,
    /** As `systemctl restart` does. */
    restart: async () => {
      expectSame(await end("SIGTERM"), 0);
      server = await start();
    },
  };
}

/** No more than nginx lets one address have under way. */
const GET_CLIENTS = 7;
const POST_CLIENTS = 3;

const INPUT = JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 30 }] });

/** Lets visitors come while servers are restarted in turn; their requests that failed. */
async function lostInRestarts(kind: ProxyKind, count: number): Promise<readonly Answer[]> {
  const environment = {
    ...drainOf(count),
    BASE_URL: `https://${HOST}`,
    TRUSTED_PROXIES: "127.0.0.1",
    LOG: "off",
  };
  const servers = await Promise.all(Array.from({ length: count }, () => openServer(environment)));
  try {
    await using proxy = await kind.start(...servers.map(({ port }) => port));
    const agent = new Agent({ keepAlive: true, maxSockets: GET_CLIENTS + POST_CLIENTS });
    await using gets = repeatedly(GET_CLIENTS, () => send(proxy, agent, "/docs"));
    // A proxy sends no POST a second time.
    await using posts = repeatedly(POST_CLIENTS, () => send(proxy, agent, COST, INPUT));
    await waitUntil("answers", () => gets.results.length > 100 && posts.results.length > 10);
    for (const server of servers) await server.restart();
    await Bun.sleep(3_000);
    await Promise.all([gets.stop(), posts.stop()]);
    agent.destroy();
    return [...gets.results, ...posts.results].filter(({ outcome }) => outcome !== "200");
  } finally {
    await Promise.all(servers.map(({ end }) => end("SIGKILL")));
  }
}

async function send(proxy: RunningProxy, agent: Agent, path: string, body = ""): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const isGet = body === "";
  const type = { "Content-Type": "application/json", "Content-Length": body.length };
  const sentAt = performance.now();
  const asked = request(
    {
      ...{ agent, path, host: "127.0.0.1", port: proxy.https, servername: HOST, timeout: 15_000 },
      ca: readFileSync(proxy.certificate),
      method: isGet ? "GET" : "POST",
      headers: { Host: HOST, ...(isGet ? {} : type) },
    },
    (response) => {
      response.on("error", (error) => resolve(String(error)));
      response.on("end", () => resolve(String(response.statusCode)));
      response.resume();
    },
  );
  asked.on("timeout", () => asked.destroy(new Error("no answer")));
  asked.on("error", (error) => resolve(String(error)));
  asked.end(isGet ? undefined : body);
  return { sentAt, isGet, outcome: await promise };
}
