import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { hostInUrl } from "../../src/url.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import { cacheFor, withTimeout } from "../promises.ts";
import type { RequestObserver } from "./log.ts";

/**
 * Measures the server, and answers scrapes on a port. Labels have few values, and none comes from a
 * caller.
 *
 * @param countWaiting counts the stored rows that wait for the newsletter.
 * @throws {OperatorError} when the port is not available.
 */
export function serveMetrics(
  { hostname, port }: NonNullable<Config["METRICS"]>,
  countWaiting: () => Promise<number>,
) {
  // Of a start before this one that failed.
  register.clear();
  collectDefaultMetrics();
  const requests = new Counter({
    name: "handtools_http_requests_total",
    help: "Answered requests by route and status.",
    labelNames: ["route", "status"],
  });
  const durations = new Histogram({
    name: "handtools_http_request_duration_seconds",
    help: "Time from a request to its response by route.",
    labelNames: ["route"],
    // A tool takes less than a millisecond, a browser's signup at least 0.4 s.
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10],
  });
  const signups = new Counter({
    name: "handtools_signups_total",
    help: "Signups by outcome: recorded, honeypot, or the code of the error.",
    labelNames: ["outcome"],
  });
  const newsletterFailures = new Counter({
    name: "handtools_newsletter_failures_total",
    help: "Recorded signups that the newsletter did not accept.",
  });
  const namesKept = new Gauge({
    name: "handtools_signups_names_kept",
    help: "Names kept in memory of people who wait for the newsletter; a stop loses them.",
  });
  // Many scrapers must not make the store count often.
  const waiting = cacheFor(5_000, countWaiting);
  new Gauge({
    name: "handtools_signups_waiting",
    help: "Stored signups that wait for the newsletter; missing while the store does not answer.",
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

/** Answers `GET /metrics` and nothing else. The port does not keep the process alive. */
function listenForScrapes(hostname: string, port: number) {
  const answer = async () =>
    new Response(await register.metrics(), {
      headers: { "Content-Type": register.contentType, "Cache-Control": "no-store" },
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
    return server;
  } catch {
    throw new OperatorError(1, [
      `METRICS: port ${port} of ${hostname} is taken, needs more rights, or ${hostname} is not this machine; give another`,
    ]);
  }
}
