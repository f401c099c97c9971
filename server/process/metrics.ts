import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { hostInUrl } from "../../src/url.ts";
import { atMostEvery } from "../at-most-every.ts";
import type { Config } from "../config.ts";
import type { RequestObserver } from "../http/route.ts";
import { OperatorError } from "../operator-error.ts";
import type { SignupOutcome } from "../signup/sign-up.ts";
import { withTimeout } from "../with-timeout.ts";

type ScrapeAddress = NonNullable<Config["METRICS"]>;

/**
 * Measures the server, and answers scrapes on a port. Labels have few values, and none comes from a
 * caller.
 *
 * @param countWaiting asks the store, if there is one, for the rows that the newsletter does not have.
 * @throws {OperatorError} when the port is not available.
 */
export function serveMetrics(address: ScrapeAddress, countWaiting?: () => Promise<number>) {
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
    onRequest: ({ route, status, duration_ms }: Parameters<RequestObserver>[0]) => {
      const label = route ?? UNKNOWN_ROUTE;
      requests.inc({ route: label, status });
      durations.observe({ route: label }, duration_ms / 1_000);
    },
    onOutcome: (outcome: SignupOutcome) => signups.inc({ outcome }),
    onNewsletterFailure: () => newsletterFailures.inc(),
    onNamesKept: (names: number) => namesKept.set(names),
    ...listenForScrapes(address, registry),
  };
}

/** All paths without a route. */
const UNKNOWN_ROUTE = "unknown";

/** Buckets in seconds. A tool takes less than a millisecond, a browser's signup at least 0.4 s. */
const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10];

/** The number of waiting rows; undefined when the store fails or takes too long. */
export function waitingRows(count: () => Promise<number>): () => Promise<number | undefined> {
  const rows = atMostEvery(ROWS_KEPT_MS, count);
  return () => withTimeout(COUNT_TIMEOUT_MS, rows()).catch(() => undefined);
}

/** Many scrapers must not make the store count often. */
const ROWS_KEPT_MS = 5_000;

const COUNT_TIMEOUT_MS = 1_000;

/**
 * Answers `GET /metrics` and nothing else. The port does not keep the process alive.
 *
 * @throws {OperatorError} when the port is not available.
 */
function listenForScrapes({ hostname, port }: ScrapeAddress, registry: Registry) {
  const answer = async () =>
    new Response(await registry.metrics(), {
      headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" },
    });
  try {
    const server = Bun.serve({
      hostname,
      port,
      routes: { "/metrics": { GET: answer } },
      fetch: () => new Response(null, { status: 404 }),
      error: () => new Response(null, { status: 500 }),
    });
    server.unref();
    const url = `http://${hostInUrl(hostname)}:${port}/metrics`;
    return { url, close: () => server.stop(true) };
  } catch {
    throw new OperatorError(1, [
      `METRICS: port ${port} of ${hostname} is taken, needs more rights, or ${hostname} is not this machine; give another`,
    ]);
  }
}
