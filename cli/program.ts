import { Command, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import type { Catalog } from "../src/loaders.ts";
import { addAllCommands } from "./all-commands.ts";
import type { Io } from "./io.ts";
import { addToolCommand } from "./tool-command.ts";

/**
 * The program that understands these arguments. It throws instead of ending the process.
 *
 * @param output where commander prints its help.
 */
export async function createProgram(
  argv: readonly string[],
  io: Io,
  catalog: Catalog,
  output: OutputConfiguration,
): Promise<Command> {
  const program = new Command("handtools")
    .description(packageJson.description)
    .version(packageJson.version)
    .configureOutput(output)
    .exitOverride()
    // Else the program itself would take the value in "--args --version" for its own.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText("after", helpAfter([...catalog.keys()]));

  const [name = "", ...words] = argv;
  const load = catalog.get(name);
  if (load) {
    // A tool is all that its own command line needs, so that it starts fast.
    await addToolCommand(program, await load(), words, io);
  } else {
    await addAllCommands(program, argv, io, catalog);
  }
  return program;
}

const helpAfter = (commands: readonly string[]): string => `
Examples:
${commands.map((command) => `  $ handtools example ${command} | handtools ${command} -`).join("\n")}

Exit codes:
  0  done
  1  something outside failed, such as a file, or --check found a difference
  2  bad input or usage`;
