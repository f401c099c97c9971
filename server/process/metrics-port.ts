import { hostInUrl } from "../../src/url.ts";
import { type Config, StartupError } from "../config.ts";
import { pathOf } from "../http/request.ts";
import { atMostEvery } from "../once.ts";
import type { Channel } from "./channel.ts";
import { openMetrics, type Snapshot, sumOf } from "./metrics.ts";

type Address = NonNullable<Config["METRICS"]>;

/**
 * Measures a server of one process.
 *
 * @param countWaiting asks the store, if there is one, for the rows that the newsletter does not have.
 * @throws {StartupError} when the port is not available.
 */
export function metricsOfProcess(address: Address, countWaiting?: () => Promise<number>) {
  const metrics = openMetrics(countWaiting);
  return { ...metrics, ...listenForScrapes(address, async () => [await metrics.snapshot()]) };
}

/** Measures a worker, whose parent has the port. */
export function metricsOfWorker(parent: Channel) {
  const metrics = openMetrics();
  parent.answer("scrape", metrics.snapshot);
  return { ...metrics, url: undefined, close: async () => {} };
}

/**
 * Measures the parent of workers, and adds what they measure.
 *
 * @throws {StartupError} when the port is not available.
 */
export function metricsOfWorkers(address: Address, countWaiting?: () => Promise<number>) {
  const metrics = openMetrics(countWaiting);
  const { snapshots, ...events } = scrapeWorkers();
  const all = async () => {
    const [first, others] = await Promise.all([metrics.snapshot(), snapshots()]);
    return [first, ...others];
  };
  return { ...events, ...listenForScrapes(address, all) };
}

/**
 * Collects from the workers. One that does not answer in time counts as it did last, and the
 * counters of one that has ended stay, because a counter must not decrease.
 */
function scrapeWorkers() {
  const latest = new Map<Channel, Snapshot>();
  let ended: Snapshot = [];
  const askAll = atMostEvery(0, async () => {
    const answers = [...latest.keys()].map(async (worker) => {
      const snapshot = await worker.ask("scrape");
      if (latest.has(worker)) latest.set(worker, snapshot);
    });
    await Promise.race([Promise.allSettled(answers), Bun.sleep(SCRAPE_TIMEOUT_MS)]);
  });
  return {
    onStart(worker: Channel): void {
      latest.set(worker, []);
    },
    onEnd(worker: Channel): void {
      const counted = (latest.get(worker) ?? []).filter((metric) => !isGauge(metric));
      latest.delete(worker);
      ended = sumOf([ended, counted]).getMetricsAsArray();
    },
    async snapshots(): Promise<readonly Snapshot[]> {
      await askAll();
      return [...latest.values(), ended];
    },
  };
}

const SCRAPE_TIMEOUT_MS = 1_000;

const isGauge = (metric: object): boolean => "type" in metric && metric.type === "gauge";

/** Answers `GET /metrics` and nothing else. The port does not keep the process alive. */
function listenForScrapes(
  { hostname, port }: Address,
  snapshots: () => Promise<readonly Snapshot[]>,
) {
  const server = listen({ hostname, port }, async ({ method, url }) => {
    if (method !== "GET" || pathOf(url) !== PATH) return new Response(null, { status: 404 });
    const registry = sumOf(await snapshots());
    return new Response(await registry.metrics(), {
      headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" },
    });
  });
  server.unref();
  return { url: `http://${hostInUrl(hostname)}:${port}${PATH}`, close: () => server.stop(true) };
}

const PATH = "/metrics";

function listen(address: Address, fetch: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({ ...address, fetch, error: () => new Response(null, { status: 500 }) });
  } catch {
    const { hostname, port } = address;
    throw new StartupError(1, [
      `METRICS: port ${port} of ${hostname} is taken, needs more rights, or ${hostname} is not this machine; give another`,
    ]);
  }
}
