import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { probe } from "../server/lifecycle.ts";
import { answersPerSecond, type Request } from "./load.ts";
import { median, type Row } from "./table.ts";

/**
 * Compares the server with others that do the same work.
 *
 * @param many requests for the memory row.
 */
export async function serverRows(many: number): Promise<Row[]> {
  // The server opens a database, although nobody signs up here.
  const folder = mkdtempSync(join(tmpdir(), "handtools-bench-"));
  const handtools = (log: "json" | "off"): Command => ({
    words: [join(import.meta.dir, "../cli/main.ts"), "serve"],
    environment: { LOG: log, DATABASE_URL: `file:${join(folder, "handtools.sqlite")}` },
  });
  const rows = [
    await compare({
      what: "POST a tool, against bare `Bun.serve` with the same library call",
      goal: { atLeast: 0.9 },
      request: runTool,
      ours: handtools("off"),
      baseline: baseline("bare-tool"),
    }),
    await compare({
      what: "GET /api/health, against bare `Bun.serve` with a fixed answer",
      goal: { atLeast: 1 },
      request: getHealth,
      ours: handtools("off"),
      baseline: baseline("bare-health"),
    }),
    await compare({
      what: "POST a tool, against Fastify with ajv",
      goal: { above: 1 },
      request: runTool,
      ours: handtools("off"),
      baseline: baseline("fastify"),
    }),
    await compare({
      what: "POST a tool, against Hono with valibot",
      goal: { above: 1 },
      request: runTool,
      ours: handtools("off"),
      baseline: baseline("hono"),
    }),
    await compare({
      what: "POST a tool with the log, against without it",
      request: runTool,
      ours: handtools("json"),
      baseline: handtools("off"),
    }),
    await memoryRow(handtools("off"), runTool, many),
  ];
  rmSync(folder, { recursive: true });
  return rows;
}

const runTool: Request = {
  method: "POST",
  path: "/api/tools/mcp-config-generator",
  body: JSON.stringify(mcpConfigContract.example_input),
};
const getHealth: Request = { method: "GET", path: "/api/health" };

const baseline = (name: string): Command => ({
  words: [join(import.meta.dir, "baselines.ts"), name],
});

/** Runs two servers side by side and loads them in turns. The ratio is the median of all turns. */
async function compare(comparison: Comparison): Promise<Row> {
  const { what, goal, request } = comparison;
  const rounds: Round[] = [];
  for (let launch = 0; launch < LAUNCHES; launch += 1) {
    await withProgram(comparison.ours, (ours) =>
      withProgram(comparison.baseline, async (baseline) => {
        rounds.push(...(await takeTurns(ours, baseline, request)));
      }),
    );
  }
  return {
    what,
    ours: perSecond(median(rounds.map(({ ours }) => ours))),
    baseline: perSecond(median(rounds.map(({ baseline }) => baseline))),
    ratio: median(rounds.map(({ ours, baseline }) => ours / baseline)),
    ...(goal && { goal }),
  };
}

interface Comparison {
  readonly what: string;
  readonly goal?: Row["goal"];
  readonly request: Request;
  readonly ours: Command;
  readonly baseline: Command;
}

/** Answers per second. */
interface Round {
  readonly ours: number;
  readonly baseline: number;
}

/**
 * Many short turns, so that other work of the machine affects both servers alike; several
 * launches, because processes of one program may differ by a few percent.
 */
const LAUNCHES = 5;
const ROUNDS = 6;
const TURN_MS = 400;
const WARM_UP_MS = 1_500;

async function takeTurns(ours: Program, baseline: Program, request: Request) {
  const turn = ({ port }: Program, milliseconds: number) =>
    answersPerSecond(port, request, { milliseconds });
  await turn(ours, WARM_UP_MS);
  await turn(baseline, WARM_UP_MS);
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const isOursFirst = rounds.length % 2 === 0;
    const first = await turn(isOursFirst ? ours : baseline, TURN_MS);
    const second = await turn(isOursFirst ? baseline : ours, TURN_MS);
    rounds.push(
      isOursFirst ? { ours: first, baseline: second } : { ours: second, baseline: first },
    );
  }
  return rounds;
}

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en-US")}/s`;

/** Compares the memory of a server after many requests with that after a few. */
async function memoryRow(command: Command, request: Request, many: number): Promise<Row> {
  const { few, most } = await withProgram(command, async (server) => {
    const send = (requests: number) =>
      answersPerSecond(server.port, request, {
        requests,
        milliseconds: requests * MILLISECONDS_PER_REQUEST,
      });
    await send(FEW);
    const few = residentKilobytes(server);
    await send(many - FEW);
    return { few, most: residentKilobytes(server) };
  });
  return {
    what: `memory after ${many.toLocaleString("en-US")} requests, against ${FEW.toLocaleString("en-US")}`,
    ours: megabytes(most),
    baseline: megabytes(few),
    ratio: most / few,
    goal: { atMost: 1.2 },
  };
}

function residentKilobytes({ pid }: Program): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(stdout.toString());
}

const megabytes = (kilobytes: number): string => `${Math.round(kilobytes / 1024)} MB`;

const FEW = 10_000;

/** Generous: even a slow machine answers hundreds of requests a second. */
const MILLISECONDS_PER_REQUEST = 5;

/** Runs a server, on the port in its variable PORT and without its output, while it is used. */
async function withProgram<Result>(
  { words, environment }: Command,
  use: (program: Program) => Promise<Result>,
): Promise<Result> {
  const port = await probe("127.0.0.1", 0);
  const child = Bun.spawn([process.execPath, ...words], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    const deadline = performance.now() + START_MS;
    while (!(await isListening(port))) {
      const isLate = performance.now() > deadline;
      if (isLate || child.exitCode !== null) throw new Error(`${words.join(" ")} does not listen`);
      await Bun.sleep(50);
    }
    return await use({ pid: child.pid, port });
  } finally {
    child.kill();
    await child.exited;
  }
}

const isListening = (port: number): Promise<boolean> =>
  Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );

/** How to start a server: a script for Bun with its arguments, and its environment. */
interface Command {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server in a process of its own. */
interface Program {
  readonly pid: number;
  readonly port: number;
}

/** A server must listen within this time. */
const START_MS = 10_000;
