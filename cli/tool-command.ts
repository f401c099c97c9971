import { type Command, Option } from "commander";
import type { Contract, ResultOf } from "../schemas/index.ts";
import { type RunnableTool, runTool } from "../src/tool.ts";
import { problemLine, UsageError } from "./errors.ts";
import { requireReadable } from "./files/read-file.ts";
import { type GivenFlags, type Input, type InputSources, namingPlaces } from "./input/input.ts";
import type { Reader } from "./input/other-format.ts";
import type { Io } from "./io.ts";
import { type ReportingOptions, readReporting, reportingOptions } from "./messages/message.ts";
import { addExamples, isGiven, onlyValue, valueOption } from "./options.ts";
import {
  type Destination,
  isPrinted,
  readDestination,
  requireOtherFile,
  toJsonText,
} from "./output.ts";

/** The command of one tool. */
export interface ToolCommand {
  readonly contract: Contract;
  /**
   * Adds its arguments, flags and action.
   *
   * @param words after the name of the command; undefined for all flags, as in the help.
   */
  define(command: Command, words: readonly string[] | undefined, io: Io): Promise<void>;
}

export async function addToolCommand(
  program: Command,
  { contract, define }: ToolCommand,
  words: readonly string[] | undefined,
  io: Io,
): Promise<void> {
  const { command: name, title, description, prints } = contract;
  const command = program.command(name).summary(title);
  await define(command.description(`${description}\n\nPrints ${prints}.`), words, io);
}

/** The argument of a tool that joins the lists of several files. */
export const FILES = [
  "[files...]",
  "JSON files with the input (comments allowed), which are joined; - is standard input",
] as const;

/** The flags of a tool beside those of its input, in the order of the help. */
interface OwnFlags {
  readonly input: readonly Option[];
  readonly output: readonly Option[];
  /** The flags that take a file to read. */
  readonly files: readonly Option[];
  /** Reads the files of `--read`, which a user may give as FILE by mistake. */
  readonly reader?: Reader;
}

export interface ToolFlags extends Pick<OwnFlags, "files" | "reader"> {
  /** The flags of the input; none if the words have none. */
  readonly fields: readonly Option[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  readonly reporting: ReportingOptions;
  readonly contract: Contract;
  readonly given: (command: Command, io: Io) => GivenFlags | undefined;
}

/** Adds the flags of the input, those of the tool and those that every tool has. */
export async function addToolFlags(
  command: Command,
  contract: Contract,
  own: OwnFlags,
  words: readonly string[] | undefined,
): Promise<ToolFlags> {
  const json = new Option("--json", "print the whole result as JSON");
  const output = valueOption(
    "-o, --output <file>",
    "write to this file, whole or not at all; - is standard output",
  );
  const check = valueOption(
    "--check <file>",
    "write nothing; fail when this file differs from what would be written",
  ).conflicts("output");
  const reporting = reportingOptions();
  const printing = [...own.output, json, output, check, ...Object.values(reporting)];
  const known = [...own.input, ...printing.map((option) => option.helpGroup("Output:"))];
  const isKnown = (word: string) =>
    known.some(({ short, long }) => [short, long].includes(word)) || !/^-./.test(word);
  // The flags of the input come from its JSON Schema, whose code takes time to load.
  const flags = words?.every(isKnown)
    ? undefined
    : (await import("./input/flag-input.ts")).flagInput(contract);
  if (flags) addExamples(command, flags.examples);
  const fields = flags?.options ?? [];
  for (const option of [...fields, ...known]) command.addOption(option);
  const given = (command: Command, io: Io) => flags?.given(command, io);
  return { ...own, fields, json, output, check, reporting, contract, given };
}

/** Forbids options that make no sense beside another one. */
export const exclude = (option: Option, others: readonly Option[]): Option =>
  option.conflicts(others.map((other) => other.attributeName()));

/** A run of a tool's command, as the flags that all tools have ask for it. */
export interface Run {
  readonly sources: InputSources;
  readonly destination: Destination;
  /** True for the whole result as JSON. */
  readonly isJson: boolean;
}

/** Sets the action of a command. With --json, a problem of the input is printed as JSON too. */
export function onRun(
  command: Command,
  { contract, json, output, check, reporting, files, reader, given }: ToolFlags,
  io: Io,
  work: (run: Run) => Promise<void>,
): void {
  command.action(async (argument: string | readonly string[] = []) => {
    readReporting(command, reporting, io);
    const destination = readDestination(command, output, check);
    const isJson = isGiven(command, json);
    const inputs = [argument].flat();
    try {
      const named = [
        ...inputs.map((file) => ({ label: "FILE", file })),
        ...files.flatMap((option) => {
          const file = onlyValue(command, option);
          return file === undefined ? [] : [{ label: String(option.long), file }];
        }),
      ];
      requireReadable(named);
      await requireOtherFile(destination, named, io);
      const sources = { command: contract.command, files: inputs, flags: given(command, io) };
      await work({ sources, destination, isJson }).catch(async (error: unknown) => {
        if (!reader || !(error instanceof UsageError)) throw error;
        const { namingReadFlag } = await import("./input/other-format.ts");
        throw await namingReadFlag(error, contract, reader, inputs, io);
      });
    } catch (error) {
      const printsErrorAsJson = isJson && isPrinted(destination) && error instanceof UsageError;
      if (printsErrorAsJson) await io.writeOut(toJsonText(usageErrorJson(error)));
      throw error;
    }
  });
}

/**
 * The result of a tool, for an input of the user.
 *
 * @throws {UsageError} with every problem, each with the place where the user gave it.
 */
export const runForInput = <C extends Contract, Options extends object>(
  tool: RunnableTool<C, Options>,
  input: Input,
  options?: Options,
): Promise<ResultOf<C>> => namingPlaces(input, () => runTool(tool, input.value, options));

/** An error as JSON, for the program that reads the result. The API has the same form. */
const usageErrorJson = ({ problems }: UsageError): object => ({
  error: {
    code: "invalid_request",
    message: problems.map(problemLine).join("\n"),
    issues: problems.map(({ place, path = "", text }) => ({ ...place, path, message: text })),
  },
});
