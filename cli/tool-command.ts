import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { withNames } from "../src/issues.ts";
import type { Field } from "../src/json-schema.ts";
import { thousands } from "../src/text.ts";
import {
  type Comparison,
  compareWith,
  type Merged,
  runTool,
  type Tool,
  validSetting,
} from "../src/tool.ts";
import { DifferenceFound, UsageError } from "./errors.ts";
import { sourceName } from "./files/read-file.ts";
import {
  declareConflicts,
  type GivenFile,
  givenFiles,
  requireReadable,
} from "./input/file-flags.ts";
import { inputsText, inputText, namingReadFlag, readExisting, readSetting } from "./input/files.ts";
import {
  type Input,
  type InputSources,
  namingPlaces,
  readInput,
  warningMessages,
} from "./input/input.ts";
import { exampleLines, inputFlags, usageOf } from "./input/input-flags.ts";
import { readNumbers } from "./input/number-flags.ts";
import { completeInput, givenSource } from "./input/source.ts";
import type { Io } from "./io.ts";
import { type Message, writeMessages } from "./messages/message.ts";
import { problemLine } from "./messages/problem.ts";
import { readReporting, requireNoWarnings } from "./messages/reporting.ts";
import { whileShown } from "./messages/status-line.ts";
import { exampleHelp, flagName, isGiven, readTextOptions } from "./options.ts";
import {
  type Destination,
  deliver,
  readDestination,
  requireOtherFile,
  toJsonText,
  writeDifferences,
  writeReport,
} from "./output.ts";
import { type ToolOptions, toolOptions } from "./tool-options.ts";

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
    rendering: options.texts.map(({ option }) => option),
    json: options.json,
    merge: options.merge,
    destination: [options.output, options.check],
  });
  for (const option of [...flags.map(({ option }) => option), ...options.all]) {
    command.addOption(option);
  }
  command.action((given: string | readonly string[] | undefined) => {
    const files = [given ?? []].flat();
    const overridable = contract.source?.fields;
    const sources = { files, fields, flags, list: contract.list, overridable };
    return runToolCommand({ tool, command, options, sources }, io);
  });
}

interface ToolCommand {
  readonly tool: Tool;
  readonly command: Command;
  readonly options: ToolOptions;
  readonly sources: InputSources;
}

async function runToolCommand(given: ToolCommand, io: Io): Promise<void> {
  const { command, options } = given;
  readReporting(command, options.reporting, io);
  const destination = readDestination(command, options.output, options.check);
  try {
    await runTo(destination, given, io);
  } catch (error) {
    const isPrinted = destination.output === undefined && destination.check === undefined;
    const isRead = isPrinted && isGiven(command, options.json);
    if (isRead && error instanceof UsageError) await io.writeOut(toJsonText(errorOf(error)));
    throw error;
  }
}

/** An error for the program that reads the result, as the API and the library have it. */
const errorOf = ({ problems }: UsageError): object => ({
  error: {
    code: "invalid_request",
    message: problems.map(problemLine).join("\n"),
    issues: problems.map(({ place, path = "", text }) => ({ ...place, path, message: text })),
  },
});

