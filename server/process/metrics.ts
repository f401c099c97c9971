import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { hostInUrl } from "../../src/url.ts";
import { type Config, StartupError } from "../config.ts";
import { pathOf } from "../http/request.ts";
import type { RequestObserver } from "../http/route.ts";
import { atMostEvery, withTimeout } from "../once.ts";
import type { SignupOutcome } from "../signup/sign-up.ts";

type Address = NonNullable<Config["METRICS"]>;

interface Metrics {
  readonly onRequest: RequestObserver;
  readonly onOutcome: (outcome: SignupOutcome) => void;
  readonly onNewsletterFailure: () => void;
  readonly onNamesKept: (names: number) => void;
  /** Where they are read. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Measures the server, and answers scrapes on a port. Labels have few values, and none comes from a
 * caller.
 *
 * @param countWaiting asks the store, if there is one, for the rows that the newsletter does not have.
 * @throws {StartupError} when the port is not available.
 */
export function serveMetrics(address: Address, countWaiting?: () => Promise<number>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "handtools_http_requests_total",
    help: "Answered requests by route and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "handtools_http_request_duration_seconds",
    help: "Time from a request to its response by route.",
    labelNames: ["route"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const signups = new Counter({
    name: "handtools_signups_total",
    help: "Signups by outcome: recorded, honeypot, or the code of the error.",
    labelNames: ["outcome"],
    registers,
  });
  const newsletterFailures = new Counter({
    name: "handtools_newsletter_failures_total",
    help: "Recorded signups that the newsletter did not accept.",
    registers,
  });
  const namesKept = new Gauge({
    name: "handtools_signups_names_kept",
    help: "Names kept in memory of people who wait for the newsletter; a stop loses them.",
    registers,
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of the server.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  if (countWaiting) {
    const waiting = waitingRows(countWaiting);
    new Gauge({
      name: "handtools_signups_waiting",
      help: "Stored signups that the newsletter does not have, counted up to 10,000; missing while the store does not answer.",
      registers,
      async collect() {
        const rows = await waiting();
        if (rows === undefined) this.remove();
        else this.set(rows);
      },
    });
  }
  return {
    onRequest: ({ route, status, duration_ms }) => {
      const label = route ?? UNKNOWN_ROUTE;
      requests.inc({ route: label, status });
      durations.observe({ route: label }, duration_ms / 1_000);
    },
    onOutcome: (outcome) => signups.inc({ outcome }),
    onNewsletterFailure: () => newsletterFailures.inc(),
    onNamesKept: (names) => namesKept.set(names),
    ...listenForScrapes(address, registry),
  };
}

/** All paths without a route. */
const UNKNOWN_ROUTE = "unknown";

/** In seconds. A tool takes less than a millisecond, a browser's signup at least 0.4 s. */
const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10];

/** The number of waiting rows; undefined when the store fails or takes too long. */
export function waitingRows(count: () => Promise<number>): () => Promise<number | undefined> {
  const rows = atMostEvery(ROWS_KEPT_MS, count);
  return () => withTimeout(COUNT_TIMEOUT_MS, rows()).catch(() => undefined);
}

/** Many scrapers must not make the store count often. */
const ROWS_KEPT_MS = 5_000;

const COUNT_TIMEOUT_MS = 1_000;

/** Answers `GET /metrics` and nothing else. The port does not keep the process alive. */
function listenForScrapes({ hostname, port }: Address, registry: Registry) {
  const server = listen({ hostname, port }, async ({ method, url }) => {
    if (method !== "GET" || pathOf(url) !== PATH) return new Response(null, { status: 404 });
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
