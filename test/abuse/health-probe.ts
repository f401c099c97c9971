import { Worker } from "node:worker_threads";

interface Report {
  /** How often the server was asked for its health and for a cost. */
  readonly rounds: number;
  /** The longest that both answers took, in milliseconds. */
  readonly worst: number;
  /** What went wrong; empty when nothing did. */
  readonly problem: string;
}

/** Looks after a server's health in the background. */
export function startHealthProbe(port: number) {
  const worker = new Worker(new URL("./health-probe-worker.ts", import.meta.url), {
    workerData: { port },
  });
  const report = new Promise<Report>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    report: (): Promise<Report> => {
      worker.postMessage("stop");
      return report;
    },
    end: () => worker.terminate(),
  };
}
