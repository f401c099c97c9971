import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { CliError, formatProblem, UsageError } from "./cli-error.ts";
import { COMMANDS } from "./commands.ts";
import type { Io } from "./io.ts";
import { addCommands, formatCommandName, suggestDoubleDash } from "./options.ts";
import { toJsonText, writeDiagnostics, writesToStdout } from "./output.ts";

/**
 * Runs one command line.
 *
 * @param args the arguments after the program's name.
 * @returns the exit code: 0 done, 1 something external failed, 2 bad input or usage.
 */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const argv = helpAsFlag(args);
  // Commander does not await its writes, so we collect its output.
  const help = { out: "", error: "" };
  const program = createProgram(io, help);
  try {
    await addCommands(program, COMMANDS, argv, io);
    await program.parseAsync(withServerFlags(argv, program), { from: "user" }).finally(async () => {
      if (help.out !== "") await io.writeOut(help.out);
      if (help.error !== "") await io.writeError(help.error);
    });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return reportError(usageError(error, argv, program), io);
    return reportError(error instanceof CliError ? error : bugError(error, io), io);
  }
}

/**
 * Turns a server's command line after `--` into flags: `-- npx -y` into `--command=npx --args=-y`.
 */
function withServerFlags(argv: readonly string[], program: Command): readonly string[] {
  if (suggestDoubleDash(namedCommand(argv, program)) === undefined) return argv;
  const end = argv.findIndex((word, index) => word === "--" && argv[index - 1] !== "--args");
  const [server, ...args] = end === -1 ? [] : argv.slice(end + 1);
  if (server === undefined) return argv;
  return [...argv.slice(0, end), `--command=${server}`, ...args.map((word) => `--args=${word}`)];
}

/**
 * Turns `help mail-filter diff` into `mail-filter diff --help`, because commander's own help accepts
 * one word, and `help mail-fitler` into `mail-fitler`, which suggests the nearest command.
 */
function helpAsFlag(argv: readonly string[]): readonly string[] {
  const [first, commandName = "--help", ...subcommands] = argv;
  if (first !== "help") return argv;
  const isKnown = commandName.startsWith("-") || COMMANDS.some(([, name]) => name === commandName);
  return isKnown ? [commandName, ...subcommands, "--help"] : [commandName];
}

/**
 * Creates the program without its commands. It throws instead of ending the process.
 *
 * @param help collects commander's output.
 */
const createProgram = (io: Io, help: { out: string; error: string }): Command =>
  new Command("handtools")
    .description(packageJson.description)
    .version(packageJson.version)
    .configureOutput({
      writeOut: (text) => {
        help.out += text;
      },
      writeErr: (text) => {
        help.error += text;
      },
      outputError: () => {},
      getOutHelpWidth: () => Math.min(io.outColumns || 80, MAX_COLUMNS),
    })
    .configureHelp({
      // Wraps the help even on a terminal of 60 columns.
      minWidthToWrap: 20,
      // Arguments would leave little width for the descriptions.
      subcommandTerm: (command) => command.name(),
    })
    .exitOverride()
    // Otherwise the program would take "--args --version" as its own --version, and a command the
    // flags of its subcommand.
    .enablePositionalOptions()
    .addHelpText("after", HELP_AFTER)
    .hook("preAction", (_, command) => {
      io.reporting.flags = command.opts();
    });

/** Longer lines are hard to read. */
const MAX_COLUMNS = 120;

const HELP_AFTER = `
Examples:
${COMMANDS.filter(([heading]) => heading === "Tools:")
  .map(([, name]) => `  $ handtools example ${name} | handtools ${name} -`)
  .join("\n")}

Exit codes:
  0  done
  1  something external failed, such as a file, or --check or diff found a difference
  2  bad input or usage`;

/** Puts commander's message on one line, and adds advice. */
function usageError(
  { code, exitCode, message }: CommanderError,
  argv: readonly string[],
  program: Command,
): CliError {
  if (exitCode === 0) return new CliError([], { exitCode: 0 });
  // Without a command, commander has printed the help on standard error.
  if (code === "commander.help") return new UsageError([]);
  const problem = message.replace(/^error: |\.$/g, "").replaceAll("\n", " ");
  const command = namedCommand(argv, program);
  // The option may belong to the server's program.
  const isFlag = code === "commander.unknownOption" && !argv.includes("--");
  const address = problem.includes("@") ? [ADDRESS_ADVICE] : [];
  const advice = isFlag ? (suggestDoubleDash(command) ?? address) : [];
  const help = `see ${formatCommandName(command)} --help`;
  return new UsageError([[problem, advice, help].flat().join("; ")]);
}

const ADDRESS_ADVICE = "put -- before an address that begins with a dash";

/** Finds the command or subcommand at the start of the arguments. */
function namedCommand([name, ...others]: readonly string[], parent: Command): Command {
  const command = parent.commands.find((known) => known.name() === name);
  return command ? namedCommand(others, command) : parent;
}

/** With --json, a usage error is also the result. */
async function reportError(error: CliError, io: Io): Promise<number> {
  const { severity, problems, exitCode } = error;
  const { flags } = io.reporting;
  if (error instanceof UsageError && flags.json && writesToStdout(flags)) {
    await io.writeOut(toJsonText(usageErrorJson(error)));
  }
  await writeDiagnostics(
    io,
    problems.map((problem) => ({ severity, ...problem })),
  );
  return exitCode;
}

/** The same shape as in the API. */
const usageErrorJson = ({ problems }: UsageError): object => ({
  error: {
    code: "invalid_request",
    message: problems.map(formatProblem).join("\n"),
    issues: problems.map(({ location, path = "", text }) => ({ ...location, path, message: text })),
  },
});

function bugError(error: unknown, { environment }: Io): CliError {
  if (environment.DEBUG !== "1") {
    return new CliError(["this is a bug in handtools; set DEBUG=1 to see the stack"]);
  }
  const stack = String(error instanceof Error ? error.stack : error).split("\n");
  return new CliError(["this is a bug in handtools; please report it with these lines", ...stack]);
}
