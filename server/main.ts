import { createApp } from "./app.ts";
import { type Config, type Environment, readConfig } from "./config.ts";
import { listen, probe, stopOnSignal } from "./lifecycle.ts";
import { faultsOnly, jsonLog, lineWriter } from "./log.ts";
import { once } from "./once.ts";
import { bindTools, readSettings } from "./service.ts";
import { randomSecret, readSignupConfig, type SignupConfig } from "./signup/config.ts";
import { openNewsletter, openSignup } from "./signup/open.ts";
import { answerCounts, memoryCounter, parentCounter } from "./signup/rate-limit.ts";
import { machineWarnings, startWarnings } from "./signup/start-warnings.ts";
import { openStore } from "./signup/store/open-store.ts";
import { isWorker, reportReady, runWorkers } from "./workers.ts";

export { StartupError } from "./config.ts";

type Print = (line: string) => Promise<void>;

/**
 * Runs the server until it is told to stop.
 *
 * @param environment the configuration; see the table in the README.
 * @param print receives the address when the server is ready.
 * @param workers how many processes share the port.
 * @throws {StartupError} when the configuration is wrong, or the port or the database is not available.
 */
export async function serve(environment: Environment, print: Print, workers = 1): Promise<void> {
  const config = readConfig(environment);
  const signupConfig = readSignupConfig(environment, config.BASE_URL);
  const toolOf = bindTools(environment);
  if (workers > 1) return shareThePort(config, signupConfig, environment, print, workers);

  const lines = lineWriter();
  const log = jsonLog(lines.write);
  const store = await openStore(signupConfig.databaseUrl, {
    create: true,
    // The parent of a worker has checked it.
    check: !isWorker(environment),
  });
  let port = config.PORT;
  let draining = false;
  const baseUrl = once(() => config.BASE_URL ?? `http://localhost:${port}`);
  const signup = openSignup(signupConfig, {
    store,
    origin: baseUrl,
    peerOf: (request) => app.server?.requestIP(request)?.address,
    counter: store.counter ?? (isWorker(environment) ? parentCounter() : memoryCounter()),
    warn: log.warning,
    onLateFault: (error) => log.fault("after the answer", error),
  });
  const app = createApp({
    baseUrl,
    identity: identityOf(config),
    toolOf,
    settingsOf: readSettings(environment),
    signup,
    npmPackage: config.NPM_PACKAGE,
    mcp: config.MCP === "on",
    webMcpTrialToken: config.WEBMCP_TRIAL_TOKEN,
    log: config.LOG === "off" ? faultsOnly(log) : log,
    isDraining: () => draining,
  });
  port = listen(app, { hostname: config.HOST, port, shared: isWorker(environment) });
  // Registered before the address is printed, because its reader may signal at once.
  const stopped = stopOnSignal(app, () => {
    draining = true;
  });
  if (isWorker(environment)) reportReady();
  else {
    announce(config, port, print);
    warnOfMachine(environment, log.warning);
    // Not awaited: a newsletter that does not answer must not delay a stop.
    startWarnings(environment, signupConfig, signup, 1, log.warning);
  }
  await stopped;
  signup.newsletter.close?.();
  await store.close();
  await lines.end();
}

/** Runs several processes on one port; the parent itself serves nothing. */
async function shareThePort(
  config: Config,
  signupConfig: SignupConfig,
  environment: Environment,
  print: Print,
  workers: number,
): Promise<void> {
  // Applies the migrations once, before several workers would.
  const store = await openStore(signupConfig.databaseUrl);
  await store.close();
  const port = await probe(config.HOST, config.PORT);
  const shared = {
    ...environment,
    PORT: String(port),
    // One worker must accept what another has signed.
    CHALLENGE_SECRET: environment.CHALLENGE_SECRET || randomSecret(),
  };
  const lines = lineWriter();
  await runWorkers(workers, shared, answerCounts(memoryCounter()), () => {
    announce(config, port, print);
    const { warning } = jsonLog(lines.write);
    const newsletter = openNewsletter(signupConfig.newsletter, warning);
    warnOfMachine(environment, warning);
    startWarnings(environment, signupConfig, { newsletter, store }, workers, warning);
  });
  await lines.end();
}

/** Prints the address. A closed standard output must not stop the server. */
function announce({ BASE_URL, HOST }: Config, port: number, print: Print): void {
  const origin = BASE_URL ?? `http://localhost:${port}`;
  print(`Handtools is at ${origin} (listening on ${HOST} port ${port})`).catch(() => undefined);
}

function warnOfMachine(environment: Environment, warn: (problem: string) => void): void {
  const machine = { workingDirectory: process.cwd(), userId: process.getuid?.() };
  for (const problem of machineWarnings(environment, machine)) warn(problem);
}

const identityOf = ({ SERVICE_ID, SERVICE_DESCRIPTION }: Config) => ({
  ...(SERVICE_ID !== undefined && { serviceId: SERVICE_ID }),
  ...(SERVICE_DESCRIPTION !== undefined && { description: SERVICE_DESCRIPTION }),
});
