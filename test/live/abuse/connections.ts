import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { exchange, MCP, openConnection } from "../../server/support/http.ts";
import { openFiles, waitForRelease } from "./memory.ts";
import type { Scenario } from "./run.ts";
import { inParallel, type ToolRequest, toolRequest, upTo } from "./support.ts";

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

/** The ways of a slow sender. */
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

const HEAD = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;

/** The bytes that are sent at first, and those of every second after it. */
const STUCK: readonly (readonly [name: string, first: string, drip: string])[] = [
  ["says nothing", "", ""],
  ["stops within the headers", "GET /api/health HTTP/1.1\r\nHo", ""],
  ["drips its headers", "GET /api/health HTTP/1.1\r\nX-A: ", "a"],
  ["stops within a body", `${HEAD}Content-Length: 100\r\n\r\n{`, ""],
  ["drips its body", `${HEAD}Content-Length: 100\r\n\r\n{`, " "],
  ["stops within a chunk", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\naa`, ""],
  ["has been answered", "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n", ""],
];

/** A few seconds above the time that the server gives a request. */
const CLOSED_WITHIN_MS = 16_000;

/** One of each kind that never comes to an end. */
export const stuckConnections: Scenario = {
  title: "a connection that never comes to an end is closed in time",

  async run({ port }) {
    const open = await Promise.all(
      STUCK.map(async ([name, first, drip]) => {
        const connection = await openConnection(port);
        connection.send(first);
        const dripping = setInterval(() => connection.send(drip), 1_000);
        const isClosed = await connection.closed(CLOSED_WITHIN_MS).then(
          () => true,
          () => false,
        );
        clearInterval(dripping);
        connection.end();
        return isClosed ? [] : [name];
      }),
    );
    expect(open.flat()).toEqual([]);
    return `${STUCK.length} connections`;
  },
};

const OPENED_AT_A_TIME = 100;
const CALLS_MEANWHILE = 200;
const IDLE_RELEASE_MS = 40_000;

/** Files a process needs for everything else. */
const RESERVED = 200;

/** How many files a process may have open. Bun has raised it as far as the system lets it. */
function fileLimit(): number {
  if (process.platform !== "linux") return 1_024;
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1_024);
}

/** Thousands who have asked something and keep the connection. */
export const idleConnections: Scenario = {
  title: "idle connections keep nobody waiting, and are closed in the end",

  async run({ pid, port, times }) {
    const before = openFiles(pid);
    const count = Math.min(times(2_000, 10_000), fileLimit() - RESERVED);
    const connections: Awaited<ReturnType<typeof openConnection>>[] = [];
    const call = async (mark: string) => {
      const { bytes, answer } = toolRequest(mark);
      expect(await exchange(port, bytes)).toMatchObject(answer);
    };
    await inParallel(upTo(count), OPENED_AT_A_TIME, async (index) => {
      const connection = await openConnection(port);
      connections.push(connection);
      const { bytes, answer } = toolRequest(`idle-${index}`);
      connection.send(bytes);
      expect(await connection.response()).toMatchObject(answer);
    });
    const open = connections.filter(({ isClosed }) => !isClosed).length;
    await inParallel(upTo(CALLS_MEANWHILE), 8, (index) => call(`meanwhile-${index}`));
    await Promise.all(connections.map((connection) => connection.closed(IDLE_RELEASE_MS)));
    await waitForRelease(pid, before, IDLE_RELEASE_MS);
    return `${count} connections, ${open} of them open at a time`;
  },
};

const DROPPED_AT_A_TIME = 64;
const DROPPED_RELEASE_MS = 20_000;

/** Sends the beginning of a request and goes, with a farewell (FIN) or without one (RST). */
const drop = (port: number, bytes: Uint8Array, isRude: boolean): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes, () => {
        if (isRude) socket.resetAndDestroy();
        else socket.destroy();
      });
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });

/** Sends a whole request and says that no more will come, as `nc -N` does. */
const halfClose = (port: number, bytes: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    socket.end(bytes);
  });

/** Clients who go away at every place of a request, or close their half of a connection. */
export const droppedConnections: Scenario = {
  title: "dropped and half-open connections leave nothing behind",

  async run({ pid, port, times }) {
    const before = openFiles(pid);
    const count = times(2_000, 40_000);
    await inParallel(upTo(count), DROPPED_AT_A_TIME, async (index) => {
      const { bytes, answer } = toolRequest(`gone-${index}`);
      // Every place in turn, that behind the last byte included.
      const end = index % (bytes.length + 1);
      if (index % 3 < 2) return drop(port, bytes.subarray(0, end), index % 3 === 0);
      expect(await halfClose(port, bytes)).toEndWith(`\r\n\r\n${answer.body}`);
      expect(await halfClose(port, bytes.subarray(0, end - 1))).not.toStartWith("HTTP/1.1 200");
    });
    await waitForRelease(pid, before, DROPPED_RELEASE_MS);
    const { bytes, answer } = toolRequest("last");
    expect(await exchange(port, bytes)).toMatchObject(answer);
    return `${count} clients, ${DROPPED_AT_A_TIME} at a time; ${openFiles(pid)} files open at the end, ${before} before`;
  },
};
