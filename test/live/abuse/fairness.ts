import { MCP, openConnection, type Visitor } from "../../server/support/http.ts";
import { surfaces } from "../../support/surfaces.ts";
import { worstInputs } from "../../support/worst-inputs.ts";
import { worstMessages } from "../../support/worst-messages.ts";
import type { Scenario } from "./run.ts";
import { rawMessage, rawRequest, startAttack, toolRequest } from "./support.ts";

/** A client that sends ordinary requests must be answered beside one that sends the worst ones. */
export const fairness: Scenario = {
  title: "an ordinary client is answered beside one that sends the worst inputs",

  async run({ port, times }) {
    const worst = await mostExpensive(port);
    const figures: string[] = [];
    for (const connections of [1, 32]) {
      const time = times(4_000, 30_000);
      const { longest, answers } = await longestWaitBeside(port, connections, worst.bytes, time);
      figures.push(
        `beside ${connections} (${answers} answered) the longest wait was ${Math.round(longest)} ms`,
      );
      if (longest > MOST_WAIT_MS) throw new Error(figures.join("; "));
    }
    return `one call takes ${Math.round(worst.milliseconds)} ms; ${figures.join("; ")}`;
  },
};

/** The same beside thousands of requests that wait for no answer; each alone is cheap. */
export const pipelinedFairness: Scenario = {
  title: "an ordinary client is answered beside connections that pipeline thousands of requests",

  async run({ port, times }) {
    const figures: string[] = [];
    for (const { title, bytes } of PIPELINED) {
      for (const [connections, burst] of [
        [1, 5_000],
        [32, 200],
      ] as const) {
        const time = times(2_000, 10_000);
        const { longest } = await longestWaitBeside(port, connections, bytes, time, burst);
        figures.push(`${connections} x ${burst} ${title}: ${Math.round(longest)} ms`);
        if (longest > MOST_WAIT_MS) throw new Error(figures.join("; "));
      }
    }
    return figures.join("; ");
  },
};

const getPage = (path: string, lines = "") =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n${lines}\r\n`);

/** A long page as it is and compressed, one that is made for each request, and one that is none. */
const PIPELINED = [
  { title: "a page", bytes: getPage("/docs") },
  { title: "a compressed page", bytes: getPage("/docs", "Accept-Encoding: br\r\n") },
  { title: "a page of its own", bytes: getPage("/tools/mcp-config-generator?input={}") },
  { title: "an unknown page", bytes: getPage("/zz") },
];

/** What SECURITY.md says of a server without a proxy. */
const MOST_WAIT_MS = 1_000;

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
      all.push(await timed(port, `${title}: ${input.title}`, rawRequest(request(input))));
    }
  }
  for (const message of worstMessages()) {
    all.push(await timed(port, message.title, rawMessage(message)));
  }
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

/**
 * The longest that an ordinary request waits beside a client that sends one request without a
 * pause, or in bursts, and how often that one is answered.
 */
async function longestWaitBeside(
  port: number,
  connections: number,
  bytes: Uint8Array,
  milliseconds: number,
  burst = 1,
): Promise<{ longest: number; answers: number }> {
  const attack = startAttack({ port, connections, request: bytes, burst });
  await Bun.sleep(500);
  const longest = await longestWait(port, milliseconds);
  return { longest, answers: await attack.stop() };
}

/** The longest that an ordinary request waits for its answer. */
export async function longestWait(
  port: number,
  milliseconds: number,
  by?: Visitor,
): Promise<number> {
  const connection = await openConnection(port, by);
  const { bytes } = toolRequest("ordinary");
  const end = performance.now() + milliseconds;
  let longest = 0;
  while (performance.now() < end) {
    const started = performance.now();
    connection.send(bytes);
    await connection.response("POST", 60_000);
    longest = Math.max(longest, performance.now() - started);
    await Bun.sleep(5);
  }
  connection.end();
  return longest;
}
