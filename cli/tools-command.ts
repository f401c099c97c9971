import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { toJsonText } from "./output.ts";

/** `handtools tools`: what there is, for people and for agents. */
export function defineToolsCommand(command: Command, contracts: readonly Contract[], io: Io): void {
  command
    .description("List the tools.")
    .option("--json", "print all that is known about each, with its input schema")
    .addHelpText("after", exampleHelp(["handtools tools", "handtools tools --json"]))
    .action(async ({ json = false }: { json?: boolean }) => {
      await io.writeOut(json ? toJsonText({ tools: await describe(contracts) }) : table(contracts));
    });
}

async function describe(contracts: readonly Contract[]): Promise<readonly object[]> {
  const { jsonSchema } = await import("../src/json-schema.ts");
  return contracts.map((contract) => ({
    name: contract.name,
    title: contract.title,
    description: contract.description,
    command: `handtools ${contract.command}`,
    function: contract.function,
    input_schema: jsonSchema(contract.input),
    example_input: contract.example_input,
  }));
}

function table(contracts: readonly Contract[]): string {
  const rows = [
    ["COMMAND", "LIBRARY", "WHAT IT IS"],
    ...contracts.map((tool) => [tool.command, `${tool.function}()`, tool.title]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row)}\n`).join("");
}
