import { devNull } from "node:os";
import { extname } from "node:path";
import { type Environment, StartupError } from "../config.ts";
import { type Channel, openChannel } from "./channel.ts";
import { nextSignal } from "./lifecycle.ts";

/**
 * Runs several processes on one port, and restarts one that ends by itself.
 *
 * @param environment of the workers; PORT is the port they share.
 * @param onReady called when all workers serve.
 * @throws {StartupError} when a worker does not start.
 */
export async function runWorkers(
  count: number,
  environment: Environment,
  events: WorkerEvents,
  onReady: () => void,
): Promise<void> {
  let stopping = false;
  const workers = Array.from({ length: count }, () =>
    keepRunning(environment, events, () => stopping),
  );
  const stopped = nextSignal();
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    onReady();
    await stopped;
  } finally {
    stopping = true;
    const stop = () => {
      for (const worker of workers) worker.stop();
    };
    stop();
    // It cuts off what is in flight, as in a server of one process.
    void nextSignal().then(stop);
    await Promise.all(workers.map(({ ended }) => ended));
  }
}

interface WorkerEvents {
  onStart(worker: Channel): void;
  onEnd?(worker: Channel): void;
  /** A worker that ended by itself is started again. */
  onRestart(reason: string): void;
}

function keepRunning(environment: Environment, events: WorkerEvents, isStopping: () => boolean) {
  let worker = start(environment, events);
  const { ready } = worker;
  const run = async () => {
    for (;;) {
      const reason = await worker.exited;
      if (isStopping()) return;
      await Bun.sleep(RESTART_MS);
      if (isStopping()) return;
      events.onRestart(reason);
      worker = start(environment, events);
    }
  };
  return { ready, ended: run(), stop: () => worker.kill() };
}

const RESTART_MS = 1_000;

function start(environment: Environment, events: WorkerEvents) {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, ...entry()], {
    env: { ...environment, [WORKER_VARIABLE]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (message) => receive(message),
  });
  const { channel, receive, close } = openChannel((message) => child.send(message));
  channel.answer("ready", resolve);
  events.onStart(channel);
  const exited = child.exited.then(() => {
    close();
    events.onEnd?.(channel);
    reject(new StartupError(1, ["a worker ended before it was ready"]));
    return child.signalCode === null ? `exit code ${child.exitCode}` : String(child.signalCode);
  });
  // Nothing awaits a restarted worker, so its rejection would be unhandled.
  ready.catch(() => undefined);
  return { ready, exited, kill: () => child.kill("SIGTERM") };
}

/** The worker's file for Bun to run. */
function entry(): string[] {
  // Compiled and source files have different extensions.
  const file = Bun.fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
  // A worker has the environment of its parent, whatever the working directory holds.
  return ["--no-env-file", `--config=${devNull}`, file];
}

export const isWorker = (environment: Environment): boolean => environment[WORKER_VARIABLE] === "1";

/** Set for a process that shares its port and whose parent waits until it is ready. */
const WORKER_VARIABLE = "HANDTOOLS_WORKER";
