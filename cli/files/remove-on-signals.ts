import { rmSync } from "node:fs";

/**
 * Removes a file when a signal comes, and then lets the signal end the process.
 *
 * @returns a function that stops this, for a file that is done with.
 */
export function removeOnSignals(file: string): () => void {
  const remove = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true });
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, remove);
  };
  for (const signal of SIGNALS) process.on(signal, remove);
  return stop;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
