import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { openConnection, type Visitor } from "../../server/support/http.ts";

/*
 * Sends a request again and again on several connections, until it gets a message: each time as soon
 * as the last one is answered, or in bursts without waiting.
 */

export interface Attack {
  readonly port: number;
  readonly connections: number;
  readonly request: Uint8Array;
  /** How many requests are sent at once. */
  readonly burst: number;
  /** Who attacks a proxy, without bursts. */
  readonly by?: Visitor | undefined;
}

const { port, connections, request, burst, by }: Attack = workerData;

let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});

let answers = 0;

async function attack(): Promise<void> {
  let connection = await openConnection(port, by);
  while (!isOver) {
    connection.send(request);
    const { headers } = await connection.response("POST", 60_000);
    answers += 1;
    // nginx ends a connection after a thousand requests.
    if (headers.connection === "close") {
      connection.end();
      connection = await openConnection(port, by);
    }
  }
  connection.end();
}

/** Sends a burst on a connection, and another one on a new connection when it ends or falls silent. */
async function flood(): Promise<void> {
  const bytes = Buffer.concat(Array.from({ length: burst }, () => request));
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
await Promise.all(Array.from({ length: connections }, act));
parentPort?.postMessage(answers);
