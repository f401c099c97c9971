import { Command, CommanderError, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { visibleLog } from "../src/text.ts";
import type { CommandGroups } from "./commands.ts";
import { CliError, INTERRUPTED, problemLine, UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { addExamples, type CommonFlags, commandLineAdvice, commandLineOf } from "./options.ts";
import {
  isPrinted,
  lineWidth,
  type Message,
  styled,
  takesColour,
  toJsonText,
  writeMessages,
} from "./output.ts";
import { processIo } from "./process-io.ts";

/** Runs the command line of this process and sets its exit code. */
export async function runProcess(groups: CommandGroups): Promise<void> {
  // Not process.exit: it would cut off output that a pipe has not accepted yet.
  const exitCode = await run(process.argv.slice(2), processIo(), groups);
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
export async function run(argv: readonly string[], io: Io, groups: CommandGroups): Promise<number> {
  // Commander prints without waiting, so its text is kept and written here.
  const help = { out: "", error: "" };
  const program = createProgram(argv, io, groups, {
    writeOut: (text) => {
      help.out += text;
    },
    writeErr: (text) => {
      help.error += text;
    },
    outputError: () => {},
  });
  try {
    const words = expandServerCommand(argv);
    await defineNamedCommand(program, words, io, groups);
    await program.parseAsync(words, { from: "user" }).finally(async () => {
      if (help.out !== "") await io.writeOut(help.out);
      if (help.error !== "") await io.writeError(help.error);
    });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error, argv, program, io);
    if (error instanceof CliError) return report(error, io);
    await reportBug(error, io);
    return 1;
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
 * The program, with its commands as --help lists them. It throws instead of ending the process.
 *
 * @param output where commander prints its help.
 */
function createProgram(
  [wanted]: readonly string[],
  io: Io,
  groups: CommandGroups,
  output: OutputConfiguration,
): Command {
  const isKnown = Object.values(groups)
    .flat()
    .some(([name]) => name === wanted);
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
      // Its arguments would squeeze the texts of all flags.
      subcommandTerm: (command) => command.name(),
      styleTitle: (text) => styled("bold", text),
      styleOptionText: (text) => styled("cyan", text),
      styleArgumentText: (text) => styled("cyan", text),
      styleSubcommandText: (text) => styled("cyan", text),
    })
    .exitOverride()
    // Otherwise the program would read "--args --version" as its own --version, and a command
    // the flags of its mode.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText("after", () => helpAfter(groups))
    .hook("preAction", (_, command) => readReporting(command, io));
  for (const [heading, entries] of Object.entries(groups)) {
    program.commandsGroup(heading);
    // A command needs no other, which keeps its start fast.
    const named = entries.filter(([name]) => name === wanted);
    for (const [name, summary] of isKnown ? named : entries) {
      program.command(name).summary(summary).hook("preSubcommand", rejectFlagsBefore);
    }
  }
  return addHelpCommand(program);
}

const DEFAULT_COLUMNS = 80;

const helpAfter = (groups: CommandGroups): string => `
Examples:
${(groups["Tools:"] ?? []).map(([name]) => `  $ handtools example ${name} | handtools ${name} -`).join("\n")}

Exit codes:
  0  done
  1  something outside failed, such as a file, or --check or diff found a difference
  2  bad input or usage`;

/** Adds `handtools help [command]`. Commander's own answers an unknown name with the general help. */
function addHelpCommand(program: Command): Command {
  const command = program
    .command("help [command...]")
    .summary("show how a command is used")
    .description("Show how a command is used.")
    .action((names: readonly string[]) => {
      const found = names.reduce((parent, wanted) => {
        const next = parent.commands.find((known) => known.name() === wanted);
        if (next) return next;
        const help = `${commandLineOf(parent)} --help`;
        throw new UsageError([`unknown command '${wanted}'; see ${help}`]);
      }, program);
      found.help();
    });
  addExamples(command, ["handtools help", "handtools help tools"]);
  return program;
}

/** Defines the command that the words name. The others stay a name and a line. */
async function defineNamedCommand(
  program: Command,
  argv: readonly string[],
  io: Io,
  groups: CommandGroups,
): Promise<void> {
  const words = argv.slice(argv.findIndex((word) => !word.startsWith("-")));
  const [wanted, ...rest] = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  const command = program.commands.find((known) => known.name() === wanted);
  for (const [name, , load] of Object.values(groups).flat()) {
    if (command && name === wanted) await (await load()).commands[name]?.(command, io, rest);
  }
}

/**
 * Commander takes a flag before a mode for one of the command itself, which does not run.
 *
 * @throws {UsageError} for such a flag.
 */
function rejectFlagsBefore(command: Command, mode: Command): void {
  const stray = command.options.find(
    (option) => command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (!stray) return;
  throw new UsageError([
    `${stray.long}: write it after ${mode.name()}; see ${commandLineOf(mode)} --help`,
  ]);
}

/** How the command reports, by its flags. */
function readReporting(command: Command, { reporting }: Io): void {
  const flags = command.opts<CommonFlags>();
  reporting.isStrict = flags.strict === true;
  reporting.isQuiet = flags.quiet === true;
  reporting.reporter = flags.reporter ?? "text";
  reporting.printsErrors = flags.json === true && isPrinted(flags);
}

/** Reports a wrong command line in commander's words, on one line. */
async function reportUsage(
  { code, exitCode, message }: CommanderError,
  argv: readonly string[],
  program: Command,
  io: Io,
): Promise<number> {
  if (exitCode === 0) return 0;
  // Without a command, commander has printed the help on standard error.
  if (code === "commander.help") return 2;
  const said = message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  const command = namedCommand(argv, program);
  // The unknown option may be a flag of the server's program.
  const isFlag = code === "commander.unknownOption" && !argv.includes("--");
  const advice = isFlag ? commandLineAdvice(command) : undefined;
  const help = `see ${commandLineOf(command)} --help`;
  await writeMessages(io, [errorMessage([said, ...(advice ? [advice] : []), help].join("; "))]);
  return 2;
}

/** The command or the mode that the arguments begin with. */
function namedCommand([name, ...others]: readonly string[], parent: Command): Command {
  const command = parent.commands.find((known) => known.name() === name);
  return command ? namedCommand(others, command) : parent;
}

/** Reports the error that ended a command; with --json for the program that reads the result too. */
async function report(error: CliError, io: Io): Promise<number> {
  const { severity, problems, exitCode } = error;
  if (error instanceof UsageError && io.reporting.printsErrors) {
    await io.writeOut(toJsonText(usageErrorJson(error)));
  }
  await writeMessages(
    io,
    problems.map((problem) => ({ severity, ...problem })),
  );
  return exitCode;
}

/** The API has the same form. */
const usageErrorJson = ({ problems }: UsageError): object => ({
  error: {
    code: "invalid_request",
    message: problems.map(problemLine).join("\n"),
    issues: problems.map(({ place, path = "", text }) => ({ ...place, path, message: text })),
  },
});

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
