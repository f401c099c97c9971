import type { Command } from "commander";
import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { addExamples } from "./options.ts";
import {
  defineExampleCommand,
  defineOpenapiCommand,
  defineSchemaCommand,
  defineToolsCommand,
} from "./reference-commands.ts";
import { defineMcpCommand, defineServeCommand } from "./server-commands.ts";
import { defineSignupsCommand } from "./signups-command.ts";
import { addToolCommand } from "./tool-command.ts";
import type { ToolCommands } from "./tool-list.ts";

/**
 * Adds every command. It is loaded when the first argument names no tool, so that a tool starts
 * without the other commands.
 *
 * @param isWanted true for a command that the arguments name; the others are listed without flags.
 */
export async function addAllCommands(
  program: Command,
  isWanted: (name: string) => boolean,
  io: Io,
  commands: ToolCommands,
): Promise<void> {
  const tools = await Promise.all(Array.from(commands.values(), (load) => load()));
  const contracts = tools.map(({ contract }) => contract);
  program.commandsGroup("Tools:");
  for (const tool of tools) {
    const { command, title } = tool.contract;
    if (isWanted(command)) await addToolCommand(program, tool, undefined, io);
    else program.command(command).summary(title);
  }

  const add = async (
    name: string,
    summary: string,
    define: (command: Command, io: Io) => void | Promise<void>,
  ) => {
    const command = program.command(name).summary(summary);
    if (isWanted(name)) await define(command, io);
  };

  program.commandsGroup("Gmail:");
  await add("mail-try", "see what filters would do to your own mail", async (...given) =>
    (await import("./mail-try/mail-try.ts")).defineMailTryCommand(...given),
  );

  program.commandsGroup("MCP:");
  await add("mcp-install", "write an MCP server into clients' files", async (...given) =>
    (await import("./mcp/install.ts")).defineMcpInstallCommand(...given),
  );
  await add("mcp-uninstall", "remove an MCP server from clients' files", async (...given) =>
    (await import("./mcp/install.ts")).defineMcpUninstallCommand(...given),
  );
  await add("mcp-list", "list the MCP servers in clients' files", async (...given) =>
    (await import("./mcp/list.ts")).defineMcpListCommand(...given),
  );
  await add("mcp-readme", "write the install section of a README", async (...given) =>
    (await import("./mcp/readme.ts")).defineMcpReadmeCommand(...given),
  );
  await add("mcp", "serve the tools to an AI client (MCP)", defineMcpCommand);

  program.commandsGroup("Server:");
  await add("serve", "run the HTTP server", defineServeCommand);
  await add("signups", "count, export or delete the stored signups", defineSignupsCommand);

  program.commandsGroup("Reference:");
  await add("tools", "list the tools", (command) => defineToolsCommand(command, contracts, io));
  await add("schema", "print the JSON Schema of a tool's input", (command) =>
    defineSchemaCommand(command, contracts, io),
  );
  await add("example", "print an input that runs", (command) =>
    defineExampleCommand(command, contracts, io),
  );
  await add("explain", "explain the code of a warning", async (command) =>
    (await import("./explain-command.ts")).defineExplainCommand(command, contracts, io),
  );
  await add("openapi", "print the OpenAPI document of the HTTP service", defineOpenapiCommand);
  defineHelpCommand(program);
}

/**
 * `handtools help [command]`. Commander's own command answers an unknown name with the general
 * help and exit code 0.
 */
function defineHelpCommand(program: Command): void {
  const command = program
    .command("help [command]")
    .summary("show how a command is used")
    .description("Show how a command is used.")
    .action((wanted?: string) => {
      if (wanted === undefined) program.help();
      const found = program.commands.find((known) => known.name() === wanted);
      if (!found) throw new UsageError([`unknown command '${wanted}'; see handtools --help`]);
      found.help();
    });
  addExamples(command, ["handtools help", "handtools help tools"]);
}
