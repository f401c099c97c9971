import { Command, CommanderError, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { closestName } from "../schemas/common.ts";
import type { ToolLoaders } from "../src/loaders.ts";
import { withLocalLimits } from "../src/tool.ts";
import {
  defineExampleCommand,
  defineExplainCommand,
  defineMcpCommand,
  defineOpenapiCommand,
  defineSchemaCommand,
  defineServeCommand,
  defineToolsCommand,
} from "./commands.ts";
import { CliError, UsageError } from "./errors.ts";
import { type Io, processIo } from "./io.ts";
import { exampleHelp } from "./options.ts";
import { type Message, writeMessages } from "./output.ts";
import { defineSignupsCommand } from "./signups-command.ts";
import { addToolCommand, mayHaveInputFlags } from "./tool-command.ts";

/** Runs the command line of this process and sets its exit code. */
export async function runProcess(loaders: ToolLoaders): Promise<void> {
  // Not process.exit: it would cut off output that a pipe has not taken yet.
  process.exitCode = await run(process.argv.slice(2), processIo(), loaders);
}

/**
 * Runs one command line.
 *
 * @param argv the arguments after the program's name.
 * @returns the exit code: 0 done, 1 something outside failed, 2 bad input or usage.
 */
export async function run(argv: readonly string[], io: Io, loaders: ToolLoaders): Promise<number> {
  // Commander prints without waiting, so its text is kept and written here.
  const help = { out: "", error: "" };
  const program = await createProgram(argv, io, loaders, {
    writeOut: (text) => {
      help.out += text;
    },
    writeErr: (text) => {
      help.error += text;
    },
    outputError: () => {},
  });
  try {
    await program.parseAsync(argv, { from: "user" }).finally(async () => {
      if (help.out !== "") await io.writeOut(help.out);
      if (help.error !== "") await io.writeError(help.error);
    });
    return 0;
  } catch (error) {
    const command = program.commands.find((known) => known.name() === argv[0]);
    return report(error, io, `handtools ${command ? `${command.name()} ` : ""}--help`);
  }
}

/**
 * The program for these arguments. It throws instead of ending the process.
 *
 * @param output where commander prints its help.
 */
async function createProgram(
  argv: readonly string[],
  io: Io,
  loaders: ToolLoaders,
  output: OutputConfiguration,
): Promise<Command> {
  const program = new Command("handtools")
    .description(packageJson.description)
    .version(packageJson.version)
    .configureOutput(output)
    .exitOverride()
    // Without it the program would read "--args --version" as its own --version.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText("after", helpAfter([...loaders.keys()]));

  const [name = "", ...words] = argv;
  const load = loaders.get(name);
  if (load) {
    // A tool's command line needs no other command, which keeps its start fast.
    const tool = withLocalLimits(await load());
    await addToolCommand(program, tool, mayHaveInputFlags(tool.contract, words), io);
  } else {
    await addAllCommands(program, argv, io, loaders);
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

/** Adds every command. Only commands in the arguments get their own arguments and flags. */
async function addAllCommands(
  program: Command,
  argv: readonly string[],
  io: Io,
  loaders: ToolLoaders,
): Promise<void> {
  const tools = await Promise.all(Array.from(loaders.values(), (load) => load()));
  const contracts = tools.map(({ contract }) => contract);
  for (const tool of tools) {
    const { command, title } = tool.contract;
    if (argv.includes(command)) await addToolCommand(program, withLocalLimits(tool), true, io);
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
  add("explain", "tell what a warning means", (command) =>
    defineExplainCommand(command, contracts, io),
  );
  add("openapi", "print the OpenAPI document of the HTTP service", (command) =>
    defineOpenapiCommand(command, io),
  );
  await addMcpCommands(program, argv, io);
  add("mcp", "serve the tools to an AI client (MCP)", defineMcpCommand);
  add("serve", "run the HTTP server", (command) => defineServeCommand(command, io));
  add("signups", "count, export, delete or back up the stored signups", (command) =>
    defineSignupsCommand(command, io),
  );
  defineHelpCommand(program);
}

/** Their code names one tool, and is loaded for them alone. */
async function addMcpCommands(program: Command, argv: readonly string[], io: Io): Promise<void> {
  const install = program.command("mcp-install").summary("write an MCP server into clients' files");
  const uninstall = program
    .command("mcp-uninstall")
    .summary("take an MCP server out of clients' files");
  const list = program.command("mcp-list").summary("list the MCP servers in clients' files");
  if (argv.includes(install.name()) || argv.includes(uninstall.name())) {
    const code = await import("./mcp/install.ts");
    code.defineMcpInstallCommand(install, io);
    code.defineMcpUninstallCommand(uninstall, io);
  }
  if (argv.includes(list.name())) {
    const { defineMcpListCommand } = await import("./mcp/list.ts");
    defineMcpListCommand(list, io);
  }
}

/**
 * `handtools help [command]`. Commander's own command answers an unknown name with the general
 * help and exit code 0.
 */
function defineHelpCommand(program: Command): void {
  program
    .command("help [command]")
    .summary("show how a command is used")
    .description("Show how a command is used.")
    .addHelpText("after", exampleHelp(["handtools help", "handtools help tools"]))
    .action((wanted?: string) => {
      if (wanted === undefined) program.help();
      const found = program.commands.find((known) => known.name() === wanted);
      if (!found) throw unknownCommand(program, wanted);
      found.help();
    });
}

/** An error in the words of commander. */
function unknownCommand({ commands }: Command, wanted: string): UsageError {
  const names = commands.map((known) => known.name());
  const near = closestName(wanted, names);
  const advice = near === undefined ? "" : ` (Did you mean ${near}?)`;
  return new UsageError([`unknown command '${wanted}'${advice}; see handtools --help`]);
}

/**
 * Tells the user why the command ended early.
 *
 * @param help the command that shows how it is used, for a wrong command line.
 * @returns the exit code.
 */
async function report(error: unknown, io: Io, help: string): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // "commander.help": no command is given, and the help stands on standard error already.
    const problems = error.code === "commander.help" ? [] : [`${oneLine(error)}; see ${help}`];
    await writeMessages(io, problems.map(asError));
    return 2;
  }
  if (error instanceof CliError) {
    await writeMessages(io, error.problems.map(asError));
    return error.exitCode;
  }
  await reportBug(error, io);
  return 1;
}

/** Commander's message without its own label, on one line. */
const oneLine = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");

const asError = (text: string): Message => ({ severity: "error", text });

async function reportBug(error: unknown, io: Io): Promise<void> {
  const debug = io.environment.DEBUG === "1";
  const advice = debug
    ? "please report it with these lines"
    : "DEBUG=1 in the environment shows where";
  await writeMessages(io, [asError(`this is a fault of handtools; ${advice}`)]);
  if (debug) await io.writeError(`${error instanceof Error ? error.stack : error}\n`);
}
