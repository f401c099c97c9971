import type { Command, CommanderError } from "commander";
import type { ContractShape } from "../../schemas/contract.ts";
import { commandLineAdvice } from "../input/flag-input.ts";
import { flagName } from "../options.ts";
import type { ToolCommands } from "../tool-list.ts";

/** The problems of a command line, in commander's words, and the most likely corrections. */
export async function usageProblems(
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
  tools: ToolCommands,
): Promise<readonly string[]> {
  // Without a command, commander has printed the help on standard error.
  if (code === "commander.help") return [];
  const path = findCommands(argv, program);
  const [command] = path;
  const help = ["handtools", ...path.map((known) => known.name()), "--help"].join(" ");
  const misused = switchWithValue(message, path.at(-1) ?? program);
  if (misused !== undefined) return [`option '${misused}' takes no value; see ${help}`];
  const contracts = await Promise.all(
    Array.from(tools.values(), async (load) => (await load()).contract),
  );
  const meant =
    code === "commander.unknownOption"
      ? [
          ...flagsOfSynonym(message, command, contracts),
          ...flagsOfLetter(message, command ?? program),
        ]
      : code === "commander.unknownCommand" && !command
        ? commandsOfWord(argv[0] ?? "", program, contracts)
        : [];
  // The unknown option may be a flag of the server's program.
  const advice =
    code === "commander.unknownOption" && command && !argv.includes("--")
      ? commandLineAdvice(command)
      : undefined;
  const said = oneLine(message);
  const near =
    meant.length === 0
      ? said
      : `${said.replace(SUGGESTION, "")} (Did you mean ${meant.join(" or ")}?)`;
  return [[near, ...(meant.length === 0 && advice ? [advice] : []), `see ${help}`].join("; ")];
}

function findCommands(argv: readonly string[], { commands }: Command): readonly Command[] {
  const [name, ...others] = argv;
  const command = commands.find((known) => known.name() === name);
  return command ? [command, ...findCommands(others, command)] : [];
}

/** The switch that is given as `--star=true`, which commander calls an unknown option. */
function switchWithValue(message: string, { options }: Command): string | undefined {
  const [, given] = /unknown option '(--[^'=]+)=/.exec(message) ?? [];
  return given === undefined ? undefined : options.find(({ long }) => long === given)?.long;
}

/** Commander's message without its own label, on one line. */
const oneLine = (message: string): string =>
  message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");

const SUGGESTION = / \(Did you mean .*\?\)$/;

/** The command's flag for a name of another program: `--skip-inbox` for `--archive`. */
function flagsOfSynonym(
  message: string,
  command: Command | undefined,
  contracts: readonly ContractShape[],
): readonly string[] {
  const [, given = ""] = /'--([^'=]*)/.exec(message) ?? [];
  const name = given.toLowerCase().replaceAll("-", "_");
  return contracts
    .flatMap(({ synonyms = {} }) =>
      Object.hasOwn(synonyms, name) ? [flagName(synonyms[name] ?? "")] : [],
    )
    .filter((flag) => command?.options.some(({ long }) => long === flag));
}

/** The flag whose letter is the given one in the other case: `--version` for `-v`. */
function flagsOfLetter(message: string, { options }: Command): readonly string[] {
  const [, given] = /'(-\w)'/.exec(message) ?? [];
  if (given === undefined) return [];
  return options
    .filter(({ short }) => short?.toLowerCase() === given.toLowerCase())
    .flatMap(({ long }) => (typeof long === "string" ? [long] : []));
}

/**
 * What a word in place of a command may mean: a tool with another such name, or with the word in its
 * title; else the program's flag of that name, and commands of which it is a part.
 */
function commandsOfWord(
  given: string,
  { commands, options }: Command,
  contracts: readonly ContractShape[],
): readonly string[] {
  const wanted = given.toLowerCase();
  const tools = contracts.filter(({ name, function: called, title }) =>
    [name, name.replaceAll("_", "-"), called, ...title.split(" ")]
      .map((known) => known.toLowerCase())
      .includes(wanted),
  );
  if (tools.length > 0) return tools.map(({ command }) => command);
  const flags = options.map(({ long }) => String(long)).filter((long) => long === `--${wanted}`);
  const parts = commands
    .map((known) => known.name())
    .filter((name) => name.split("-").includes(wanted));
  return [...flags, ...parts];
}
