import { createApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { lineWriter } from "./line-writer.ts";
import { listen, probe, withdrawFixed } from "./listen.ts";
import { faultsOnly, jsonLog } from "./log.ts";
import { once } from "./once.ts";
import { readSettings } from "./settings.ts";
import { stopOnSignal } from "./stop.ts";
import { isWorker, reportReady, runWorkers } from "./workers.ts";

export { StartFailure } from "./start-failure.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs the server until it is told to stop.
 *
 * @param environment the configuration; see the table in the README.
 * @param print takes the address when the server is ready.
 * @param workers how many processes share the port.
 * @throws {StartFailure} when the configuration is wrong or the port cannot be had.
 */
export async function serve(
  environment: Environment,
  print: (line: string) => void,
  workers = 1,
): Promise<void> {
  const config = readConfig(environment);
  if (workers > 1) {
    readSettings(environment);
    const port = await probe(config.HOST, config.PORT);
    const shared = { ...environment, PORT: String(port) };
    await runWorkers(workers, shared, () => print(readyLine(config, port)));
    return;
  }
  const lines = lineWriter();
  const log = jsonLog(lines.write);
  let port = config.PORT;
  let draining = false;
  const app = createApp({
    baseUrl: once(() => config.BASE_URL ?? `http://localhost:${port}`),
    identity: identityOf(config),
    settings: readSettings(environment),
    log: config.LOG === "off" ? faultsOnly(log) : log,
    isDraining: () => draining,
  });
  port = listen(app, { hostname: config.HOST, port, shared: isWorker(environment) });
  if (isWorker(environment)) reportReady();
  else print(readyLine(config, port));

  await stopOnSignal(app, () => {
    draining = true;
    withdrawFixed(app);
  });
  await lines.end();
}

/** Where to open it, and where it listens. */
const readyLine = ({ BASE_URL, HOST }: Config, port: number): string =>
  `Handtools is at ${BASE_URL ?? `http://localhost:${port}`} (listening on ${HOST} port ${port})`;

const identityOf = ({ SERVICE_ID, SERVICE_DESCRIPTION }: Config) => ({
  ...(SERVICE_ID !== undefined && { serviceId: SERVICE_ID }),
  ...(SERVICE_DESCRIPTION !== undefined && { description: SERVICE_DESCRIPTION }),
});
