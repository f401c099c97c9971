import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { MAX_RESULT_BYTES } from "../../../schemas/index.ts";
import { callTool } from "../../../src/call-tool.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { exchange, MCP, openConnection, rawPost } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import { worstInputs } from "../../support/worst-inputs.ts";
import { expectSame, runChecks } from "../runner.ts";
import { longestWait, mostExpensive, ordinary, startAttack } from "./fairness.ts";

/*
 * Treats a server badly, once in each way: `npm run test:live abuse`. An ordinary client is answered
 * throughout, nothing is logged as an error, and the server stops at a signal. A word that is given
 * picks the attacks with it in their title.
 */

interface Target {
  readonly pid: number;
  readonly port: number;
}

const HEALTH = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";
const HEALTHY = { status: 200, body: '{"status":"pass"}' };
const POST = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;

/** The bytes that are sent at first, and those of every second after it. */
const STUCK: readonly (readonly [name: string, first: string, drip: string])[] = [
  ["says nothing", "", ""],
  ["stops within the headers", "GET /api/health HTTP/1.1\r\nHo", ""],
  ["drips its headers", "GET /api/health HTTP/1.1\r\nX-A: ", "a"],
  ["stops within a body", `${POST}Content-Length: 100\r\n\r\n{`, ""],
  ["drips its body", `${POST}Content-Length: 100\r\n\r\n{`, " "],
  ["stops within a chunk", `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\naa`, ""],
  ["has been answered", HEALTH, ""],
];

/** A few seconds above the time that the server gives a request. */
const CLOSED_WITHIN_MS = 16_000;

