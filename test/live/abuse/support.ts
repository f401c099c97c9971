import { Worker } from "node:worker_threads";
import fc from "fast-check";
import {
  libraryResult,
  MCP,
  openConnection,
  type RawResponse,
  rawPost,
} from "../../server/support/http.ts";
import { type HttpRequest, toMcp } from "../../support/surfaces.ts";
import type { WorstMessage } from "../../support/worst-messages.ts";
import type { Attack } from "./attack-worker.ts";

/** A client that sends one request after the other, on one connection as long as it is kept. */
export function steadyClient(port: number) {
  let connection: Awaited<ReturnType<typeof openConnection>> | undefined;
  const end = () => {
    connection?.end();
    connection = undefined;
  };
  return {
    /** @param isLast true for a request that asks to close the connection. */
    async exchange(bytes: Uint8Array, method: string, isLast = false): Promise<RawResponse> {
      if (connection?.isClosed) end();
      try {
        connection ??= await openConnection(port);
        connection.send(bytes);
        const response = await connection.response(method);
        if (isLast || response.headers.connection === "close") end();
        return response;
      } catch (error) {
        end();
        throw error;
      }
    },
    end,
  };
}

interface Report {
  /** How often the server was asked for its health and for a cost. */
  readonly rounds: number;
  /** The longest that both answers took, in milliseconds. */
  readonly worst: number;
  /** The problem; empty without one. */
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

/** Sends a request in the background, on several connections and without a pause. */
export function startAttack(attack: Attack) {
  const worker = new Worker(new URL("./attack-worker.ts", import.meta.url), { workerData: attack });
  const attacked = new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    /** @returns how many requests were answered. */
    stop: async (): Promise<number> => {
      worker.postMessage("stop");
      const answers = await attacked;
      await worker.terminate();
      return answers;
    },
  };
}

/** Does something with each item, with no more than `width` of them under way at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  act: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await act(item, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** The numbers from 0 up to `count`, which is left out. */
export const upTo = (count: number): readonly number[] => [...Array(count).keys()];

/** Places to cut, as shares of the whole. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

/** Bytes as several packets bring them. */
export function inPieces(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index]));
}

/** Sends pieces, with pauses in which the others can go out. */
export async function sendPieces(
  connection: { send(bytes: Uint8Array): void },
  pieces: readonly Uint8Array[],
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await Bun.sleep(1);
    if (piece.length > 0) connection.send(piece);
  }
}

/** The bytes that bring a message to the MCP server. */
export const rawMessage = (message: Pick<WorstMessage, "headers" | "body">): Uint8Array =>
  rawRequest(toMcp(message));

export function rawRequest({ path, headers, body }: HttpRequest): Uint8Array {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // MCP on a local server is called by a local name only.
  return rawPost(path, body, lines.join(""), "localhost");
}

/** A request that no other is like, and the one right answer to it. */
export interface ToolRequest {
  readonly bytes: Uint8Array;
  /** The offset of the body. */
  readonly bodyStart: number;
  readonly answer: { readonly status: 200; readonly body: string };
}

export const MCP_TOOL = { name: "mcp_config_generator" };

/** @param mark sets its input, and so its answer, apart: letters, digits, - and _. */
export function toolRequest(mark: string): ToolRequest {
  const input = { name: mark, command: "npx", args: ["-y", mark] };
  const body = JSON.stringify(input);
  const bytes = rawPost(MCP, body);
  const answer = { status: 200, body: libraryResult(MCP_TOOL, input) } as const;
  return { bytes, bodyStart: bytes.length - body.length, answer };
}
