import type { Command } from "commander";
import type { Catalog } from "../src/loaders.ts";
import { defineExampleCommand } from "./example-command.ts";
import { defineHelpCommand } from "./help-command.ts";
import type { Io } from "./io.ts";
import { defineOpenapiCommand } from "./openapi-command.ts";
import { defineSchemaCommand } from "./schema-command.ts";
import { defineServeCommand } from "./serve.ts";
import { defineSignupsCommand } from "./signups.ts";
import { addToolCommand } from "./tool-command.ts";
import { defineToolsCommand } from "./tools-command.ts";

/** Adds every command. Only those that the arguments name get their own arguments and flags. */
export async function addAllCommands(
  program: Command,
  argv: readonly string[],
  io: Io,
  catalog: Catalog,
): Promise<void> {
  const tools = await Promise.all(Array.from(catalog.values(), (load) => load()));
  const contracts = tools.map(({ contract }) => contract);
  for (const tool of tools) {
    const { command, title } = tool.contract;
    if (argv.includes(command)) await addToolCommand(program, tool, ["--help"], io);
    else program.command(command).summary(title);
  }

  const add = (name: string, summary: string, define: (command: Command) => void) => {
    const command = program.command(name).summary(summary);
    if (argv.includes(name)) define(command);
  };
  add("tools", "list the tools", (command) => defineToolsCommand(command, contracts, io));
  add("schema", "print the JSON Schema of a tool's input", (command) =>
    defineSchemaCommand(command, contracts, io),
  );
  add("example", "print an input that runs", (command) =>
    defineExampleCommand(command, contracts, io),
  );
  add("openapi", "print the OpenAPI document of the HTTP service", (command) =>
    defineOpenapiCommand(command, io),
  );
  add("serve", "run the HTTP server", (command) => defineServeCommand(command, io));
  add("signups", "count, export or delete the stored signups", (command) =>
    defineSignupsCommand(command, io),
  );
  defineHelpCommand(program);
}
