import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { automationCostContract, tools } from "../../../schemas/index.ts";
import { callTool } from "../../../src/call-tool.ts";
import { execute } from "../programs.ts";
import type { Checks } from "./linters.ts";
import { type Program, runProgram } from "./programs.ts";

export const goldenFolder = join(import.meta.dir, "../../golden");

/** The example that is a tool's built-in data, to be given with a flag. */
const PRICES = { tool: automationCostContract, flag: "--price-book", file: "price-book.json" };

/** The documents' commands for the examples that are not a tool's input. */
const documented = [
  ["mail-try", "newsletters.json", "mail.mbox"],
  ["mail-try", "newsletters.json", "newsletters.test.json"],
  ["mail-try", "repository/filters.json", "repository/filters.test.json"],
  ["mcp-config", "readme", "mcp-server/server.json", "--check", "mcp-server/README.md"],
];

/** The same bytes as the golden cases. */
export async function checkGolden(program: Program, checks: Checks): Promise<void> {
  for (const { command } of tools) {
    for (const testCase of readdirSync(join(goldenFolder, command)).sort()) {
      const path = (file: string) => join(goldenFolder, command, testCase, file);
      const { out, error } = await runProgram(program, [command, path("input.json")]);
      const wanted = readFileSync(path("output.txt"), "utf8");
      checks.same(`${program.name} ${command} ${testCase}`, out || error, wanted);
    }
  }
}

/** Each tool on its own example, by standard input. */
export async function checkTools(program: Program, checks: Checks): Promise<void> {
  for (const { name, command, example_input } of tools) {
    const input = JSON.stringify(example_input);
    const { out, error } = await runProgram(program, [command, "-", "--json"], input);
    checks.same(`${program.name} ${command} -`, out || error, resultText(name, example_input));
  }
}

/** Products that are read back give the same product again, and a client's file is edited. */
export async function checkExistingFiles(program: Program, checks: Checks): Promise<void> {
  for (const [command, ...flags] of [["mail-filter"], ["mcp-config", "--client", "codex"]]) {
    const run = (words: readonly string[], stdin: string) =>
      runProgram(program, [command ?? "", ...words], stdin);
    const example = await runProgram(program, ["example", command ?? ""]);
    const product = await run(["-", ...flags], example.out);
    const input = await run(["read", "-"], product.out);
    const again = await run(["-", ...flags], input.out);
    checks.same(`${program.name} ${command} read`, again.out || input.error, product.out);
  }
  const file = join(program.folder, "client.json");
  const install = ["mcp-install", "--client", "cursor", "--file", file];
  const { out, error } = await runProgram(program, [...install, "--name", "a", "--command", "b"]);
  checks.same(`${program.name} mcp-install`, out || error, `Cursor: added a to ${file}\n`);
  rmSync(file, { force: true });
}

/** How a client of today opens a connection, and what each of its messages names. */
const MCP_ERAS = {
  "2025-06-18": {
    opening: [
      {
        ...{ jsonrpc: "2.0", id: "open", method: "initialize" },
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ],
    meta: {},
  },
  "2026-07-28": {
    opening: [],
    meta: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
};

/** The tools by the Model Context Protocol, over standard input and output until the input ends. */
export async function checkMcp(program: Program, checks: Checks): Promise<void> {
  for (const [era, { opening, meta }] of Object.entries(MCP_ERAS)) {
    const calls = tools.map(({ name, example_input }) => ({
      ...{ jsonrpc: "2.0", id: name, method: "tools/call" },
      params: { name, arguments: example_input, ...meta },
    }));
    const lines = [...opening, ...calls].map((message) => `${JSON.stringify(message)}\n`);
    const { exitCode, out, error } = await runProgram(program, ["mcp"], lines.join(""));
    const answers = out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    for (const { name, example_input } of tools) {
      const answer = answers.find(({ id }) => id === name);
      const given = `${JSON.stringify(answer?.result?.structuredContent, null, 2)}\n`;
      const wanted = resultText(name, example_input);
      checks.same(`${program.name} mcp ${era} ${name}`, answer ? given : error || out, wanted);
    }
    checks.same(`${program.name} mcp ${era} ends with its input`, `${exitCode}${error}`, "0");
  }
}

/** The result of our sources on this day. */
export function resultText(tool: string, input: unknown): string {
  const today = new Date().toISOString().slice(0, 10);
  const result = callTool(tool, input, tool === automationCostContract.name ? { today } : {});
  return result.ok ? `${JSON.stringify(result.value, null, 2)}\n` : result.error.message;
}

/** The package's examples give what our sources give; a run that fails has its exit code. */
export async function checkExamples(
  program: Program,
  examples: string,
  checks: Checks,
): Promise<void> {
  const read = [PRICES.file, ...documented.flat()];
  for (const example of readdirSync(examples).sort()) {
    const path = join(examples, example);
    const input = example.endsWith(".json") ? JSON.parse(readFileSync(path, "utf8")) : undefined;
    const tool = tools.find((tool) => callTool(tool.name, input).ok);
    if (!tool) {
      const name = `${program.name} has a use for ${example}`;
      checks.add(name, read.some((word) => word.split("/")[0] === example) ? "" : "none");
      continue;
    }
    const { out, error } = await runProgram(program, [tool.command, path, "--json"]);
    checks.same(
      `${program.name} ${tool.command} ${example}`,
      out || error,
      resultText(tool.name, input),
    );
  }
  for (const [command = "", ...words] of documented) {
    const isExample = (word: string) => existsSync(join(examples, word));
    const argv = words.map((word) => (isExample(word) ? join(examples, word) : word));
    const { exitCode, error } = await runProgram(program, [command, ...argv]);
    checks.same(`${program.name} ${command} ${words.join(" ")}`, `${exitCode}${error}`, "0");
  }
  const { tool, flag, file } = PRICES;
  const input = join(program.folder, "input.json");
  writeFileSync(input, JSON.stringify(tool.example_input));
  const argv = [tool.command, input, flag, join(examples, file)];
  const { out, error: priceError } = await runProgram(program, argv);
  const wanted = await runProgram(program, [tool.command, input]);
  checks.same(`${program.name} ${tool.command} ${flag} ${file}`, out || priceError, wanted.out);
  const { exitCode, error } = await runProgram(program, ["no-such-command"]);
  checks.same(
    `${program.name} ends with the code of the run`,
    `${exitCode} ${error.slice(0, 6)}`,
    "2 error:",
  );
}

/** A reader that leaves early is not an error, a full disk is one. */
export async function checkStreams(program: Program, checks: Checks): Promise<void> {
  const { name, command, folder } = program;
  const shell = async (script: string) => {
    const { out, error } = await execute(["sh", "-c", script, "sh", ...command], { cwd: folder });
    return out + error;
  };
  const early = await shell('{ "$@" tools --json; echo "code $?" >&2; } | head -n 1');
  checks.same(`${name} ends quietly when its reader leaves`, early, "{\ncode 0\n");
  const full = await shell('"$@" tools > /dev/full; echo "code $?"');
  const wanted = "code 1\nerror: standard output: no space is left on the device\n";
  checks.same(`${name} says that standard output is full`, full, wanted);
  const unheard = await shell('"$@" nothing 2> /dev/full; echo "code $?"');
  checks.same(`${name} keeps its code when nobody can read its messages`, unheard, "code 2\n");
}
