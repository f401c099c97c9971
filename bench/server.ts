import type { Contract } from "../schemas/index.ts";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { toolPath } from "../src/describe-tool.ts";
import { someFilters } from "./library.ts";
import { answersPerSecond, type Request } from "./load.ts";
import { baseline, type Command, handtools, type Program, withProgram } from "./programs.ts";
import { median, type Row } from "./table.ts";

/**
 * Compares the server with others that do the same work.
 *
 * @param many requests for the memory row.
 */
export const serverRows = async (many: number): Promise<Row[]> => [
  await againstJson("1 filter", runTool(mailFilterContract, someFilters(1)), 0.4),
  await againstJson("20 filters", runTool(mailFilterContract, someFilters(20)), 0.13),
  await againstJson("`mcp-config`", runExample, 0.33),
  await compare({
    what: "GET /api/health, against bare `Bun.serve` with a fixed answer",
    goal: { atLeast: 0.9 },
    request: { method: "GET", path: "/api/health" },
    ours: handtools(),
    baseline: baseline("bare-health"),
  }),
  await againstFramework("Fastify with ajv", "fastify"),
  await againstFramework("Hono with valibot", "hono"),
  await compare({
    what: "POST `mcp-config` with the log, against without it",
    request: runExample,
    ours: handtools("json"),
    baseline: handtools(),
  }),
  await memoryRow(handtools(), runExample, many),
];

/** A tool, against a server that only parses the input and writes the finished result. */
const againstJson = (what: string, request: Request, atLeast: number): Promise<Row> =>
  compare({
    what: `POST ${what}, against bare \`Bun.serve\` that parses and writes JSON`,
    goal: { atLeast },
    request,
    ours: handtools(),
    baseline: baseline("bare-json"),
  });

/** The whole work, against the same library behind another framework. */
const againstFramework = (what: string, name: string): Promise<Row> =>
  compare({
    what: `POST \`mcp-config\`, against ${what} and the same library`,
    goal: { above: 1 },
    request: runExample,
    ours: handtools(),
    baseline: baseline(name),
  });

const runTool = (contract: Contract, input: unknown): Request => ({
  method: "POST",
  path: toolPath(contract),
  body: JSON.stringify(input),
});

const runExample = runTool(mcpConfigContract, mcpConfigContract.example_input);

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

interface Round {
  readonly ours: number;
  readonly baseline: number;
}

/**
 * Many short turns, so that other work of the machine affects both servers alike; several
 * launches, because processes of one program may differ by a few percent.
 */
const LAUNCHES = 3;
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
