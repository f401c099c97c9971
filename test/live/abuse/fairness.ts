import { Worker } from "node:worker_threads";
import { type WorstInput, worstInputs } from "../../../bench/worst-inputs.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { openConnection, rawPost } from "../../server/support/http.ts";
import type { Scenario } from "./run.ts";
import { toolRequest } from "./support.ts";

/** A client that sends ordinary requests must be answered beside one that sends the worst ones. */
export const fairness: Scenario = {
  title: "an ordinary client is answered beside one that sends the worst inputs",

  async run({ port, times }) {
    const worst = await mostExpensive(port);
    const figures: string[] = [];
    for (const connections of [1, 32]) {
      const attack = startAttack(port, connections, worst.bytes);
      await Bun.sleep(500);
      const wait = await longestWait(port, times(4_000, 30_000));
      const answers = await attack.stop();
      figures.push(
        `beside ${connections} (${answers} answered) the longest wait was ${Math.round(wait)} ms`,
      );
      // In turns with costly calls, whose number does not count: a ratio, since machines differ.
      if (wait > MOST_CALLS * worst.milliseconds) throw new Error(figures.join("; "));
    }
    return `one call takes ${Math.round(worst.milliseconds)} ms; ${figures.join("; ")}`;
  },
};

/** An ordinary request waits for the costly call under way, and for the next one to be read. */
const MOST_CALLS = 8;

const ROUNDS = 5;

interface Expensive {
  readonly bytes: Uint8Array;
  /** The time of one request on an idle server. */
  readonly milliseconds: number;
}

async function mostExpensive(port: number): Promise<Expensive> {
  const all: Expensive[] = [];
  for (const input of worstInputs()) all.push(await timed(port, input));
  return all.reduce((most, one) => (one.milliseconds > most.milliseconds ? one : most));
}

async function timed(port: number, { contract, json }: WorstInput): Promise<Expensive> {
  const bytes = rawPost(toolPath(contract), json);
  const connection = await openConnection(port);
  const rounds: number[] = [];
  while (rounds.length < ROUNDS) {
    const started = performance.now();
    connection.send(bytes);
    await connection.response("POST", 60_000);
    rounds.push(performance.now() - started);
  }
  connection.end();
  return { bytes, milliseconds: rounds.toSorted((a, b) => a - b)[2] ?? Number.NaN };
}

function startAttack(port: number, connections: number, bytes: Uint8Array) {
  const worker = new Worker(new URL("./attack-worker.ts", import.meta.url), {
    workerData: { port, connections, bytes },
  });
  const answers = new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    stop: async (): Promise<number> => {
      worker.postMessage("stop");
      const count = await answers;
      await worker.terminate();
      return count;
    },
  };
}

/** The longest that an ordinary request waits for its answer. */
async function longestWait(port: number, milliseconds: number): Promise<number> {
  const connection = await openConnection(port);
  const { bytes } = toolRequest("ordinary");
  const end = performance.now() + milliseconds;
  let longest = 0;
  while (performance.now() < end) {
    const started = performance.now();
    connection.send(bytes);
    await connection.response("POST", 60_000);
    longest = Math.max(longest, performance.now() - started);
    await Bun.sleep(5);
  }
  connection.end();
  return longest;
}
