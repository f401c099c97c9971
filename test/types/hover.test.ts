import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startLanguageServer } from "./language-server.ts";

/*
 * What an editor shows over a name, asked of TypeScript's own language server: each expression
 * stands at the end of a line of a program that uses the library.
 */

const root = join(import.meta.dir, "../..");

const PROGRAM = `import * as handtools from "../../src/index.ts";
import { readMailFilters, compareMailFilters } from "../../src/mail-filter/index.ts";
import { readMcpConfig } from "../../src/mcp-config/index.ts";
declare const filter: handtools.MailFilterInput["filters"][number];
declare const zap: handtools.AutomationCostInput["zaps"][number];
declare const server: handtools.McpConfigInput;
const mail = handtools.mailFilter({ filters: [filter] });
const cost = handtools.automationCost({ zaps: [zap] }, handtools.priceBook);
const config = handtools.mcpConfig(server);
const book = handtools.priceBook;
`;

const shown: readonly [expression: string, ...texts: string[]][] = [
  [
    "filter.has_words",
    "Words anywhere in the mail, all required.",
    "At most 20 items.",
    "Each 1 to 200 characters.",
  ],
  ["filter.larger_than_mb", "MB of 1,048,576 bytes", "More than 0, at most 50."],
  [
    "mail.warnings[0].code",
    '.code: "',
    '"all-words-required"',
    "Stable identifier; branch on this.",
  ],
  ["mail.warnings[0].severity", '"info" | "warning"', "worth knowing"],
  ["mail.filters[0].entries", "FilterEntry[]", "One per entry of the file"],
  ["mail.filters[0].preview_url", "Opens that search in Gmail."],
  ["mail.file.content", "The XML"],
  ["zap.runs_per_month", "How often it runs in a month. 0 to 10,000,000."],
  ["cost.warnings[0].code", '"idle-zap-rules-out-free"', "Stable identifier"],
  ["cost.options[0].monthly_price", "USD per month: base price and overage."],
  ["cost.cheapest", "Quote | null", "overage included"],
  ["book.team[0].annual.cents", "Per month, before tax"],
  ["server.headers", "Record<string, string> | undefined", "HTTP headers, such as Authorization."],
  ["config.warnings[0].code", '"plain-http"', "Stable identifier"],
  ["config.clients[0].locations[0].os", '"macos"', "The system"],
  ["handtools.mailFilter", "search strings", "InvalidInputError"],
  ["handtools.callTool", "never throws"],
  ["readMailFilters", "InvalidInputError"],
  ["compareMailFilters", "InvalidInputError"],
  ["readMcpConfig", "InvalidInputError"],
];

let hover: Awaited<ReturnType<typeof startLanguageServer>>["hover"];
let stop = () => {};

beforeAll(async () => {
  const server = await startLanguageServer(root);
  const lines = shown.map(([expression]) => `${expression};`);
  server.open(pathToFileURL(join(import.meta.dir, "program.ts")).href, PROGRAM + lines.join("\n"));
  ({ hover, stop } = server);
});
afterAll(() => stop());

test.each(shown.map(([expression, ...texts], index) => ({ expression, texts, index })))(
  "an editor explains $expression",
  async ({ expression, texts, index }) => {
    const line = PROGRAM.split("\n").length - 1 + index;
    const text = await hover(line, expression.length - 1);
    for (const wanted of texts) expect(text.replaceAll(/\s+/g, " ")).toContain(wanted);
  },
);
