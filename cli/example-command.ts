import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { findContract } from "./find-contract.ts";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { toJsonText } from "./output.ts";

/** `handtools example <command>`: a bare input that runs, to change and use. */
export function defineExampleCommand(
  command: Command,
  contracts: readonly Contract[],
  io: Io,
): void {
  command
    .description("Print an input that runs, to start one's own from.")
    .argument("<command>", "the tool, by its command or its name")
    .addHelpText("after", exampleHelp(contracts.map((tool) => `handtools example ${tool.command}`)))
    .action(async (wanted: string) => {
      await io.writeOut(toJsonText(findContract(contracts, wanted).example_input));
    });
}
