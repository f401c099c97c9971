import type { Command } from "commander";
import { UsageFailure } from "./failures.ts";
import { exampleHelp } from "./help.ts";

/**
 * `handtools help [command]`. Commander's own answers an unknown command with the general help,
 * as if nothing were wrong.
 */
export function defineHelpCommand(program: Command): void {
  program
    .command("help [command]")
    .summary("show how a command is used")
    .description("Show how a command is used.")
    .addHelpText("after", exampleHelp(["handtools help", "handtools help tools"]))
    .action((wanted?: string) => {
      if (wanted === undefined) program.help();
      const found = program.commands.find((known) => known.name() === wanted);
      if (!found) throw new UsageFailure([`unknown command '${wanted}'; see handtools --help`]);
      found.help();
    });
}
