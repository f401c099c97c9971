import type { MailFilterInput, McpConfigInput } from "../schemas/index.ts";
import { createMailFilters } from "../src/mail-filter/index.ts";
import { createMcpConfig } from "../src/mcp-config/index.ts";
import { medianRatio, printRow, timed } from "./table.ts";

/** Calls against JSON of the same input and result, and many filters against a few. */
export async function measureLibrary(): Promise<void> {
  await againstJson("1 filter", "<= 10", someFilters(1), createMailFilters);
  await againstJson("20 filters", "<= 13", someFilters(20), createMailFilters);
  await againstJson("`mcp-config`", "<= 8", SERVER, createMcpConfig);
  const filters = (count: number) => {
    const input = someFilters(count);
    return timed(() => createMailFilters(input, { limits: "extended" }));
  };
  const ratio = await medianRatio(TURNS, filters(1_000), filters(10));
  printRow("one call on Bun: 1,000 filters, against 10", ratio, "<= 110");
}

async function againstJson<Input>(
  what: string,
  goal: string,
  input: Input,
  call: (input: Input) => unknown,
): Promise<void> {
  const [text, result] = [JSON.stringify(input), call(input)];
  const repeatedly = (work: () => unknown) =>
    timed(() => {
      for (let times = 0; times < 200; times += 1) work();
    });
  printRow(
    `one call on Bun: ${what}, against \`JSON.parse\` of the input and \`JSON.stringify\` of the result`,
    await medianRatio(
      TURNS,
      repeatedly(() => call(input)),
      repeatedly(() => [JSON.parse(text), JSON.stringify(result)]),
    ),
    goal,
  );
}

/** Engines take some ten thousand calls to compile the code as well as they can. */
const TURNS = { warmUps: 51, turns: 51 };

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
