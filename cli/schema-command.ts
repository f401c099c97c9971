import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { findContract } from "./find-contract.ts";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { toJsonText } from "./output.ts";

/** `handtools schema <command>`: the bare JSON Schema of a tool's input. */
export function defineSchemaCommand(
  command: Command,
  contracts: readonly Contract[],
  io: Io,
): void {
  command
    .description("Print the JSON Schema (2020-12) of a tool's input.")
    .argument("<command>", "the tool, by its command or its name")
    .addHelpText("after", exampleHelp(contracts.map((tool) => `handtools schema ${tool.command}`)))
    .action(async (wanted: string) => {
      const { jsonSchema } = await import("../src/json-schema.ts");
      await io.writeOut(toJsonText(jsonSchema(findContract(contracts, wanted).input)));
    });
}
