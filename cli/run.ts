import { Command, CommanderError, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import type { ToolLoaders } from "../src/loaders.ts";
import { withLocalLimits } from "../src/tool.ts";
import { CliError } from "./errors.ts";
import { type Io, processIo } from "./io.ts";
import { type Message, writeMessages } from "./output.ts";
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
    const { addAllCommands } = await import("./all-commands.ts");
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
