import { createApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { readPriceBook } from "./config-file.ts";
import { OperatorError } from "./operator-error.ts";
import { listen, stopOnSignal } from "./process/lifecycle.ts";
import { outputLog, withoutRequests } from "./process/log.ts";
import { machineWarnings } from "./process/machine-warnings.ts";
import { createRunner, listenerState } from "./service.ts";
import { readSignupConfig, type SignupConfig } from "./signup/config.ts";
import { memoryCounter } from "./signup/counts.ts";
import { openSignup } from "./signup/open.ts";
import { startWarnings } from "./signup/start-warnings.ts";
import { openStore } from "./signup/store/open-store.ts";
import type { SignupStore } from "./signup/store/signup-store.ts";
import { type Environment, isOff } from "./variables.ts";

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
  const { baseUrl, isDraining, peerOf, onListen, onDrain } = listenerState(config.BASE_URL);
  const store = signupConfig && (await openStore(signupConfig.databaseUrl));
  store?.watch?.((problem) => log.error("between requests", problem));
  const metrics = await openMetrics(config, countWaiting(store, signupConfig));
  const signup =
    store &&
    openSignup(signupConfig, {
      store,
      origin: baseUrl,
      peerOf,
      counter: store.counter ?? memoryCounter(),
      warn: log.warning,
      onLateError: (error) => log.error("after the answer", error),
      onOutcome: metrics?.onOutcome,
      onNewsletterFailure: metrics?.onNewsletterFailure,
      onNamesKept: metrics?.onNamesKept,
    });
  const app = createApp({
    baseUrl,
    identity: healthIdentity(config),
    run: createRunner(priceBook),
    priceBook,
    signup,
    npmPackage: config.NPM_PACKAGE,
    sourceUrl: config.SOURCE_URL,
    mcp: config.MCP,
    log: config.LOG === "off" ? withoutRequests(log) : log,
    onRequest: metrics?.onRequest,
    isDraining,
  });
  try {
    await signup?.newsletter.requireSearch?.();
    const { HOST: hostname, PORT } = config;
    const port = listen(app, { hostname, port: PORT });
    if (app.server) onListen(app.server);
    // Registered before the address is printed, because its reader may signal at once.
    const finish = async () => await signup?.newsletter.finish?.();
    const stopped = stopOnSignal(app, config.DRAIN_MS, onDrain, finish);
    const origin = config.BASE_URL ?? `http://localhost:${port}`;
    (print ?? log.info)(`Handtools is at ${origin} (listening on ${hostname} port ${port})`);
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

/** Metrics load only when configured. */
async function openMetrics({ METRICS }: Config, countWaiting: CountWaiting | undefined) {
  if (!METRICS) return undefined;
  const { serveMetrics } = await import("./process/metrics.ts");
  return serveMetrics(METRICS, countWaiting);
}

type CountWaiting = SignupStore["countWaiting"];

/** Counts the rows that wait for the newsletter. Without a newsletter nobody waits, though no row is synced. */
const countWaiting = (store: SignupStore | undefined, signup: SignupConfig | undefined) =>
  signup?.newsletter ? store?.countWaiting : async () => 0;

const healthIdentity = ({ SERVICE_ID, SERVICE_DESCRIPTION }: Config) => ({
  ...(SERVICE_ID !== undefined && { serviceId: SERVICE_ID }),
  ...(SERVICE_DESCRIPTION !== undefined && { description: SERVICE_DESCRIPTION }),
});
