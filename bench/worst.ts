import { MAX_RESULT_BYTES } from "../schemas/index.ts";
import { toolPagePath } from "../server/links.ts";
import { callTool } from "../src/call-tool.ts";
import { toolPath } from "../src/describe-tool.ts";
import { someFilters } from "./library.ts";
import { handtools, type Program, withProgram } from "./programs.ts";
import { median, type Row } from "./table.ts";
import { type WorstInput, worstInputs } from "./worst-inputs.ts";
import { type WorstMessage, worstMessages } from "./worst-messages.ts";

/**
 * How long the worst inputs take in the library, over HTTP, over MCP and on a page, and the worst
 * messages over MCP, against parsing and writing a result of the largest size.
 */
export const worstRows = (): Promise<Row[]> =>
  withProgram(handtools(), async (server) => {
    const rows: Row[] = [];
    for (const surface of [library, ...surfaces.map((one) => served(one, server))]) {
      for (const input of worstInputs()) {
        const what = `${surface.title}: ${input.title}`;
        rows.push(await worstRow(what, () => surface.answer(input)));
      }
    }
    for (const message of worstMessages()) {
      rows.push(await worstRow(`MCP: ${message.title}`, () => answerOf(server, toMcp(message))));
    }
    return rows;
  });

/** One way to run a tool; resolves with the answer. */
interface Surface {
  readonly title: string;
  answer(input: WorstInput): unknown;
}

async function worstRow(what: string, answer: () => unknown): Promise<Row> {
  const rounds: { ours: number; unit: number }[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push({ ours: await milliseconds(answer), unit: await roundTrip() });
  }
  return {
    what,
    ours: `${median(rounds.map(({ ours }) => ours)).toFixed(1)} ms`,
    baseline: `${median(rounds.map(({ unit }) => unit)).toFixed(1)} ms`,
    ratio: median(rounds.map(({ ours, unit }) => ours / unit)),
    goal: { atMost: MOST_ROUND_TRIPS },
  };
}

const ROUNDS = 15;

/** A call may take as long as parsing and writing a result of the largest size this often. */
const MOST_ROUND_TRIPS = 6;

/** The work of the server on an input, without the connection. */
const library: Surface = {
  title: "library",
  answer: ({ contract: { name }, json }) =>
    JSON.stringify(callTool(name, JSON.parse(json), { resultBytes: MAX_RESULT_BYTES })),
};

interface Served {
  readonly title: string;
  request(input: WorstInput): HttpRequest;
}

/** A POST. */
export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that brings a message to the MCP server. */
export const toMcp = ({ headers, body }: Pick<WorstMessage, "headers" | "body">): HttpRequest => ({
  path: "/mcp",
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...headers,
  },
  body,
});

/** The ways to run a tool on the server. */
export const surfaces: readonly Served[] = [
  {
    title: "HTTP",
    request: ({ contract, json }) => ({
      path: toolPath(contract),
      headers: { "Content-Type": "application/json" },
      body: json,
    }),
  },
  {
    title: "MCP",
    request: ({ contract, json }) =>
      toMcp({
        headers: { "MCP-Protocol-Version": "2025-11-25" },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${contract.name}","arguments":${json}}}`,
      }),
  },
  {
    title: "page",
    request: ({ contract, json }) => ({
      path: toolPagePath(contract),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `input=${encodeURIComponent(json)}`,
    }),
  },
];

const served = ({ title, request }: Served, server: Program): Surface => ({
  title,
  answer: (input) => answerOf(server, request(input)),
});

async function answerOf({ port }: Program, { path, ...init }: HttpRequest): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", ...init });
  await response.text();
  if (response.status >= 500) throw new Error(`${path}: ${response.status}`);
}

/** The time to parse and write results of the largest size, as they are. */
const roundTrip = (): Promise<number> => milliseconds(() => JSON.stringify(JSON.parse(largest)));

const result = JSON.stringify(callTool("mail_filter_generator", someFilters(20)));
const largest = `[${new Array(Math.floor(MAX_RESULT_BYTES / result.length)).fill(result).join(",")}]`;

async function milliseconds(act: () => unknown): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
