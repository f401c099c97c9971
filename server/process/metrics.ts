import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { RequestObserver } from "../http/route.ts";
import { atMostEvery, withTimeout } from "../once.ts";
import type { SignupOutcome } from "../signup/sign-up.ts";

/** The values of a process: a list of registered metrics, as prom-client exchanges it. */
export type Snapshot = readonly object[];

export interface Metrics {
  readonly onRequest: RequestObserver;
  readonly onOutcome: (outcome: SignupOutcome) => void;
  readonly onNewsletterFailure: () => void;
  readonly onNamesKept: (names: number) => void;
  snapshot(): Promise<Snapshot>;
}

/**
 * Measures this process. Labels have few values, and none comes from a caller.
 *
 * @param countWaiting asks the store; only one process of a server does.
 */
export function openMetrics(countWaiting?: () => Promise<number>): Metrics {
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
    help: "Resident memory of all processes of the server together.",
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
    snapshot: () => registry.getMetricsAsJSON(),
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

/** Several processes as one: numbers with the same name and labels are added. */
export const sumOf = (snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate([...snapshots]);
