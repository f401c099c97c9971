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
 * Treats a server badly, once in each way: `npm run test:integration abuse`. An ordinary client is answered
 * throughout, nothing is logged as an error, and the server stops at a signal. A word that is given
 * picks the attacks with it in their title.
 */

interface Target {
  readonly pid: number;
  readonly port: number;
}

const HEALTH = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";
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

/** What SECURITY.md says of a server without a proxy. */
const MOST_WAIT_MS = 1_000;

const page = (target: string, lines = "") =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n${lines}\r\n`);

/** The slowest input that is known, and pages by hundreds without waiting for an answer. */
async function flood({ port }: Target): Promise<string> {
  const { bytes, title } = await mostExpensive(port);
  const floods = [
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
  ["clients who go away leave nothing behind", goAway],
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
