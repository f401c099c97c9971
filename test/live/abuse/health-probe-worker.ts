import { expect } from "bun:test";
import { parentPort, workerData } from "node:worker_threads";
import { COST, exchange, rawPost } from "../../server/support/http.ts";

/*
 * Asks a server for its health and for a cost, in turns, until it gets a message: on a thread of
 * its own, so that what keeps the abusers busy does not make the server look slow.
 */

const PAUSE_MS = 50;
const HEALTH = "GET /api/health HTTP/1.1\r\nHost: probe\r\n\r\n";

/** Checks that the server is up, and answers this question and not an earlier one. */
async function ask(port: number, runs: number): Promise<void> {
  expect(await exchange(port, HEALTH)).toMatchObject({ status: 200, body: '{"status":"pass"}' });
  const input = JSON.stringify({ zaps: [{ action_steps: 1, runs_per_month: runs }] });
  const { status, body } = await exchange(port, rawPost(COST, input));
  expect({ status, tasks: JSON.parse(body).monthly_tasks }).toEqual({ status: 200, tasks: runs });
}

const stopped = new Promise<void>((resolve) => parentPort?.once("message", () => resolve()));
let isStopped = false;
stopped.then(() => {
  isStopped = true;
});

const report = { rounds: 0, worst: 0, problem: "" };
while (!isStopped && report.problem === "") {
  const started = performance.now();
  await ask(workerData.port, report.rounds).catch((error: unknown) => {
    report.problem = String(error);
  });
  report.rounds += 1;
  report.worst = Math.max(report.worst, performance.now() - started);
  await Promise.race([stopped, Bun.sleep(PAUSE_MS)]);
}
await stopped;
parentPort?.postMessage(report);
