import { type Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/json-schema.ts";
import { type Comparison, compareWith, runTool, type Tool, validSetting } from "../src/tool.ts";
import { DifferenceFound, UsageError } from "./errors.ts";
import { sourceName } from "./files/read-file.ts";
import {
  declareConflicts,
  type FileFlag,
  fileFlags,
  type GivenFile,
  givenFiles,
  requireReadable,
} from "./input/file-flags.ts";
import { inputsText, namingReadFlag, readExisting, readSetting } from "./input/files.ts";
import { type InputSources, namingPlaces, readInput, warningMessages } from "./input/input.ts";
import { exampleLines, inputFlags, usageOf } from "./input/input-flags.ts";
import { type NumberFlag, numberFlags, readNumbers } from "./input/number-flags.ts";
import type { Io } from "./io.ts";
import {
  exampleHelp,
  flagName,
  isGiven,
  readTextOptions,
  type TextFlag,
  textFlags,
  valueOption,
} from "./options.ts";
import {
  deliver,
  type Message,
  messageLine,
  readDestination,
  requireOtherFile,
  toJsonText,
  writeDifferences,
  writeMessages,
} from "./output.ts";

/**
 * Adds the command of one tool. Everything follows from its contract.
 *
 * @param withInputFlags whether to add the flags of the input, which take time to compute.
 */
export async function addToolCommand(
  program: Command,
  tool: Tool,
  withInputFlags: boolean,
  io: Io,
): Promise<void> {
  const { contract } = tool;
  const options = toolOptions(contract);
  const fields = withInputFlags ? await loadFields(contract) : [];
  const flags = inputFlags(fields);
  const [argument, argumentHelp] = fileArgument(contract);
  const command = program
    .command(contract.command)
    .summary(contract.title)
    .description(`${contract.description}\n\nPrints ${contract.text.description}.`)
    .argument(argument, argumentHelp)
    .addHelpText("after", () => exampleHelp(exampleLines(contract, fields)));
  if (contract.command_line) command.usage(usageOf(argument, contract.command_line));
  declareConflicts(options.files, {
    input: flags.map(({ option }) => option),
    rendering: [...options.texts.map(({ option }) => option), options.json],
    destination: [options.output, options.check],
  });
  for (const option of [...flags.map(({ option }) => option), ...options.all]) {
    command.addOption(option);
  }
  command.action((given: string | readonly string[] | undefined) => {
    const sources = { files: [given ?? []].flat(), fields, flags, list: contract.list };
    return runToolCommand({ tool, command, options, sources }, io);
  });
}

/** A tool's command with what the user gave. */
interface ToolCommand {
  readonly tool: Tool;
  readonly command: Command;
  readonly options: ToolOptions;
  readonly sources: InputSources;
}

async function runToolCommand(
  { tool, command, options, sources }: ToolCommand,
  io: Io,
): Promise<void> {
  const { contract } = tool;
  const { files } = sources;
  const textOptions = readTextOptions(command, options.texts);
  const destination = readDestination(command, options.output, options.check);
  const given = givenFiles(command, options.files);
  const read = [...files.map((file) => ({ label: "FILE", file })), ...given];
  requireReadable(read);
  await requireOtherFile(destination, read, io);

  const existing = given.find(({ use }) => use !== "setting");
  const numbers = readNumbers(command, options.numbers);
  if (existing?.use === "read") {
    if (files.length > 0) throw new UsageError([`${existing.label}: leave out FILE beside it`]);
    const text = await inputsText(tool, existing, numbers, io);
    return deliver({ text, whole: true }, destination, contract, io);
  }

  const [number] = Object.keys(numbers);
  if (number !== undefined) throw new UsageError([`${flagName(number)}: goes with --read only`]);
  const { input, comparison, result } = await namingReadFlag(tool, files, io, async () => {
    const input = await readInput(command, sources, io);
    const file = given.find(({ use }) => use === "setting");
    const setting = file && (await readSetting(file, io));
    const product = existing && (await readExisting(tool, existing, io));
    return namingPlaces(input, setting, () => {
      const comparison = product && compareWith(product, tool, input.value);
      const options = {
        text: textOptions,
        setting: setting && validSetting(contract, { [setting.name]: setting.value }),
      };
      const result = comparison?.result ?? runTool(tool, input.value, options);
      return { input, comparison, result };
    });
  });
  const { text, warnings } = tool.render(result, textOptions);
  await writeMessages(io, warningMessages(warnings, input));
  if (existing && comparison) {
    if (existing.use === "compare") return printDifferences(existing, comparison, io);
    await writeMessages(io, comparisonMessages(existing, comparison));
  }
  const whole = isGiven(command, options.json);
  if (comparison?.isEmpty && !whole && destination.check === undefined) return;
  await deliver({ text: whole ? toJsonText(result) : text, whole }, destination, contract, io);
}

/** The options of a tool's command, without the flags of its input. */
interface ToolOptions {
  readonly files: readonly FileFlag[];
  readonly numbers: readonly NumberFlag[];
  readonly texts: readonly TextFlag[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  /** All of them, in the order of the help. */
  readonly all: readonly Option[];
}

function toolOptions(contract: Contract): ToolOptions {
  const files = fileFlags(contract);
  const numbers = numberFlags(contract);
  const texts = textFlags(contract);
  const json = new Option("--json", "print the whole result as JSON");
  const output = valueOption(
    "-o, --output <file>",
    "write to this file, whole or not at all; - is standard output",
  );
  const check = valueOption(
    "--check <file>",
    "write nothing; fail when this file differs from what would be written",
  ).conflicts("output");
  const all = [
    ...files.flatMap(({ option, part = [] }) => [option].concat(part)),
    ...numbers.map(({ option }) => option),
    ...[...texts.map(({ option }) => option), json, output, check].map((option) =>
      option.helpGroup("Output:"),
    ),
  ];
  return { files, numbers, texts, json, output, check, all };
}

/** The fields come from the input's JSON Schema, whose code is loaded for them alone. */
async function loadFields({ input }: Contract): Promise<readonly Field[]> {
  const { fieldsOf } = await import("../src/json-schema.ts");
  return fieldsOf(input);
}

const fileArgument = ({ list }: Contract): [name: string, description: string] =>
  list === undefined
    ? ["[file]", "a JSON file with the input (comments allowed), or - for standard input"]
    : [
        "[files...]",
        "JSON files with the input (comments allowed), which are joined; - is standard input",
      ];

/** @throws {DifferenceFound} when there is a difference, as `diff` ends with code 1. */
async function printDifferences(
  { file }: GivenFile,
  { differences, summary }: Comparison,
  io: Io,
): Promise<void> {
  if (differences.length === 0) return;
  await writeDifferences(differences, io);
  throw new DifferenceFound([messageLine(sourceName(file), summary)]);
}

const comparisonMessages = (
  { file }: GivenFile,
  { differences, summary, isEmpty }: Comparison,
): readonly Message[] => {
  const numbers = isEmpty ? `${summary}; nothing is written` : summary;
  return [messageLine(sourceName(file), numbers), ...differences].map((text) => ({
    severity: "info",
    text,
  }));
};

/** Whether a tool's command may be given a flag of its input, or asked for its help. */
export function mayHaveInputFlags(contract: Contract, words: readonly string[]): boolean {
  const { all } = toolOptions(contract);
  return words.some(
    (word) => /^-./.test(word) && !all.some(({ short, long }) => [short, long].includes(word)),
  );
}
