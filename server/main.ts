import { createApp } from "./app.ts";
import { type Config, type Environment, readConfig, readSettings, StartupError } from "./config.ts";
import { type Channel, channelToParent } from "./process/channel.ts";
import { listen, probe, stopOnSignal } from "./process/lifecycle.ts";
import { jsonLog, lineWriter, withoutRequests } from "./process/log.ts";
import { machineWarnings } from "./process/machine-warnings.ts";
import { isWorker, runWorkers } from "./process/workers.ts";
import { listening, toolsWith } from "./service.ts";
import { randomSecret, readSignupConfig, type SignupConfig } from "./signup/config.ts";
import { memoryCounter, parentCounter } from "./signup/counts.ts";
import type { SignupStore } from "./signup/model.ts";
import { openNewsletter, openSignup } from "./signup/open.ts";
import { startWarnings } from "./signup/start-warnings.ts";
import { openStore } from "./signup/store/open-store.ts";

export { StartupError } from "./config.ts";
export { infoLine } from "./process/log.ts";

/** Takes a line for the operator. */
export type Print = (line: string) => Promise<void>;

/**
 * Runs the server until a signal stops it.
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
  const { baseUrl, isDraining, peerOf, onListen, onDrain } = listening(config.BASE_URL);
  const parent = isWorker(environment) ? channelToParent() : undefined;
  // The parent of a worker has checked the database.
  const check = parent === undefined;
  const store =
    signupConfig && (await openStore(signupConfig.databaseUrl, { create: true, check }));
  store?.watch?.((problem) => log.error("between requests", problem));
  const metrics = await openMetricsAs(parent, config, waitingIn(store, signupConfig));
  const signup =
    store &&
    openSignup(signupConfig, {
      store,
      origin: baseUrl,
      peerOf,
      counter:
        store.counter ??
        (parent ? parentCounter((added) => parent.ask("count", added)) : memoryCounter()),
      warn: log.warning,
      onLateError: (error) => log.error("after the answer", error),
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
    log: config.LOG === "off" ? withoutRequests(log) : log,
    onRequest: metrics?.onRequest,
    isDraining,
  });
  try {
    const { HOST: hostname, PORT } = config;
    const port = listen(app, { hostname, port: PORT, shared: parent !== undefined });
    if (app.server) onListen(app.server);
    // Registered before the address is printed, because its reader may signal at once.
    const stopped = stopOnSignal(app, config.DRAIN_MS, onDrain);
    // A worker ends with its parent, so nothing waits for the answer.
    if (parent) parent.ask("ready").catch(() => undefined);
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
    METRICS &&
    (await import("./process/metrics-port.ts")).metricsOfWorkers(
      METRICS,
      waitingIn(store, signupConfig),
    );
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
  const counter = memoryCounter();
  const events = {
    ...metrics,
    onRestart: (reason: string) =>
      warning(`a worker ended (${reason}), and another one is started in its place`),
    onStart: (worker: Channel) => {
      worker.answer("count", counter);
      metrics?.onStart(worker);
    },
  };
  try {
    await runWorkers(workers, shared, events, () => {
      announce(config, port, metrics?.url, print);
      warnOfMachine(environment, warning);
      if (!store) return;
      const newsletter = openNewsletter(signupConfig.newsletter);
      startWarnings(environment, signupConfig, { newsletter, store }, workers, warning);
    });
  } finally {
    await metrics?.close();
    if (metrics) await store?.close();
  }
  await lines.end();
}

/** Metrics load only when configured. A worker has no port: its parent collects. */
async function openMetricsAs(
  parent: Channel | undefined,
  { METRICS }: Config,
  countWaiting: CountWaiting | undefined,
) {
  if (!METRICS) return undefined;
  const { metricsOfProcess, metricsOfWorker } = await import("./process/metrics-port.ts");
  return parent ? metricsOfWorker(parent) : metricsOfProcess(METRICS, countWaiting);
}

type CountWaiting = SignupStore["countWaiting"];

/** Without a newsletter no row counts as waiting, though none is synced. */
const waitingIn = (store: SignupStore | undefined, signup: SignupConfig | undefined) =>
  signup?.newsletter.kind === "off" ? async () => 0 : store?.countWaiting;

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
