import { Command, CommanderError, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { visibleLog } from "../src/text.ts";
import { CliError, INTERRUPTED } from "./errors.ts";
import type { Io } from "./io.ts";
import { type Message, styled, takesColour, writeMessages } from "./messages/message.ts";
import { lineWidth } from "./output.ts";
import { processIo } from "./process-io.ts";
import { addToolCommand } from "./tool-command.ts";
import type { ToolCommands } from "./tool-list.ts";

/** Runs the command line of this process and sets its exit code. */
export async function runProcess(commands: ToolCommands): Promise<void> {
  // Not process.exit: it would cut off output that a pipe has not accepted yet.
  const exitCode = await run(process.argv.slice(2), processIo(), commands);
  process.exitCode = exitCode;
  // A pending read of standard input cannot be cancelled, and would keep the process alive.
  if (exitCode === INTERRUPTED) process.kill(process.pid, "SIGINT");
}

/**
 * Runs one command line.
 *
 * @param argv the arguments after the program's name.
 * @returns the exit code: 0 done, 1 something outside failed, 2 bad input or usage, 130 ended by Ctrl-C.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  commands: ToolCommands,
): Promise<number> {
  // Commander prints without waiting, so its text is kept and written here.
  const help = { out: "", error: "" };
  const program = await createProgram(argv, io, commands, {
    writeOut: (text) => {
      help.out += text;
    },
    writeErr: (text) => {
      help.error += text;
    },
    outputError: () => {},
  });
  try {
    await program.parseAsync(expandServerCommand(argv), { from: "user" }).finally(async () => {
      if (help.out !== "") await io.writeOut(help.out);
      if (help.error !== "") await io.writeError(help.error);
    });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) {
      const { usageProblems } = await import("./messages/usage-problems.ts");
      await writeMessages(
        io,
        (await usageProblems(error, program, argv, commands)).map(errorMessage),
      );
      return 2;
    }
    return report(error, io);
  }
}

/**
 * The arguments with a server's command line, which follows `--`, as flags: `--command=npx --args=-y`
 * for `-- npx -y`.
 */
function expandServerCommand(argv: readonly string[]): readonly string[] {
  if (!["mcp-config", "mcp-install"].includes(argv[0] ?? "")) return argv;
  const end = argv.findIndex((word, index) => word === "--" && argv[index - 1] !== "--args");
  const [program, ...words] = end === -1 ? [] : argv.slice(end + 1);
  if (program === undefined) return argv;
  return [...argv.slice(0, end), `--command=${program}`, ...words.map((word) => `--args=${word}`)];
}

/**
 * The program for these arguments. It throws instead of ending the process. Only the commands that
 * the arguments name have options.
 *
 * @param output where commander prints its help.
 */
async function createProgram(
  argv: readonly string[],
  io: Io,
  commands: ToolCommands,
  output: OutputConfiguration,
): Promise<Command> {
  const program = new Command("handtools")
    .description(packageJson.description)
    .version(packageJson.version)
    .configureOutput({
      ...output,
      getOutHelpWidth: () => lineWidth(io) ?? DEFAULT_COLUMNS,
      getOutHasColors: () => takesColour(io.outIsTerminal, io),
      getErrHasColors: () => takesColour(io.errorIsTerminal, io),
    })
    .configureHelp({
      // commander's default would not wrap a help text on a terminal of 60 columns.
      minWidthToWrap: 20,
      styleTitle: (text) => styled("bold", text),
      styleOptionText: (text) => styled("cyan", text),
      styleArgumentText: (text) => styled("cyan", text),
      styleSubcommandText: (text) => styled("cyan", text),
    })
    .exitOverride()
    // Otherwise the program would read "--args --version" as its own --version.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText("after", helpAfter([...commands.keys()]));

  const [name = "", ...rest] = argv;
  const load = commands.get(name);
  if (load) {
    // A tool's command line needs no other command, which keeps its start fast.
    await addToolCommand(program, await load(), rest, io);
  } else {
    const { addAllCommands } = await import("./all-commands.ts");
    const isWanted = (command: string) => argv.includes(command);
    await addAllCommands(program, isWanted, io, commands);
  }
  return program;
}

const DEFAULT_COLUMNS = 80;

const helpAfter = (commands: readonly string[]): string => `
Examples:
${commands.map((command) => `  $ handtools example ${command} | handtools ${command} -`).join("\n")}

Exit codes:
  0  done
  1  something outside failed, such as a file, or --check or --diff found a difference
  2  bad input or usage`;

/**
 * Reports the error that ended the command.
 *
 * @returns the exit code.
 */
async function report(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return 0;
  if (error instanceof CliError) {
    const { severity, problems } = error;
    await writeMessages(
      io,
      problems.map((problem) => ({ severity, ...problem })),
    );
    return error.exitCode;
  }
  await reportBug(error, io);
  return 1;
}

const errorMessage = (text: string): Message => ({ severity: "error", text });

async function reportBug(error: unknown, io: Io): Promise<void> {
  const debug = io.environment.DEBUG === "1";
  const advice = debug
    ? "please report it with these lines"
    : "DEBUG=1 in the environment shows where";
  await writeMessages(io, [errorMessage(`this is a bug in handtools; ${advice}`)]);
  if (debug)
    await io.writeError(`${visibleLog(String(error instanceof Error ? error.stack : error))}\n`);
}
