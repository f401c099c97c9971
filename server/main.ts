import { TOOLS } from "../src/call-tool.ts";
import { type App, createApp } from "./app.ts";
import { isLocalServer, readPriceBook, readServerConfig } from "./config.ts";
import type { Environment } from "./environment-variables.ts";
import { listen, stopOnSignal } from "./process/lifecycle.ts";
import { outputLog } from "./process/log.ts";
import { createRunner } from "./service.ts";
import { openSignup } from "./signup/open-signup.ts";
import { findWeakSettings, readSignupConfig } from "./signup/signup-config.ts";
import { openStore } from "./signup/store/open-store.ts";

/**
 * Runs the server until a signal stops it.
 *
 * @param environment the configuration; deploy/.env.example lists the variables.
 * @throws {OperatorError} if the configuration is wrong, or the port or the database is unavailable.
 */
export async function serve(environment: Environment): Promise<void> {
  const config = readServerConfig(environment);
  const signupConfig = config.SIGNUP ? readSignupConfig(environment) : undefined;
  const priceBook = readPriceBook(environment);
  const log = outputLog();
  let isDraining = false;
  const baseUrl = () => config.BASE_URL ?? `http://localhost:${app.server?.port}`;
  const store = signupConfig && (await openStore(signupConfig.databaseUrl));
  store?.watch?.((problem) => log.error("between requests", problem));
  // Without a newsletter, unsynced rows are not waiting.
  const countWaiting =
    signupConfig?.newsletter && store ? () => store.countWaiting() : async () => 0;
  // Metrics load only when configured.
  const metrics =
    config.METRICS &&
    (await import("./process/metrics.ts")).serveMetrics(config.METRICS, countWaiting);
  const signup =
    store &&
    openSignup(signupConfig, {
      store,
      origin: baseUrl,
      getPeer: (request) => app.server?.requestIP(request)?.address,
      warn: log.warning,
      onLateError: (error) => log.error("after the response", error),
      metrics,
    });
  const app: App = createApp({
    baseUrl,
    config,
    tools: TOOLS,
    run: createRunner(priceBook),
    priceBook,
    signup,
    log: config.LOG === "off" ? { ...log, request: () => {} } : log,
    onRequest: metrics?.onRequest,
    isDraining: () => isDraining,
  });
  try {
    const port = listen(app, { hostname: config.HOST, port: config.PORT });
    // Before the log line, because its reader may send a signal at once.
    const stopped = stopOnSignal(app, config.DRAIN_MS, {
      onStopping: () => {
        isDraining = true;
      },
      finish: async () => await signup?.newsletter?.finish(),
    });
    log.info(`Handtools is at ${baseUrl()} (listening on ${config.HOST} port ${port})`);
    if (metrics) log.info(`Metrics are at ${metrics.url}`);
    const isPublic = !isLocalServer(environment);
    if (!config.BASE_URL && isPublic) log.warning(NO_BASE_URL);
    const warnAll = (problems: Iterable<string> = []) => {
      for (const problem of problems) log.warning(problem);
    };
    warnAll(signupConfig && findWeakSettings(environment, signupConfig, isPublic));
    warnAll(store?.warnings);
    // Not awaited: a slow newsletter must not delay shutdown.
    void signup?.newsletter?.check().then(warnAll);
    await stopped;
  } finally {
    await metrics?.close();
    signup?.newsletter?.close();
    await store?.close();
  }
}

const NO_BASE_URL =
  "BASE_URL is not set: links point to localhost, and signups and /mcp work only there; set it to the origin in the browser's address bar";
