import { Worker } from "node:worker_threads";
import { toolPagePath } from "../../../server/paths.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import {
  libraryResult,
  MCP,
  openConnection,
  rawPost,
  type Visitor,
} from "../../server/support/http.ts";
import { type WorstInput, worstInputs } from "../../support/worst-inputs.ts";
import { worstMessages } from "../../support/worst-messages.ts";
import type { Attack } from "./attack-worker.ts";

const ORDINARY = { name: "ordinary", command: "npx", args: ["-y", "ordinary"] };

/** What an ordinary client sends, and the one right answer to it. */
export const ordinary = {
  bytes: rawPost(MCP, JSON.stringify(ORDINARY)),
  answer: { status: 200, body: libraryResult({ name: "mcp_config_generator" }, ORDINARY) },
};

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

type Headers = Readonly<Record<string, string>>;

/** MCP on a local server is called by a local name only. */
const rawRequest = (path: string, body: string, headers: Headers): Uint8Array => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawPost(path, body, lines.join(""), "localhost");
};

const toMcp = (body: string, headers: Headers) =>
  rawRequest("/mcp", body, { Accept: "application/json, text/event-stream", ...headers });

/** The ways to run a tool on the server. */
const surfaces: Readonly<Record<string, (input: WorstInput) => Uint8Array>> = {
  HTTP: ({ contract, json }) => rawRequest(toolPath(contract), json, {}),
  MCP: ({ contract, json }) =>
    toMcp(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${contract.name}","arguments":${json}}}`,
      { "MCP-Protocol-Version": "2025-11-25" },
    ),
  page: ({ contract, json }) =>
    rawRequest(toolPagePath(contract), `input=${encodeURIComponent(json)}`, {
      "Content-Type": "application/x-www-form-urlencoded",
    }),
};

const ROUNDS = 5;

interface Expensive {
  readonly title: string;
  readonly bytes: Uint8Array;
  /** The time of one request on an idle server. */
  readonly milliseconds: number;
}

/** The worst input, on each way to a tool, or MCP message that is known, measured on an idle server. */
export async function mostExpensive(port: number): Promise<Expensive> {
  const all: Expensive[] = [];
  for (const [title, request] of Object.entries(surfaces)) {
    for (const input of worstInputs()) {
      all.push(await timed(port, `${title}: ${input.title}`, request(input)));
    }
  }
  for (const { title, body, headers } of worstMessages())
    all.push(await timed(port, title, toMcp(body, headers)));
  for (const [title, bytes] of LONG_HEADERS) all.push(await timed(port, title, Buffer.from(bytes)));
  return all.reduce((most, one) => (one.milliseconds > most.milliseconds ? one : most));
}

/** Nearly as long as Bun accepts. */
const HEADER_BYTES = 255_000;
const repeated = (text: string) => text.repeat(HEADER_BYTES / text.length);
const withHeader = (line: string, header = "Accept: */*") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${header}\r\n\r\n`;

/** Requests whose headers would take long to read. */
const LONG_HEADERS: readonly (readonly [title: string, request: string])[] = [
  ["parameters of a call", withHeader(`GET ${MCP}?${repeated("%&")}`)],
  ["parameters of a page", withHeader(`GET /tools/?${repeated("'")}`)],
  ["a long Accept-Encoding", withHeader("GET /docs", `Accept-Encoding: ${repeated(",")}`)],
  ["a long If-None-Match", withHeader("GET /docs", `If-None-Match: ${repeated(",")}`)],
  [
    "a long Content-Type",
    withHeader(`POST ${MCP}`, `Content-Type: application/json;${repeated('""')}"`),
  ],
];

async function timed(port: number, title: string, bytes: Uint8Array): Promise<Expensive> {
  const connection = await openConnection(port);
  const rounds: number[] = [];
  while (rounds.length < ROUNDS) {
    const started = performance.now();
    connection.send(bytes);
    await connection.response("POST", 60_000);
    rounds.push(performance.now() - started);
  }
  connection.end();
  return { title, bytes, milliseconds: Math.min(...rounds) };
}

/** The longest that an ordinary request waits for its answer. */
export async function longestWait(
  port: number,
  milliseconds: number,
  by?: Visitor,
): Promise<number> {
  const connection = await openConnection(port, by);
  const end = performance.now() + milliseconds;
  let longest = 0;
  while (performance.now() < end) {
    const started = performance.now();
    connection.send(ordinary.bytes);
    await connection.response("POST", 60_000);
    longest = Math.max(longest, performance.now() - started);
    await Bun.sleep(5);
  }
  connection.end();
  return longest;
}
