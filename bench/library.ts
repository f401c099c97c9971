import type { MailFilterInput, McpConfigInput } from "../schemas/index.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { mcpConfig } from "../src/mcp-config/index.ts";
import { medianRatio, type Row } from "./table.ts";

/** Calls against JSON of the same input and result, and many filters against a few. */
export const libraryRows = async (): Promise<Row[]> => [
  await againstJson("1 filter", 7, someFilters(1), mailFilter),
  await againstJson("20 filters", 9, someFilters(20), mailFilter),
  await againstJson("`mcp-config`", 5, SERVER, mcpConfig),
  {
    what: "one call on Bun: 1,000 filters, against 10",
    figure: await medianRatio(TURNS, timed(1, localCall(1_000)), timed(1, localCall(10))),
    goal: ["<=", 110],
  },
];

async function againstJson<Input>(
  what: string,
  atMost: number,
  input: Input,
  call: (input: Input) => unknown,
): Promise<Row> {
  const [text, result] = [JSON.stringify(input), call(input)];
  return {
    what: `one call on Bun: ${what}, against \`JSON.parse\` of the input and \`JSON.stringify\` of the result`,
    figure: await medianRatio(
      TURNS,
      timed(CALLS, () => call(input)),
      timed(CALLS, () => [JSON.parse(text), JSON.stringify(result)]),
    ),
    goal: ["<=", atMost],
  };
}

/** Engines take some ten thousand calls to compile the code as well as they can. */
const CALLS = 200;
const TURNS = { warmUps: 51, turns: 51 };

const timed = (calls: number, call: () => unknown) => () => {
  const started = performance.now();
  for (let made = 0; made < calls; made += 1) call();
  return performance.now() - started;
};

function localCall(count: number): () => unknown {
  const input = someFilters(count);
  return () => mailFilter(input, { limits: "local" });
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

const SERVER: McpConfigInput = {
  name: "files",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
};
