import { readdirSync } from "node:fs";
import { tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { asQuery, COST, MCP, rawPost } from "../../server/support/http.ts";
import { median } from "../signup/statistics.ts";
import type { Scenario } from "./run.ts";
import { steadyClient, upTo } from "./support.ts";

/** At a time; each keeps its connection for a few rounds of all requests. */
const CLIENTS = 8;
const ROUNDS = 6;

/** By then everything has been compiled and every cache is filled. */
const WARM = 10_000;
const MOST_GROWTH = 1.2;

interface SmallRequest {
  readonly status: number;
  readonly method: string;
  readonly bytes: Uint8Array;
}

const get = (status: number, target: string, method = "GET"): SmallRequest => ({
  status,
  method,
  bytes: Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`),
});
const post = (status: number, path: string, body: string, headers = ""): SmallRequest => ({
  status,
  method: "POST",
  bytes: rawPost(path, body, headers),
});

const signup = (changes: object) =>
  JSON.stringify({ email: "ada@site.test", name: "Ada", ctaSource: "hero", ...changes });

/** Requests with every kind of answer; the server keeps none of them. */
const REQUESTS: readonly SmallRequest[] = [
  ...tools.flatMap((tool) => {
    const input = JSON.stringify(tool.example_input);
    const path = toolPath(tool);
    return [post(200, path, input), get(200, path + asQuery(input)), get(200, path)];
  }),
  get(200, "/api/health"),
  get(200, "/api/tools", "HEAD"),
  get(200, "/openapi.json"),
  get(200, "/api/beta-signup/challenge"),
  get(204, MCP, "OPTIONS"),
  post(400, COST, "{"),
  post(400, MCP, '{"name":"a b"}'),
  post(403, "/api/beta-signup", signup({ turnstileToken: "x" })),
  post(403, "/api/beta-signup", signup({}), "Origin: https://evil.test\r\n"),
  get(404, "/api/tools/no-such-tool"),
  get(405, MCP, "DELETE"),
  post(413, COST, " ".repeat(16_385)),
  get(415, MCP, "POST"),
];

/** The memory that the process has, in megabytes. */
export function residentMegabytes(pid: number): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Math.round(Number(stdout.toString()) / 1_024);
}

async function sendAll(port: number): Promise<void> {
  const client = steadyClient(port);
  for (const { status, method, bytes } of upTo(ROUNDS).flatMap(() => REQUESTS)) {
    const answer = await client.exchange(bytes, method);
    if (answer.status !== status) throw new Error(`${answer.status} for ${Buffer.from(bytes)}`);
  }
  client.end();
}

/** Small requests of every kind, and the memory that they leave behind. */
export const memory: Scenario = {
  title: "the memory does not grow with the number of requests",

  async run({ pid, port, times }) {
    const count = times(50_000, 1_000_000);
    const samples: { readonly answered: number; readonly megabytes: number }[] = [];
    for (let answered = 0; answered < count; ) {
      await Promise.all(upTo(CLIENTS).map(() => sendAll(port)));
      answered += CLIENTS * ROUNDS * REQUESTS.length;
      samples.push({ answered, megabytes: residentMegabytes(pid) });
    }
    const between = (from: number, to: number) =>
      samples
        .filter(({ answered }) => answered >= from && answered < to)
        .map(({ megabytes }) => megabytes);
    const early = median(between(WARM, 2 * WARM));
    const late = median(between((count * 3) / 4, Number.POSITIVE_INFINITY));
    const most = Math.max(...between(0, Number.POSITIVE_INFINITY));
    const figures = `${samples.at(-1)?.answered} requests; ${early} MB after ${WARM}, ${late} MB in the last quarter, ${most} MB at most`;
    if (late > MOST_GROWTH * early) throw new Error(figures);
    return figures;
  },
};

/** How many files and connections a process has open; undefined where the system does not say. */
export function openFiles(pid: number): number | undefined {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : undefined;
}

/** A few that come and go, such as the connections of the health probe. */
const SPARE = 10;

/** Waits until a process has let go of the connections it had. */
export async function waitForRelease(
  pid: number,
  before: number | undefined,
  milliseconds: number,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (before !== undefined && (openFiles(pid) ?? 0) > before + SPARE) {
    if (performance.now() > deadline) throw new Error(`${openFiles(pid)} files are still open`);
    await Bun.sleep(100);
  }
}
