import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { feedForXmlJs } from "./feed-for-xml-js.ts";
import { someFilters } from "./filters.ts";
import { programOf } from "./packages.ts";
import type { Row } from "./row.ts";
import { takeTurns } from "./turns.ts";

const FILTERS = 20;

const RUNTIMES = [
  { name: "node", words: ["node"], goals: { mcpConfig: 1.25, mailFilter: 1.6 } },
  { name: "bun", words: [process.execPath], goals: { mcpConfig: 2.5, mailFilter: 7 } },
];

/**
 * The command line from its start to its end, against runtimes that do nothing and against other
 * programs.
 *
 * @param folder where the package is installed, and files for the programs may be written.
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

/** The same server for the four of our clients that it knows, into files of the project. */
function addMcp(): string[] {
  const { name, command, args } = mcpConfigContract.example_input;
  const agents = ["cursor", "claude-code", "vscode", "codex"].flatMap((agent) => ["-a", agent]);
  const target = [command, ...args].join(" ");
  return [programOf("add-mcp"), target, "--name", name, "--yes", ...agents];
}
