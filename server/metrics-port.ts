import { hostInUrl } from "../src/url.ts";
import type { Config } from "./config.ts";
import { StartupError } from "./config.ts";
import { pathOf } from "./http/request.ts";
import { openMetrics, type Snapshot, sumOf } from "./metrics.ts";
import { answerScrapes, scrapeWorkers } from "./metrics-workers.ts";

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
export function metricsOfWorker() {
  const metrics = openMetrics();
  answerScrapes(metrics.snapshot);
  return { ...metrics, url: undefined, close: async () => {} };
}

/**
 * Measures the parent of workers, and adds what they measure.
 *
 * @throws {StartupError} when the port is not available.
 */
export function metricsOfWorkers(address: Address, countWaiting?: () => Promise<number>) {
  const own = openMetrics(countWaiting);
  const { snapshots, ...events } = scrapeWorkers();
  const all = async () => {
    const [first, others] = await Promise.all([own.snapshot(), snapshots()]);
    return [first, ...others];
  };
  return { ...events, ...listenForScrapes(address, all) };
}

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
