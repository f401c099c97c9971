import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { mailFilter } from "../src/mail-filter/index.ts";
import { someFilters } from "./calls.ts";
import { NODES, nodeOf, programOf } from "./packages.ts";
import { median, type Row } from "./table.ts";

/**
 * Compares whole runs of the command line with runtimes that do nothing and with other programs.
 *
 * @param folder in which the package is installed; input files are written there.
 */
export function startRows(folder: string): Row[] {
  const write = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return name;
  };
  const main = join(folder, "node_modules/handtools/dist/cli/main.js");
  const mcpConfig = [main, "mcp-config", write("server.json", mcpConfigContract.example_input)];
  const mailFilter = [main, "mail-filter", write("filters.json", someFilters(FILTERS))];
  return [
    ...RUNTIMES.flatMap(({ name, words, goals }) => [
      takeTurns({
        what: `\`handtools mcp-config --json\`, against \`${name} -e 0\``,
        goal: { atMost: goals.mcpConfig },
        ours: [...words, ...mcpConfig, "--json"],
        baseline: [...words, "-e", "0"],
        folder,
      }),
      takeTurns({
        what: `\`handtools mail-filter\` with ${FILTERS} filters, against \`${name} -e 0\``,
        goal: { atMost: goals.mailFilter },
        ours: [...words, ...mailFilter],
        baseline: [...words, "-e", "0"],
        folder,
      }),
    ]),
    takeTurns({
      what: "`handtools mcp-config`, against `add-mcp`, by Node",
      ours: ["node", ...mcpConfig],
      baseline: ["node", ...addMcp()],
      folder,
    }),
    takeTurns({
      what: `\`handtools mail-filter\` with ${FILTERS} filters, against \`xml-js\`, by Node`,
      ours: ["node", ...mailFilter],
      baseline: ["node", programOf("xml-js"), write("feed.json", feedForXmlJs(FILTERS))],
      folder,
    }),
  ];
}

const FILTERS = 20;

/**
 * Compares with Prettier that prints its version: a program that everybody knows, and no work.
 *
 * @param folder in which the package is installed; input files are written there.
 */
export async function prettierRows(folder: string): Promise<Row[]> {
  const main = join(folder, "node_modules/handtools/dist/cli/main.js");
  const write = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return name;
  };
  const runs = [
    ["mcp-config", write("server.json", mcpConfigContract.example_input)],
    ["mail-filter", write("some.json", mailFilterContract.example_input)],
  ];
  const rows: Row[] = [];
  for (const name of NODES) {
    const baseline = [nodeOf(name), programOf("prettier"), "--version"];
    for (const words of runs) {
      rows.push(
        takeTurns({
          what: `\`handtools ${words[0]}\`, against \`prettier --version\`, by ${name}`,
          goal: { atMost: 0.8 },
          ours: [nodeOf(name), main, ...words],
          baseline,
          folder,
        }),
      );
    }
    rows.push(await readyRow(name, [nodeOf(name), main, "mcp"], baseline, folder));
  }
  return rows;
}

/** From the start of `handtools mcp` to its answer to the first request. */
async function readyRow(
  name: string,
  ours: readonly string[],
  baseline: readonly string[],
  folder: string,
): Promise<Row> {
  const rounds = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const ready = await millisecondsToAnswer(ours, folder);
    const other = milliseconds(baseline, folder);
    if (round >= WARM_UPS) rounds.push({ ready, other });
  }
  return {
    what: `\`handtools mcp\` until it answers, against \`prettier --version\`, by ${name}`,
    ours: `${median(rounds.map(({ ready }) => ready)).toFixed(1)} ms`,
    baseline: `${median(rounds.map(({ other }) => other)).toFixed(1)} ms`,
    ratio: median(rounds.map(({ ready, other }) => ready / other)),
    goal: { atMost: 1.5 },
  };
}

async function millisecondsToAnswer(words: readonly string[], folder: string): Promise<number> {
  const stdin = new TextEncoder().encode(`${JSON.stringify(INITIALIZE)}\n`);
  const started = performance.now();
  const child = Bun.spawn([...words], { cwd: folder, stdin, stdout: "pipe", timeout: 20_000 });
  const { done } = await child.stdout.getReader().read();
  const duration = performance.now() - started;
  if ((await child.exited) !== 0 || done) throw new Error(`${words.join(" ")} gave no answer`);
  return duration;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
};

const RUNTIMES = [
  { name: "node", words: ["node"], goals: { mcpConfig: 1.25, mailFilter: 1.6 } },
  { name: "bun", words: [process.execPath], goals: { mcpConfig: 2.5, mailFilter: 7 } },
];

/** Runs two programs in turns, each to its end. The ratio is the median of all turns. */
function takeTurns({ what, goal, ours, baseline, folder }: Programs): Row {
  const turn = () => ({
    ours: milliseconds(ours, folder),
    baseline: milliseconds(baseline, folder),
  });
  for (let round = 0; round < WARM_UPS; round += 1) turn();
  const rounds = Array.from({ length: ROUNDS }, turn);
  return {
    what,
    ours: `${median(rounds.map((round) => round.ours)).toFixed(1)} ms`,
    baseline: `${median(rounds.map((round) => round.baseline)).toFixed(1)} ms`,
    ratio: median(rounds.map((round) => round.ours / round.baseline)),
    ...(goal && { goal }),
  };
}

interface Programs extends Pick<Row, "what" | "goal"> {
  /** A command and its arguments. */
  readonly ours: readonly string[];
  readonly baseline: readonly string[];
  readonly folder: string;
}

const WARM_UPS = 3;
const ROUNDS = 41;

function milliseconds(words: readonly string[], folder: string): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([...words], { cwd: folder, timeout: 20_000 });
  const duration = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  return duration;
}

/** add-mcp for the same server and the four clients that both know, in files of the project. */
function addMcp(): string[] {
  const { name, command, args } = mcpConfigContract.example_input;
  const agents = ["cursor", "claude-code", "vscode", "codex"].flatMap((agent) => ["-a", agent]);
  const target = [command, ...args].join(" ");
  return [programOf("add-mcp"), target, "--name", name, "--yes", ...agents];
}

/** The finished feed of the filters as input for xml-js, which only has to write it as XML. */
function feedForXmlJs(count: number): object {
  const entries = mailFilter(someFilters(count)).filters.flatMap(({ entries }) => entries);
  const feed = element(
    "feed",
    {
      xmlns: "http://www.w3.org/2005/Atom",
      "xmlns:apps": "http://schemas.google.com/apps/2006",
    },
    [
      title("Mail Filters"),
      ...entries.map(({ properties }) =>
        element("entry", {}, [
          element("category", { term: "filter" }),
          title("Mail Filter"),
          element("content"),
          ...Object.entries(properties).map(([name, value]) =>
            element("apps:property", { name, value: String(value) }),
          ),
        ]),
      ),
    ],
  );
  return { elements: [feed] };
}

const title = (text: string): Element => element("title", {}, [{ type: "text", text }]);

const element = (
  name: string,
  attributes: Element["attributes"] = {},
  elements: Element["elements"] = [],
): Element => ({ type: "element", name, attributes, elements });

interface Element {
  readonly type: "element";
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly elements: readonly (Element | { readonly type: "text"; readonly text: string })[];
}