async function runTo(
  destination: Destination,
  { tool, command, options, sources }: ToolCommand,
  io: Io,
): Promise<void> {
  const { contract } = tool;
  const { files } = sources;
  const textOptions = readTextOptions(command, options.texts);
  const existingFiles = givenFiles(command, options.files);
  const read = [...files.map((file) => ({ label: "FILE", file })), ...existingFiles];
  requireReadable(read);
  await requireOtherFile(destination, read, io);

  const existing = existingFiles.find(({ use }) => use !== "setting");
  const numbers = readNumbers(command, options.numbers);
  const whole = isGiven(command, options.json);
  const isMerge = options.merge.some((option) => isGiven(command, option));
  if (existing?.use === "read") {
    if (files.length > 0) throw new UsageError([`${existing.label}: cannot be used with FILE`]);
    if (isMerge) {
      const product = await readExisting(tool, existing, io);
      const merged = product.merge?.();
      if (merged) return deliverMerged(tool, merged, whole, destination, io);
    }
    if (whole) throw new UsageError([`--json: with ${existing.label} it needs --merge`]);
    const source = givenSource(command, contract, options.source, io);
    const text = await inputsText(tool, existing, numbers, source, io);
    return deliver({ text, whole: true }, destination, contract, io);
  }

  const [number] = Object.keys(numbers);
  if (number !== undefined) throw new UsageError([`${flagName(number)}: needs --read`]);
  const merge = isMerge ? await tool.merge?.() : undefined;
  const { merged, input, comparison, result } = await namingReadFlag(tool, files, io, async () => {
    const given = await readInput(command, sources, io);
    const completed = await completeInput(tool, given, command, options.source, io);
    const { input: read, run, messages } = completed;
    await writeMessages(io, messages);
    const merged =
      merge &&
      (await whileShown(longList(read, contract), io, () =>
        namingPlaces(read, undefined, () => merge(read.value)),
      ));
    const input = merged ? mergedInput(merged) : read;
    // It may have more items than a file can have.
    if (merged && whole && !existing) {
      return { merged, input, comparison: undefined, result: merged.result };
    }
    const file = existingFiles.find(({ use }) => use === "setting");
    const setting = file && (await readSetting(file, io));
    const product = existing && (await readExisting(tool, existing, io));
    return whileShown(longList(input, contract), io, () =>
      namingPlaces(input, setting, () => {
        const comparison = product && compareWith(product, tool, input.value);
        const options = {
          text: textOptions,
          setting: setting && validSetting(contract, { [setting.name]: setting.value }),
        };
        const result = comparison?.result ?? runTool({ ...tool, run }, input.value, options);
        return { merged, input, comparison, result };
      }),
    );
  });
  if (merged && result === merged.result)
    return deliverMerged(tool, merged, whole, destination, io);
  await writeReport(merged?.report ?? [], io);
  const { text, warnings } = tool.render(result, textOptions);
  await writeMessages(io, await warningMessages(warnings, input));
  if (existing && comparison) {
    if (existing.use === "compare") return printDifferences(existing, comparison, whole, io);
    await writeMessages(io, comparisonMessages(existing, comparison));
  }
  if (comparison?.isEmpty && !whole && destination.check === undefined) return;
  await deliver({ text: whole ? toJsonText(result) : text, whole }, destination, contract, io);
}

/** The list of an input that may take seconds, "1,000 filters"; undefined for another input. */
function longList({ value }: Input, { list = "" }: Contract): string | undefined {
  const items: unknown = Object(value)[list];
  const count = Array.isArray(items) ? items.length : 0;
  return count >= LONG_LIST ? `${thousands(count)} ${list}` : undefined;
}

const LONG_LIST = 200;

/** An input that the user did not write: its parts have no other names. */
const mergedInput = ({ input }: Merged): Input => ({
  value: input,
  origin: (path) => ({ path }),
  reword: (message) => withNames(message),
});

/** Writes the new items of an existing file, or with --json the whole outcome of a merge. */
async function deliverMerged(
  tool: Tool,
  { input, result, report, isEmpty }: Merged,
  whole: boolean,
  destination: Destination,
  io: Io,
): Promise<void> {
  const { contract } = tool;
  await writeReport(report, io);
  if (whole) return deliver({ text: inputText(result), whole }, destination, contract, io);
  if (isEmpty) return;
  const { text } = tool.render(runTool(tool, input), {});
  await deliver({ text, whole }, destination, contract, io);
}

/** The fields come from the input's JSON Schema, whose code loads only here. */
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
  whole: boolean,
  io: Io,
): Promise<void> {
  requireNoWarnings(io);
  if (whole) await io.writeOut(toJsonText({ summary, differences: differences.map(toChange) }));
  else await writeDifferences(differences, io);
  if (differences.length === 0) return;
  throw new DifferenceFound([{ place: { file: sourceName(file) }, text: summary }]);
}

const toChange = (line: string): object => ({
  change: CHANGES[line.charAt(0)] ?? "unknown",
  text: line.slice(2),
});

/** The kinds of changes, by their marks in the text. */
const CHANGES: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };

const comparisonMessages = (
  { file }: GivenFile,
  { differences, summary, isEmpty }: Comparison,
): readonly Message[] => {
  const numbers = isEmpty ? `${summary}; nothing is written` : summary;
  const place = { file: sourceName(file) };
  return [
    { severity: "info", place, text: numbers },
    ...differences.map((text) => ({ severity: "info", text }) as const),
  ];
};
