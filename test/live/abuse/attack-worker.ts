import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../../server/support/http.ts";

/*
 * Sends requests in turn, again and again on several connections, each as soon as the last one is
 * answered, until it is told to stop.
 */

interface Attack {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly requests: readonly Uint8Array[];
}

/** How the attack went. */
export interface Attacked {
  readonly answers: number;
  /** How often each request was answered with 200. */
  readonly passed: readonly number[];
}

const { ports, connections, requests }: Attack = workerData;

let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});

let sent = 0;
let answers = 0;
const passed = requests.map(() => 0);

async function attack(port: number): Promise<void> {
  const connection = await openConnection(port);
  while (!isOver) {
    const index = sent++ % requests.length;
    connection.send(requests[index] ?? "");
    const { status } = await connection.response("POST", 60_000);
    answers += 1;
    if (status === 200) passed[index] = (passed[index] ?? 0) + 1;
  }
  connection.end();
}

await Promise.all(
  Array.from({ length: connections }, (_, index) => attack(ports[index % ports.length] ?? 0)),
);
parentPort?.postMessage({ answers, passed } satisfies Attacked);
