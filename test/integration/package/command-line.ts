import { automationCostContract, tools } from "../../../schemas/index.ts";
import { callTool } from "../../../src/call-tool.ts";
import { initialize } from "../clients/probes.ts";
import { execute } from "../programs.ts";
import type { Checks } from "./linters.ts";

/** A way to start `handtools`. */
export interface Program {
  readonly name: string;
  /** The arguments follow. */
  readonly command: readonly string[];
  readonly folder: string;
}

/** Runs one command line of it to its end. */
export const runProgram = ({ command, folder }: Program, argv: readonly string[], stdin = "") =>
  execute([...command, ...argv], { cwd: folder, stdin });

/** Each tool on its own example, by standard input. */
export async function checkTools(program: Program, checks: Checks): Promise<void> {
  for (const { name, command, example_input } of tools) {
    const input = JSON.stringify(example_input);
    const { out, error } = await runProgram(program, [command, "-", "--json"], input);
    checks.same(`${program.name} ${command} -`, out || error, resultText(name, example_input));
  }
}

/** The tools by the Model Context Protocol, over standard input and output until the input ends. */
export async function checkMcp(program: Program, checks: Checks): Promise<void> {
  const calls = tools.map(({ name, example_input }) => ({
    ...{ id: name, method: "tools/call" },
    params: { name, arguments: example_input },
  }));
  const messages = [initialize, { method: "notifications/initialized" }, ...calls];
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const { exitCode, out, error } = await runProgram(program, ["mcp", "serve"], lines.join(""));
  const answers = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { name, example_input } of tools) {
    const answer = answers.find(({ id }) => id === name);
    const given = `${JSON.stringify(answer?.result?.structuredContent, null, 2)}\n`;
    const wanted = resultText(name, example_input);
    checks.same(`${program.name} mcp ${name}`, answer ? given : error || out, wanted);
  }
  checks.same(`${program.name} mcp ends with its input`, `${exitCode}${error}`, "0");
}

/** The result of our sources on this day. */
function resultText(tool: string, input: unknown): string {
  const today = new Date().toISOString().slice(0, 10);
  const result = callTool(tool, input, tool === automationCostContract.name ? { today } : {});
  return result.ok ? `${JSON.stringify(result.value, null, 2)}\n` : result.error.message;
}
