import type { MailFilterInput, McpConfigInput } from "../schemas/index.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { mcpConfig } from "../src/mcp-config/index.ts";
import { median, type Row } from "./table.ts";

/** Each call against JSON of the same input and result, and against a call with less. */
export const libraryRows = (): Row[] => [
  againstJson("1 filter", 7, someFilters(1), mailFilter),
  againstJson("20 filters", 10, someFilters(20), mailFilter),
  againstJson("`mcp-config`", 6, someServer, mcpConfig),
  against({
    what: "100 addresses in one filter against 50",
    atMost: 2.5,
    calls: 40,
    ours: () => mailFilter(someAddresses(100)),
    baseline: () => mailFilter(someAddresses(50)),
  }),
  against({
    what: "1,000 filters in one call against 10",
    atMost: 110,
    calls: 1,
    ours: withInput(someFilters(1_000), (input) => mailFilter(input, { limits: "local" })),
    baseline: withInput(someFilters(10), (input) => mailFilter(input, { limits: "local" })),
  }),
];

const withInput =
  <Input>(input: Input, call: (input: Input) => unknown) =>
  () =>
    call(input);

function againstJson<Input>(
  what: string,
  atMost: number,
  input: Input,
  call: (input: Input) => unknown,
): Row {
  const [text, result] = [JSON.stringify(input), call(input)];
  return against({
    what: `${what}, against \`JSON.parse\` of the input and \`JSON.stringify\` of the result`,
    atMost,
    // Engines take some ten thousand calls to compile the code as well as they can.
    calls: 200,
    ours: () => call(input),
    baseline: () => [JSON.parse(text), JSON.stringify(result)],
  });
}

interface Comparison {
  readonly what: string;
  readonly atMost: number;
  /** The number of calls in a turn, for coarse clocks. */
  readonly calls: number;
  readonly ours: () => unknown;
  readonly baseline: () => unknown;
}

/** Runs both in turns. The ratio is the median of all turns. */
function against({ what, atMost, calls, ours, baseline }: Comparison): Row {
  const turn = () => ({ ours: microseconds(ours, calls), baseline: microseconds(baseline, calls) });
  for (let round = 0; round < ROUNDS; round += 1) turn();
  const rounds = Array.from({ length: ROUNDS }, turn);
  return {
    what,
    ours: shown(median(rounds.map((round) => round.ours))),
    baseline: shown(median(rounds.map((round) => round.baseline))),
    ratio: median(rounds.map((round) => round.ours / round.baseline)),
    goal: { atMost },
  };
}

const ROUNDS = 51;

const shown = (time: number): string => `${time < 100 ? time.toFixed(1) : Math.round(time)} µs`;

function microseconds(call: () => unknown, calls: number): number {
  const started = performance.now();
  for (let made = 0; made < calls; made += 1) call();
  return ((performance.now() - started) * 1000) / calls;
}

/** Realistic filters, no two the same. */
export const someFilters = (count: number): MailFilterInput => ({
  filters: Array.from({ length: count }, (_, index) => ({
    name: `Customer ${index}`,
    from: [`billing@customer${index}.example`, `@shop${index}.example`],
    subject: ["invoice", "your receipt"],
    has_words: [`order ${index}`],
    does_not_have: ["refund"],
    label: `Money/Customer ${index}`,
    skip_inbox: true,
  })),
});

const someServer: McpConfigInput = {
  name: "files",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
};

/** One filter with as many senders, five to an item: above 50 or so it is split. */
const someAddresses = (count: number): MailFilterInput => ({
  filters: [
    {
      from: Array.from({ length: count / 5 }, (_, item) =>
        Array.from({ length: 5 }, (_, index) => `person${item * 5 + index}@mail.example`).join(" "),
      ),
      label: "People",
    },
  ],
});
