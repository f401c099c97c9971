import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../schemas/index.ts";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { HEALTH_PATH } from "../server/paths.ts";
import { toolPath } from "../src/describe-tool.ts";
import { firstLine, startServer } from "../test/server/support/servers.ts";
import type { Baseline } from "./baselines.ts";
import { someFilters } from "./library.ts";
import { countAnswers } from "./load.ts";
import { medianRatio, printRow } from "./table.ts";

/** The server against others that do the same work, and its memory. */
export async function measureServer(): Promise<void> {
  await compare("POST 1 filter", FILTER, "hono", ">= 1");
  await compare("POST `mcp-config`", SERVER, "hono", ">= 0.9");
  await compare("POST 1 filter", FILTER, "fastify", ">= 1.3");
  await compare("POST `mcp-config`", SERVER, "fastify", ">= 1.2");
  const health = `GET ${HEALTH_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
  await compare("GET /api/health", health, "bare", ">= 0.65");
  await measureMemory();
}

const BASELINES: Readonly<Record<Baseline, string>> = {
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

/** Loads two servers in turns, and compares the answers for a second of the processor's time. */
async function compare(
  what: string,
  request: string,
  baseline: Baseline,
  goal: string,
): Promise<void> {
  await using ours = await handtools();
  await using other = await startBaseline(baseline);
  const turn =
    ({ port, pid }: { readonly port: number; readonly pid: number }) =>
    async () => {
      const before = processorTime(pid);
      const answers = await countAnswers(port, request, 400);
      return answers / (processorTime(pid) - before);
    };
  const ratio = await medianRatio({ warmUps: 3, turns: 21 }, turn(ours), turn(other));
  printRow(`${what}, against ${BASELINES[baseline]}`, ratio, goal);
}

/** What a process has used so far, in hundredths of a second: proc(5) has them as `utime` and `stime`. */
function processorTime(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
  const [utime, stime] = fields.split(" ").slice(11, 13);
  return Number(utime) + Number(stime);
}

/** Our server, until the end of the block. */
export async function handtools() {
  const server = await startServer(["--port", "0"], { LOG: "off" });
  const end = async () => {
    server.signal("SIGTERM");
    await server.exited();
  };
  return { port: server.port, pid: server.pid, [Symbol.asyncDispose]: end };
}

async function startBaseline(name: Baseline) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "baselines.ts"), name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { text } = await firstLine(child.stdout);
  const end = async () => {
    child.kill();
    await child.exited;
  };
  return { port: Number(text), pid: child.pid, [Symbol.asyncDispose]: end };
}

/** Compares the memory of a server after many requests with that after a few. */
async function measureMemory(): Promise<void> {
  await using server = await handtools();
  let sent = 0;
  const residentAfter = async (requests: number) => {
    while (sent < requests) {
      const answers = await countAnswers(server.port, SERVER, 1_000);
      if (answers === 0) throw new Error("the server answers nothing");
      sent += answers;
    }
    const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(server.pid)]);
    return Number(stdout.toString());
  };
  const few = await residentAfter(10_000);
  const many = await residentAfter(100_000);
  printRow("memory after 100,000 requests, against 10,000", many / few, "<= 1.2");
}
