import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../../server/support/http.ts";

/*
 * Sends one request again and again on several connections, each as soon as the last one is
 * answered, until it is told to stop.
 */

interface Attack {
  readonly port: number;
  readonly connections: number;
  readonly bytes: Uint8Array;
}

const { port, connections, bytes }: Attack = workerData;

let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});

async function attack(): Promise<number> {
  const connection = await openConnection(port);
  let answers = 0;
  while (!isOver) {
    connection.send(bytes);
    await connection.response("POST", 60_000);
    answers += 1;
  }
  connection.end();
  return answers;
}

const answers = await Promise.all(Array.from({ length: connections }, attack));
parentPort?.postMessage(answers.reduce((sum, count) => sum + count, 0));
