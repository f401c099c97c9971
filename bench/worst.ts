import { MAX_RESULT_BYTES } from "../schemas/index.ts";
import { callTool } from "../src/call-tool.ts";
import { type HttpRequest, surfaces, toMcp } from "../test/support/surfaces.ts";
import { type WorstInput, worstInputs } from "../test/support/worst-inputs.ts";
import { worstMessages } from "../test/support/worst-messages.ts";
import { someFilters } from "./library.ts";
import { handtools, type Program, withProgram } from "./programs.ts";
import { median, type Row } from "./table.ts";

/**
 * How long the worst inputs take in the library, over HTTP, over MCP and on a page, and the worst
 * messages over MCP, against parsing and writing a result of the largest size.
 */
export const worstRows = (): Promise<Row[]> =>
  withProgram(handtools(), async (server) => {
    const rows: Row[] = [];
    for (const surface of [library, ...served(server)]) {
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

const served = (server: Program): readonly Surface[] =>
  Object.entries(surfaces).map(([title, request]) => ({
    title,
    answer: (input) => answerOf(server, request(input)),
  }));

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
