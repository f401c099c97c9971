import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../../server/support/http.ts";

/*
 * Sends requests in turn, again and again on several connections, until it gets a message: each as
 * soon as the last one is answered, or in bursts without waiting.
 */

interface Attack {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly requests: readonly Uint8Array[];
  /** How many requests are sent at once. */
  readonly burst: number;
}

/** How the attack went. */
export interface Attacked {
  readonly answers: number;
  /** How often each request was answered with 200. */
  readonly passed: readonly number[];
}

const { ports, connections, requests, burst }: Attack = workerData;

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

/** Sends a burst on a connection, and another one on a new connection when it ends or falls silent. */
async function flood(port: number): Promise<void> {
  const bytes = Buffer.concat(Array.from({ length: burst }, () => requests).flat());
  while (!isOver) {
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (chunk: Buffer) => {
      answers += chunk.toString("latin1").split("HTTP/1.1 200 ").length - 1;
    });
    socket.on("error", () => socket.destroy());
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.write(bytes);
    await new Promise((resolve) => socket.once("close", resolve));
  }
}

const SILENT_MS = 1_000;

const act = burst === 1 ? attack : flood;
await Promise.all(
  Array.from({ length: connections }, (_, index) => act(ports[index % ports.length] ?? 0)),
);
parentPort?.postMessage({ answers, passed } satisfies Attacked);
