import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { hostInUrl } from "../../src/url.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import { cacheFor, withTimeout } from "../promises.ts";
import type { RequestObserver } from "./log.ts";

/**
 * Measures the server, and serves the metrics on a port. Labels have few values, none from callers.
 *
 * @param countWaiting counts the signups to sync.
 * @throws {OperatorError} if the port is unavailable.
 */
export function serveMetrics(
  { hostname, port }: NonNullable<Config["METRICS"]>,
  countWaiting: () => Promise<number>,
) {
  // An earlier attempt to start may have failed.
  register.clear();
  collectDefaultMetrics();
  const requests = new Counter({
    name: "handtools_http_requests_total",
    help: "Requests by route and status.",
    labelNames: ["route", "status"],
  });
  const durations = new Histogram({
    name: "handtools_http_request_duration_seconds",
    help: "Time from a request to its response by route.",
    labelNames: ["route"],
    // A tool takes less than a millisecond, and a browser's signup at least 0.4 s.
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10],
  });
  const signups = new Counter({
    name: "handtools_signups_total",
    help: "Signups by outcome: recorded, honeypot, or the code of the error.",
    labelNames: ["outcome"],
  });
  const newsletterFailures = new Counter({
    name: "handtools_newsletter_failures_total",
    help: "Recorded signups whose sync failed.",
  });
  const namesKept = new Gauge({
    name: "handtools_signups_names_kept",
    help: "Names of unsynced signups in memory, lost at shutdown.",
  });
  // Limits the load of many scrapers.
  const waiting = cacheFor(5_000, countWaiting);
  new Gauge({
    name: "handtools_signups_waiting",
    help: "Signups to sync; missing while the store does not respond.",
    async collect() {
      const rows = await withTimeout(1_000, waiting()).catch(() => undefined);
      if (rows === undefined) this.remove();
      else this.set(rows);
    },
  });
  const server = listenForScrapes(hostname, port);
  return {
    url: `http://${hostInUrl(hostname)}:${port}/metrics`,
    close: () => server.stop(true),
    onRequest: ({ route, status, duration_ms }: Parameters<RequestObserver>[0]) => {
      const label = route ?? "unknown";
      requests.inc({ route: label, status });
      durations.observe({ route: label }, duration_ms / 1_000);
    },
    onOutcome: (outcome: string) => signups.inc({ outcome }),
    onNewsletterFailure: () => newsletterFailures.inc(),
    onNamesKept: (names: number) => namesKept.set(names),
  };
}

/** Serves only `GET /metrics`, and does not keep the process alive. */
function listenForScrapes(hostname: string, port: number) {
  const serveScrape = async () =>
    new Response(await register.metrics(), {
      headers: { "Content-Type": register.contentType, "Cache-Control": "no-store" },
    });
  try {
    const server = Bun.serve({
      hostname,
      port,
      routes: { "/metrics": { GET: serveScrape } },
      fetch: () => new Response(null, { status: 404 }),
      error: () => new Response(null, { status: 500 }),
    });
    server.unref();
    return server;
  } catch {
    throw new OperatorError(1, [
      `METRICS: port ${port} of ${hostname} is in use or needs more privileges, or ${hostname} is not this machine; choose another`,
    ]);
  }
}
