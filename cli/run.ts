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
 * @param words the arguments after the program's name.
 * @returns the exit code: 0 done, 1 something outside failed, 2 bad input or usage.
 */
export async function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  const argv = helpAsFlag(words);
  // Commander prints without waiting, so its text is kept and written here.
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
 * The arguments with a server's command line, which follows `--`, as flags: `--command=npx --args=-y`
 * for `-- npx -y`.
 */
function withServerFlags(argv: readonly string[], program: Command): readonly string[] {
  if (suggestDoubleDash(namedCommand(argv, program)) === undefined) return argv;
  const end = argv.findIndex((word, index) => word === "--" && argv[index - 1] !== "--args");
  const [server, ...words] = end === -1 ? [] : argv.slice(end + 1);
  if (server === undefined) return argv;
  return [...argv.slice(0, end), `--command=${server}`, ...words.map((word) => `--args=${word}`)];
}

/**
 * `mail-filter diff --help` for `help mail-filter diff`, since commander's own takes one word, and
 * `mail-fitler` for `help mail-fitler`, which suggests the nearest command.
 */
function helpAsFlag(argv: readonly string[]): readonly string[] {
  const [first, wanted = "--help", ...modes] = argv;
  if (first !== "help") return argv;
  return isCommand(wanted) || wanted.startsWith("-") ? [wanted, ...modes, "--help"] : [wanted];
}

const isCommand = (word: string | undefined): boolean => COMMANDS.some(([, name]) => name === word);

/**
 * The program without its commands. It throws instead of ending the process.
 *
 * @param help is given what commander prints.
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
      // commander's default would not wrap a help text on a terminal of 60 columns.
      minWidthToWrap: 20,
      // Its arguments would squeeze the texts of all flags.
      subcommandTerm: (command) => command.name(),
    })
    .exitOverride()
    // Otherwise the program would read "--args --version" as its own --version, and a command
    // the flags of its mode.
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
  1  something outside failed, such as a file, or --check or diff found a difference
  2  bad input or usage`;

/** A wrong command line in commander's words, on one line. */
function usageError(
  { code, exitCode, message }: CommanderError,
  argv: readonly string[],
  program: Command,
): CliError {
  if (exitCode === 0) return new CliError([], { exitCode: 0 });
  // Without a command, commander has printed the help on standard error.
  if (code === "commander.help") return new UsageError([]);
  const said = message.replace(/^error: |\.$/g, "").replaceAll("\n", " ");
  const command = namedCommand(argv, program);
  // The unknown option may be a flag of the server's program.
  const isFlag = code === "commander.unknownOption" && !argv.includes("--");
  const advice = isFlag ? (suggestDoubleDash(command) ?? addressAdvice(said)) : undefined;
  const help = `see ${formatCommandName(command)} --help`;
  return new UsageError([[said, advice ?? [], help].flat().join("; ")]);
}

const addressAdvice = (said: string): string | undefined =>
  said.includes("@") ? "write -- before an address that begins with a dash" : undefined;

/** The command or the mode that the arguments begin with. */
function namedCommand([name, ...others]: readonly string[], parent: Command): Command {
  const command = parent.commands.find((known) => known.name() === name);
  return command ? namedCommand(others, command) : parent;
}

/** Reports the error that ended a command; with --json for the program that reads the result too. */
async function reportError(error: CliError, io: Io): Promise<number> {
  const { severity, problems, exitCode } = error;
  const { flags } = io.reporting;
  // A program reads the result there.
  if (error instanceof UsageError && flags.json && writesToStdout(flags)) {
    await io.writeOut(toJsonText(usageErrorJson(error)));
  }
  await writeDiagnostics(
    io,
    problems.map((problem) => ({ severity, ...problem })),
  );
  return exitCode;
}

/** The API has the same form. */
const usageErrorJson = ({ problems }: UsageError): object => ({
  error: {
    code: "invalid_request",
    message: problems.map(formatProblem).join("\n"),
    issues: problems.map(({ place, path = "", text }) => ({ ...place, path, message: text })),
  },
});

function bugError(error: unknown, { environment }: Io): CliError {
  const text = "this is a bug in handtools; ";
  if (environment.DEBUG !== "1") {
    return new CliError([`${text}DEBUG=1 in the environment shows where`]);
  }
  const stack = String(error instanceof Error ? error.stack : error).split("\n");
  return new CliError([`${text}please report it with these lines`, ...stack]);
}
