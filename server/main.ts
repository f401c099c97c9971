import { createApp } from "./app.ts";
import { type Config, type Environment, readConfig, StartupError } from "./config.ts";
import { listen, probe, stopOnSignal } from "./lifecycle.ts";
import { faultsOnly, jsonLog, lineWriter } from "./log.ts";
import { once } from "./once.ts";
import { readSettings, toolsWith } from "./service.ts";
import { randomSecret, readSignupConfig, type SignupConfig } from "./signup/config.ts";
import { answerCounts, memoryCounter, parentCounter } from "./signup/counts.ts";
import type { SignupStore } from "./signup/model.ts";
import { openNewsletter, openSignup } from "./signup/open.ts";
import { machineWarnings, startWarnings } from "./signup/start-warnings.ts";
import { openStore } from "./signup/store/open-store.ts";
import { isWorker, reportReady, runWorkers, type Send } from "./workers.ts";

export { StartupError } from "./config.ts";

/** Takes a line for the operator. */
export type Print = (line: string) => Promise<void>;

/**
 * Runs the server until it is told to stop.
 *
 * @param environment the configuration; docs/self-hosting.md has every variable.
 * @param print receives the address when the server is ready.
 * @param workers how many processes share the port.
 * @throws {StartupError} when the configuration is wrong, or the port or the database is not available.
 */
export async function serve(environment: Environment, print: Print, workers = 1): Promise<void> {
  const { config, signupConfig, settings } = readEnvironment(environment);
  if (workers > 1) return shareThePort(config, signupConfig, environment, print, workers);

  const lines = lineWriter();
  const log = jsonLog(lines.write);
  let port = config.PORT;
  let draining = false;
  const baseUrl = once(() => config.BASE_URL ?? `http://localhost:${port}`);
  const peerOf = (request: Request) => app.server?.requestIP(request)?.address;
  const store = signupConfig && (await openStoreAs(isWorker(environment), signupConfig));
  const metrics = await openMetricsAs(isWorker(environment), config, store);
  const signup =
    store &&
    openSignup(signupConfig, {
      store,
      origin: baseUrl,
      peerOf,
      counter: store.counter ?? (isWorker(environment) ? parentCounter() : memoryCounter()),
      warn: log.warning,
      onLateFault: (error) => log.fault("after the answer", error),
      onOutcome: metrics?.onOutcome,
      onNewsletterFailure: metrics?.onNewsletterFailure,
      onNamesKept: metrics?.onNamesKept,
    });
  const app = createApp({
    baseUrl,
    identity: identityOf(config),
    run: toolsWith(settings),
    settings,
    signup,
    npmPackage: config.NPM_PACKAGE,
    sourceUrl: config.SOURCE_URL,
    mcp: config.MCP === "on",
    webMcpTrialToken: config.WEBMCP_TRIAL_TOKEN,
    log: config.LOG === "off" ? faultsOnly(log) : log,
    onRequest: metrics?.onRequest,
    isDraining: () => draining,
  });
  try {
    port = listen(app, { hostname: config.HOST, port, shared: isWorker(environment) });
    // Registered before the address is printed, because its reader may signal at once.
    const stopped = stopOnSignal(app, config.DRAIN_MS, () => {
      draining = true;
    });
    if (isWorker(environment)) reportReady();
    else {
      announce(config, port, metrics?.url, print);
      warnOfMachine(environment, log.warning);
      // Not awaited: a newsletter that does not answer must not delay a stop.
      if (signupConfig && signup) startWarnings(environment, signupConfig, signup, 1, log.warning);
    }
    await stopped;
  } finally {
    await metrics?.close();
    signup?.newsletter.close?.();
    await store?.close();
    await lines.end();
  }
}

/**
 * Reads the whole configuration.
 *
 * @throws {StartupError} with the problems of all its parts: else they would come one start at a time.
 */
function readEnvironment(environment: Environment) {
  const problems: string[] = [];
  const part = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const config = part(() => readConfig(environment));
  const signupConfig = part(() =>
    environment.SIGNUP === "off" ? undefined : readSignupConfig(environment, config?.BASE_URL),
  );
  const settings = part(() => readSettings(environment));
  if (!config || !settings || problems.length > 0) throw new StartupError(2, problems);
  return { config, signupConfig, settings };
}

/** The parent of a worker has checked the database. */
const openStoreAs = (worker: boolean, { databaseUrl }: SignupConfig) =>
  openStore(databaseUrl, { create: true, check: !worker });

/** Runs several processes on one port; the parent itself serves nothing. */
async function shareThePort(
  config: Config,
  signupConfig: SignupConfig | undefined,
  environment: Environment,
  print: Print,
  workers: number,
): Promise<void> {
  const port = await probe(config.HOST, config.PORT);
  // Applies the migrations once, before several workers would.
  const store = signupConfig && (await openStore(signupConfig.databaseUrl));
  const { METRICS } = config;
  const metrics =
    METRICS && (await import("./metrics-port.ts")).metricsOfWorkers(METRICS, store?.countWaiting);
  // Only a scrape asks it again.
  if (!metrics) await store?.close();
  const shared = {
    ...environment,
    PORT: String(port),
    // One worker must accept what another has signed.
    CHALLENGE_SECRET: environment.CHALLENGE_SECRET || randomSecret(),
  };
  const lines = lineWriter();
  const { warning } = jsonLog(lines.write);
  const answerCount = answerCounts();
  const events = {
    ...metrics,
    onRestart: (reason: string) =>
      warning(`a worker ended (${reason}), and another one is started in its place`),
    onMessage: (message: unknown, worker: Send) => {
      answerCount(message, worker);
      metrics?.onMessage(message, worker);
    },
  };
  try {
    await runWorkers(workers, shared, events, () => {
      announce(config, port, metrics?.url, print);
      warnOfMachine(environment, warning);
      if (!store) return;
      const newsletter = openNewsletter(signupConfig.newsletter, warning);
      startWarnings(environment, signupConfig, { newsletter, store }, workers, warning);
    });
  } finally {
    await metrics?.close();
    if (metrics) await store?.close();
  }
  await lines.end();
}

/** Metrics are loaded only when they are asked for. A worker has no port: its parent collects. */
async function openMetricsAs(worker: boolean, { METRICS }: Config, store: SignupStore | undefined) {
  if (!METRICS) return undefined;
  const { metricsOfProcess, metricsOfWorker } = await import("./metrics-port.ts");
  return worker ? metricsOfWorker() : metricsOfProcess(METRICS, store?.countWaiting);
}

/** Prints the addresses. A closed standard output must not stop the server. */
async function announce(
  { BASE_URL, HOST }: Config,
  port: number,
  metricsUrl: string | undefined,
  print: Print,
): Promise<void> {
  const origin = BASE_URL ?? `http://localhost:${port}`;
  try {
    await print(`Handtools is at ${origin} (listening on ${HOST} port ${port})`);
    if (metricsUrl !== undefined) await print(`Metrics are at ${metricsUrl}`);
  } catch {
    // Nothing reads the output.
  }
}

function warnOfMachine(environment: Environment, warn: (problem: string) => void): void {
  const machine = { workingDirectory: process.cwd(), userId: process.getuid?.() };
  for (const problem of machineWarnings(environment, machine)) warn(problem);
}

const identityOf = ({ SERVICE_ID, SERVICE_DESCRIPTION }: Config) => ({
  ...(SERVICE_ID !== undefined && { serviceId: SERVICE_ID }),
  ...(SERVICE_DESCRIPTION !== undefined && { description: SERVICE_DESCRIPTION }),
});
