import { Command, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import type { Catalog } from "./catalog.ts";
import { defineExampleCommand } from "./example-command.ts";
import { defineHelpCommand } from "./help-command.ts";
import type { Io } from "./io.ts";
import { defineOpenapiCommand } from "./openapi-command.ts";
import { defineSchemaCommand } from "./schema-command.ts";
import { defineServeCommand } from "./serve.ts";
import { defineSignupsCommand } from "./signups.ts";
import { defineToolCommand } from "./tool-command.ts";
import { defineToolsCommand } from "./tools-command.ts";

/**
 * The program that understands these arguments. It throws instead of ending the process.
 *
 * @param output where commander prints its help.
 */
export function createProgram(
  argv: readonly string[],
  io: Io,
  catalog: Catalog,
  output: OutputConfiguration,
): Command {
  const program = new Command("handtools")
    .description(packageJson.description)
    .version(packageJson.version)
    .configureOutput(output)
    .exitOverride()
    // Else the program itself would take the value in "--args --version" for its own.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText("after", helpAfter(catalog));

  // Only a command that is named gets its arguments and flags, so that each starts fast.
  const add = (name: string, summary: string, define: (command: Command) => void) => {
    const command = program.command(name).summary(summary);
    if (argv.includes(name)) define(command);
  };

  for (const contract of catalog.contracts) {
    add(contract.command, contract.title, (command) =>
      defineToolCommand(command, contract, catalog, io),
    );
  }
  add("tools", "list the tools", (command) => defineToolsCommand(command, catalog, io));
  add("schema", "print the JSON Schema of a tool's input", (command) =>
    defineSchemaCommand(command, catalog, io),
  );
  add("example", "print an input that runs", (command) =>
    defineExampleCommand(command, catalog, io),
  );
  add("openapi", "print the OpenAPI document of the HTTP service", (command) =>
    defineOpenapiCommand(command, io),
  );
  add("serve", "run the HTTP server", (command) => defineServeCommand(command, io));
  add("signups", "count, export or delete the stored signups", (command) =>
    defineSignupsCommand(command, io),
  );
  defineHelpCommand(program);
  return program;
}

const helpAfter = ({ contracts }: Catalog): string => `
Examples:
${contracts.map(({ command }) => `  $ handtools example ${command} | handtools ${command} -`).join("\n")}

Exit codes:
  0  done
  1  something outside failed, such as a file, or --check found a difference
  2  bad input or usage`;