async function stayForever({ port }: Target): Promise<string> {
  const open = await Promise.all(
    Array.from({ length: 40 }, () => STUCK)
      .flat()
      .map(async ([name, first, drip]) => {
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
  expectSame(open.flat(), []);
  return `${open.length} connections at a time`;
}

/** The headers and the body of an ordinary request, two bytes at a time, in eight seconds. */
async function dripSlowly({ port }: Target): Promise<string> {
  const { bytes, answer } = ordinary;
  const senders = Array.from({ length: 200 }, async () => {
    const connection = await openConnection(port);
    for (let at = 0; at < bytes.length; at += 2) {
      connection.send(bytes.subarray(at, at + 2));
      await Bun.sleep(8_000 / (bytes.length / 2));
    }
    expect(await connection.response("POST", 30_000)).toMatchObject(answer);
    connection.end();
  });
  await Promise.all(senders);
  return `${senders.length} senders at a time`;
}

const KIB = 1_024;
const withHeaders = (lines: string, target = "/api/health") =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
/** Room for the rest of a request within the limit. */
const fill = (size: number) => "a".repeat(size - 100);

/** Up to 256 KiB (server/process/lifecycle.ts) and, as Bun has it, nearly 200 lines. */
async function sendHugeHeaders({ port }: Target): Promise<string> {
  const sized = [16 * KIB, 256 * KIB, 257 * KIB, KIB * KIB].flatMap((size) => {
    const status = size > 256 * KIB ? 431 : 200;
    return [
      [status, withHeaders(`X-A: ${fill(size)}\r\n`)],
      [status, withHeaders(`X-A: ${fill(size / 2)}\r\n`.repeat(2))],
      [status, withHeaders("", `/api/health?${fill(size)}`)],
    ] as const;
  });
  const counted = [
    [200, withHeaders("X-A: b\r\n".repeat(190))],
    [431, withHeaders("X-A: b\r\n".repeat(5_000))],
  ] as const;
  for (const [wanted, request] of [...sized, ...counted]) {
    const { status } = await exchange(port, request);
    expectSame([request.length, status], [request.length, wanted]);
  }
  return `${sized.length + counted.length} requests of up to 1 MiB of headers`;
}

const get = (method: string, target: string) => `${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;

/**
 * Requests with their answers, to be sent without waiting. Bun ends a connection on which anything
 * follows a call of a tool that is under way, so the call is the last.
 */
const MIXED: readonly (readonly [method: string, bytes: string | Uint8Array, answer: object])[] = [
  ["GET", HEALTH, HEALTHY],
  ["HEAD", get("HEAD", "/api/tools"), { status: 200, body: "" }],
  ["PUT", get("PUT", "/api/zz"), { status: 404 }],
  ["GET", get("GET", MCP), { status: 200 }],
  ["POST", ordinary.bytes, ordinary.answer],
];

/** All at once, in two packets cut at every place in turn. */
async function pipeline({ port }: Target): Promise<string> {
  const bytes = Buffer.concat(MIXED.map(([, request]) => Buffer.from(request)));
  await inParallel(bytes.length, async (cut) => {
    const connection = await openConnection(port);
    connection.send(bytes.subarray(0, cut));
    await Bun.sleep(1);
    connection.send(bytes.subarray(cut));
    for (const [method, , answer] of MIXED) {
      expect(await connection.response(method)).toMatchObject(answer);
    }
    connection.end();
  });
  return `${MIXED.length} requests at once, cut in ${bytes.length} places`;
}

/** Goes away at every place of a request, with a farewell (FIN) or without one (RST). */
async function goAway({ pid, port }: Target): Promise<string> {
  const before = openFiles(pid);
  const count = 4_000;
  await inParallel(count, async (index) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(ordinary.bytes.subarray(0, index % (ordinary.bytes.length + 1)), () => {
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      });
    });
    // What the server answers to a client that is gone is a reset.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    await promise;
  });
  await waitForRelease(pid, before);
  return `${count} clients`;
}

/** Has been answered, and keeps the connection until the server closes it. */
async function stayIdle({ pid, port }: Target): Promise<string> {
  const before = openFiles(pid);
  const connections: Awaited<ReturnType<typeof openConnection>>[] = [];
  await inParallel(800, async () => {
    const connection = await openConnection(port);
    connections.push(connection);
    connection.send(HEALTH);
    expect(await connection.response()).toMatchObject(HEALTHY);
  });
  const longest = await longestWait(port, 2_000);
  if (longest > MOST_WAIT_MS) throw new Error(`an ordinary client waited ${longest} ms`);
  await Promise.all(connections.map((connection) => connection.closed(40_000)));
  await waitForRelease(pid, before);
  return `${connections.length} connections`;
}

/** What SECURITY.md says of a server without a proxy. */
const MOST_WAIT_MS = 1_000;

const page = (target: string, lines = "") =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n${lines}\r\n`);

/** The slowest input that is known, and pages by hundreds without waiting for an answer. */
async function flood({ port }: Target): Promise<string> {
  const { bytes, title } = await mostExpensive(port);
  const floods = [
    { what: title, request: bytes, connections: 1, burst: 1 },
    { what: title, request: bytes, connections: 32, burst: 1 },
    { what: "pages", request: page("/docs"), connections: 1, burst: 5_000 },
    {
      what: "compressed pages",
      request: page("/docs", "Accept-Encoding: br\r\n"),
      ...{ connections: 32, burst: 200 },
    },
    {
      what: "pages of their own",
      request: page("/tools/mcp-config-generator?input={}"),
      ...{ connections: 32, burst: 200 },
    },
    { what: "unknown pages", request: page("/zz"), connections: 32, burst: 200 },
  ];
  const figures: string[] = [];
  for (const { what, ...attack } of floods) {
    const running = startAttack({ port, ...attack });
    await Bun.sleep(500);
    const longest = await longestWait(port, 4_000);
    await running.stop();
    figures.push(`${attack.connections} x ${attack.burst} ${what}: ${Math.round(longest)} ms`);
    if (longest > MOST_WAIT_MS) throw new Error(figures.join("; "));
  }
  return figures.join("; ");
}

/** What SECURITY.md says: of answers that nobody reads, Bun keeps what the sockets do not take. */
const MOST_UNREAD_MB = 1_000;

/** Asks for the largest result, and reads nothing. */
async function readNothing({ pid, port }: Target): Promise<string> {
  const sizes = worstInputs().map((input) => {
    const limits = { resultBytes: MAX_RESULT_BYTES };
    const outcome = callTool(input.contract.name, JSON.parse(input.json), limits);
    return { ...input, size: outcome.ok ? JSON.stringify(outcome.value).length : 0 };
  });
  const largest = sizes.reduce((most, one) => (one.size > most.size ? one : most));
  const request = rawPost(toolPath(largest.contract), largest.json);
  for (let round = 0; round < 20; round += 1) await exchange(port, request, "POST");
  const [before, files] = [megabytes(pid), openFiles(pid)];
  const sockets = Array.from({ length: 1_000 }, () => {
    const socket = connect(port, "127.0.0.1");
    // The server closes the connection at last.
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(request);
    return socket;
  });
  let most = before;
  for (let seconds = 0; seconds < 15; seconds += 1) {
    await Bun.sleep(1_000);
    most = Math.max(most, megabytes(pid));
  }
  for (const socket of sockets) socket.destroy();
  await waitForRelease(pid, files);
  const figures = `${sockets.length} clients; ${before} MB before, ${most} MB at most`;
  if (most > before + MOST_UNREAD_MB) throw new Error(figures);
  return figures;
}

/** The memory that the process has. */
function megabytes(pid: number): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Math.round(Number(stdout.toString()) / 1_024);
}

/** How many files and connections a process has open, on Linux. */
const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Waits until a process has let go of the connections it had, but for a few that come and go. */
async function waitForRelease(pid: number, before: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (openFiles(pid) > before + 10) {
    if (performance.now() > deadline) throw new Error(`${openFiles(pid)} files are still open`);
    await Bun.sleep(100);
  }
}

/** Does something so many times, sixteen at a time. */
async function inParallel(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const queue = Array(count).keys();
  const worker = async () => {
    for (const index of queue) await act(index);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const ATTACKS: readonly (readonly [string, (target: Target) => Promise<string>])[] = [
  ["a connection that never comes to an end is closed in time", stayForever],
  ["who sends slowly is answered", dripSlowly],
  ["headers up to 256 KiB are read, and larger or too many are rejected", sendHugeHeaders],
  ["pipelined requests get their own answers, in their order", pipeline],
  ["clients who go away leave nothing behind", goAway],
  ["idle connections keep nobody waiting, and are closed in the end", stayIdle],
  ["an ordinary client is answered beside floods", flood],
  ["answers that nobody reads do not fill the memory", readNothing],
];

async function underAttack(attack: (target: Target) => Promise<string>): Promise<void> {
  const server = await startServer(["--port", "0"], { LOG: "off" });
  let isOver = false;
  const askOften = async () => {
    while (!isOver) {
      expect(await exchange(server.port, ordinary.bytes)).toMatchObject(ordinary.answer);
      await Bun.sleep(50);
    }
  };
  try {
    const attacked = attack(server).finally(() => {
      isOver = true;
    });
    const [figures] = await Promise.all([attacked, askOften()]);
    process.stdout.write(`      ${figures}\n`);
    server.signal("SIGTERM");
    expectSame(await server.exited(20_000), 0);
    expectSame((await server.output()).includes('"level":"error"'), false);
  } finally {
    server.signal("SIGKILL");
    await server.exited();
  }
}

const [word = ""] = process.argv.slice(2);
await runChecks(
  ATTACKS.filter(([title]) => title.includes(word)).map(([title, attack]) => ({
    title,
    run: () => underAttack(attack),
  })),
);
