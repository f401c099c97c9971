import { join } from "node:path";
import type { Contract } from "../schemas/index.ts";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { HEALTH_PATH } from "../server/links.ts";
import { toolPath } from "../src/describe-tool.ts";
import { waitUntil } from "../test/live/faults/outage.ts";
import { startServer } from "../test/server/support/servers.ts";
import { freePort } from "../test/support/free-port.ts";
import { someFilters } from "./library.ts";
import { answersPerSecond } from "./load.ts";
import { median, medianRatio, type Row } from "./table.ts";

/** The server against others that do the same work, and its memory. */
export const serverRows = async (): Promise<Row[]> => [
  await compare("POST 1 filter", FILTER, "hono", [">", 1]),
  await compare("POST `mcp-config`", SERVER, "hono", [">", 1]),
  await compare("POST 1 filter", FILTER, "fastify", [">", 1.3]),
  await compare("POST `mcp-config`", SERVER, "fastify", [">", 1.3]),
  await compare("POST 1 filter", FILTER, "bare", [">=", 0.4]),
  await compare("GET /api/health", `GET ${HEALTH_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`, "bare", [
    ">=",
    0.7,
  ]),
  await memoryRow(),
];

const BASELINES = {
  bare: "bare `Bun.serve`",
  fastify: "the same library behind Fastify with ajv",
  hono: "the same library behind Hono with valibot",
};

function post(contract: Contract, input: unknown): string {
  const body = JSON.stringify(input);
  const head = `POST ${toolPath(contract)} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const FILTER = post(mailFilterContract, someFilters(1));
const SERVER = post(mcpConfigContract, mcpConfigContract.example_input);

/** Runs two servers side by side, and loads them in turns. */
async function compare(
  what: string,
  request: string,
  name: keyof typeof BASELINES,
  goal: Row["goal"],
): Promise<Row> {
  const ratios: number[] = [];
  while (ratios.length < LAUNCHES) {
    await using ours = await handtools();
    await using baseline = await startBaseline(name);
    const turn = (port: number) => () => answersPerSecond(port, request, TURN_MS);
    ratios.push(await medianRatio(TURNS, turn(ours.port), turn(baseline.port)));
  }
  return { what: `${what}, against ${BASELINES[name]}`, figure: median(ratios), goal };
}

/** Several launches, because processes of one program may differ by a few percent. */
const LAUNCHES = 3;
const TURNS = { warmUps: 3, turns: 7 };
const TURN_MS = 400;

/** Our server, until the end of the block. */
export async function handtools() {
  const server = await startServer(["--port", "0"], { LOG: "off" });
  const end = async () => {
    server.signal("SIGTERM");
    await server.exited();
  };
  return { port: server.port, pid: server.pid, [Symbol.asyncDispose]: end };
}

async function startBaseline(name: string) {
  const port = await freePort();
  const script = join(import.meta.dir, "baselines.ts");
  const child = Bun.spawn([process.execPath, script, name, String(port)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const end = async () => {
    child.kill();
    await child.exited;
  };
  await waitUntil(name, () =>
    fetch(`http://127.0.0.1:${port}${HEALTH_PATH}`).then(
      () => true,
      () => false,
    ),
  );
  return { port, [Symbol.asyncDispose]: end };
}

/** Compares the memory of a server after many requests with that after a few. */
async function memoryRow(): Promise<Row> {
  await using server = await handtools();
  let sent = 0;
  const residentAfter = async (requests: number) => {
    while (sent < requests) {
      const rate = await answersPerSecond(server.port, SERVER, 1_000);
      if (rate === 0) throw new Error("the server answers nothing");
      sent += rate;
    }
    const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(server.pid)]);
    return Number(stdout.toString());
  };
  const few = await residentAfter(10_000);
  return {
    what: "memory after 100,000 requests, against 10,000",
    figure: (await residentAfter(100_000)) / few,
    goal: ["<=", 1.2],
  };
}
