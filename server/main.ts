import { type App, createApp } from "./app.ts";
import { machineWarnings, readConfig, readPriceBook } from "./config.ts";
import { OperatorError } from "./operator-error.ts";
import { listen, stopOnSignal } from "./process/lifecycle.ts";
import { outputLog } from "./process/log.ts";
import { createRunner } from "./service.ts";
import { readSignupConfig } from "./signup/config.ts";
import { memoryCounter } from "./signup/counts.ts";
import { openSignup } from "./signup/open.ts";
import { startWarnings } from "./signup/start-warnings.ts";
import { openStore } from "./signup/store/open-store.ts";
import { type Environment, isOff } from "./variables.ts";

export { OperatorError } from "./operator-error.ts";

/**
 * Runs the server until a signal stops it.
 *
 * @param environment the configuration; docs/self-hosting.md has every variable.
 * @param print takes a line with the address when the server is ready; without it, the log has that line.
 * @throws {OperatorError} when the configuration is wrong, or the port or the database is not available.
 */
export async function serve(
  environment: Environment,
  print?: (line: string) => void,
): Promise<void> {
  const { config, signupConfig, priceBook } = readEnvironment(environment);
  const log = outputLog();
  let isDraining = false;
  const baseUrl = () => config.BASE_URL ?? `http://localhost:${app.server?.port}`;
  const store = signupConfig && (await openStore(signupConfig.databaseUrl));
  store?.watch?.((problem) => log.error("between requests", problem));
  // Without a newsletter nobody waits, though no row is synced.
  const countWaiting = signupConfig?.newsletter && store ? store.countWaiting : async () => 0;
  // Metrics load only when configured.
  const metrics =
    config.METRICS &&
    (await import("./process/metrics.ts")).serveMetrics(config.METRICS, countWaiting);
  const signup =
    store &&
    openSignup(signupConfig, {
      store,
      origin: baseUrl,
      peerOf: (request) => app.server?.requestIP(request)?.address,
      counter: store.counter ?? memoryCounter(),
      warn: log.warning,
      onLateError: (error) => log.error("after the answer", error),
      onOutcome: metrics?.onOutcome,
      onNewsletterFailure: metrics?.onNewsletterFailure,
      onNamesKept: metrics?.onNamesKept,
    });
  const app: App = createApp({
    baseUrl,
    identity: { serviceId: config.SERVICE_ID, description: config.SERVICE_DESCRIPTION },
    run: createRunner(priceBook),
    priceBook,
    signup,
    npmPackage: config.NPM_PACKAGE,
    sourceUrl: config.SOURCE_URL,
    mcp: config.MCP,
    log: config.LOG === "off" ? { ...log, request: () => {} } : log,
    onRequest: metrics?.onRequest,
    isDraining: () => isDraining,
  });
  try {
    await signup?.newsletter.requireSearch?.();
    const { HOST: hostname, PORT } = config;
    const port = listen(app, { hostname, port: PORT });
    // Registered before the address is printed, because its reader may signal at once.
    const stopped = stopOnSignal(app, config.DRAIN_MS, {
      onStopping: () => {
        isDraining = true;
      },
      finish: async () => await signup?.newsletter.finish?.(),
    });
    (print ?? log.info)(`Handtools is at ${baseUrl()} (listening on ${hostname} port ${port})`);
    if (metrics) log.info(`Metrics are at ${metrics.url}`);
    for (const problem of machineWarnings(environment, process.getuid?.())) log.warning(problem);
    // Nobody waits for the warnings: a newsletter that does not answer must not delay a stop.
    if (signupConfig && signup) startWarnings(environment, signupConfig, signup, log.warning);
    await stopped;
  } finally {
    await metrics?.close();
    signup?.newsletter.close?.();
    await store?.close();
  }
}

/**
 * Reads the whole configuration.
 *
 * @throws {OperatorError} with the problems of all parts, so that one start shows them all.
 */
function readEnvironment(environment: Environment) {
  const problems: string[] = [];
  const part = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const config = part(() => readConfig(environment));
  const signupConfig = part(() =>
    isOff(environment.SIGNUP) ? undefined : readSignupConfig(environment, config?.BASE_URL),
  );
  const priceBook = part(() => readPriceBook(environment));
  if (!config || problems.length > 0) throw new OperatorError(2, problems);
  return { config, signupConfig, priceBook };
}
