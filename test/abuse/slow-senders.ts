import { expect } from "bun:test";
import { openConnection } from "../server/connection.ts";
import type { Scenario } from "./scenario.ts";
import { type ToolRequest, toolRequest } from "./tool-request.ts";

/** Pieces of a request that takes its time, five seconds in all. */
const PIECES = 50;
const PAUSE_MS = 100;

/** The server loses its patience after ten seconds; a few more for a busy machine. */
const PATIENCE_MS = 30_000;

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** The first bytes one by one, then the rest. */
async function drip(connection: Connection, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < PIECES; sent += 1) {
    connection.send(bytes.subarray(sent, sent + 1));
    await Bun.sleep(PAUSE_MS);
  }
  connection.send(bytes.subarray(PIECES));
}

async function expectAnswer(connection: Connection, { answer }: ToolRequest): Promise<void> {
  expect(await connection.response("POST", PATIENCE_MS)).toMatchObject(answer);
}

/** What a slow sender does with a connection and a request. */
const WAYS: readonly ((connection: Connection, request: ToolRequest) => Promise<void>)[] = [
  async function dripsItsHeaders(connection, request) {
    await drip(connection, request.bytes);
    await expectAnswer(connection, request);
  },
  async function dripsItsBody(connection, request) {
    connection.send(request.bytes.subarray(0, request.bodyStart));
    await drip(connection, request.bytes.subarray(request.bodyStart));
    await expectAnswer(connection, request);
  },
  async function stopsInItsHeaders(connection, { bytes }) {
    connection.send(bytes.subarray(0, 40));
    await connection.closed(PATIENCE_MS);
  },
  async function stopsInItsBody(connection, { bytes }) {
    connection.send(bytes.subarray(0, -1));
    await connection.closed(PATIENCE_MS);
  },
  async function saysNothing(connection) {
    await connection.closed(PATIENCE_MS);
  },
];

/** Many at a time who send slowly, or never come to an end. */
export const slowSenders: Scenario = {
  title: "slow senders are answered, and those who never come to an end are dropped",

  async run({ port, times }) {
    const senders = WAYS.length * times(40, 400);
    await Promise.all(
      Array.from({ length: senders }, async (_, index) => {
        const connection = await openConnection(port);
        await WAYS[index % WAYS.length]?.(connection, toolRequest(`slow-${index}`));
        connection.end();
      }),
    );
    return `${senders} senders at a time`;
  },
};
