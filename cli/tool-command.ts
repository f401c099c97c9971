import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { withNames } from "../src/issues.ts";
import { thousands } from "../src/text.ts";
import { compareWith, type Merged, runTool, type Tool, validSetting } from "../src/tool.ts";
import { problemLine, UsageError } from "./errors.ts";
import { requireReadable } from "./files/read-file.ts";
import {
  type Input,
  type InputSources,
  namingPlaces,
  readInput,
  warningMessages,
} from "./input/input.ts";
import type { Io } from "./io.ts";
import { readReporting, writeMessages } from "./messages/message.ts";
import { exampleHelp, flagName, isGiven, readTextOptions } from "./options.ts";
import {
  type Destination,
  deliver,
  readDestination,
  requireOtherFile,
  toJsonText,
  writeReport,
} from "./output.ts";
import {
  declareConflicts,
  givenFiles,
  readNumbers,
  type ToolOptions,
  toolOptions,
} from "./tool-options.ts";

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
  const flags = withInputFlags ? await loadFlags(contract) : undefined;
  const [argument, argumentHelp] = fileArgument(contract);
  const command = program
    .command(contract.command)
    .summary(contract.title)
    .description(`${contract.description}\n\nPrints ${contract.text.description}.`)
    .argument(argument, argumentHelp);
  const usage = flags?.usage(argument);
  if (flags) command.addHelpText("after", exampleHelp(flags.examples));
  if (usage !== undefined) command.usage(usage);
  declareConflicts(options.files, {
    input: flags?.options ?? [],
    rendering: options.texts.map(({ option }) => option),
    json: options.json,
    merge: options.merge,
    destination: [options.output, options.check],
  });
  for (const option of [...(flags?.options ?? []), ...options.all]) {
    command.addOption(option);
  }
  command.action((given: string | readonly string[] | undefined) => {
    const files = [given ?? []].flat();
    const overridable = contract.source?.fields;
    const sources = {
      files,
      flags: flags?.given(command, io),
      list: contract.list,
      overridable,
    };
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
  const source = options.source && (await import("./input/source.ts"));
  if (existing?.use === "read") {
    if (files.length > 0) throw new UsageError([`${existing.label}: cannot be used with FILE`]);
    const { inputsText, readExisting } = await loadExistingFiles();
    if (isMerge) {
      const product = await readExisting(tool, existing, io);
      const merged = product.merge?.();
      if (merged) return deliverMerged(tool, merged, whole, destination, io);
    }
    if (whole) throw new UsageError([`--json: with ${existing.label} it needs --merge`]);
    const completion = source?.givenSource(command, contract, options.source, io) ?? {};
    const text = await inputsText(tool, existing, numbers, completion, io);
    return deliver({ text, whole: true }, destination, contract, io);
  }

  const [number] = Object.keys(numbers);
  if (number !== undefined) throw new UsageError([`${flagName(number)}: needs --read`]);
  const merge = isMerge ? await tool.merge?.() : undefined;
  const runOnInput = async () => {
    const given = await readInput(command, sources, io);
    const completed = await source?.completeInput(tool, given, command, options.source, io);
    const { input: read = given, run = tool.run, messages = [] } = completed ?? {};
    await writeMessages(io, messages);
    const merged =
      merge &&
      (await whileShown(read, contract, io, () =>
        namingPlaces(read, undefined, () => merge(read.value)),
      ));
    const input = merged ? mergedInput(merged) : read;
    // It may have more items than a file can have.
    if (merged && whole && !existing) {
      return { merged, input, comparison: undefined, result: merged.result };
    }
    const file = existingFiles.find(({ use }) => use === "setting");
    const setting = file && (await (await loadExistingFiles()).readSetting(file, io));
    const product =
      existing && (await (await loadExistingFiles()).readExisting(tool, existing, io));
    return whileShown(input, contract, io, () =>
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
  };
  const { merged, input, comparison, result } = await runOnInput().catch(async (error) => {
    const { namingReadFlag } = await loadExistingFiles();
    throw await namingReadFlag(error, tool, files, io);
  });
  if (merged && result === merged.result)
    return deliverMerged(tool, merged, whole, destination, io);
  await writeReport(merged?.report ?? [], io);
  const { text, warnings } = tool.render(result, textOptions);
  await writeMessages(io, await warningMessages(warnings, input));
  if (existing && comparison) {
    const { comparisonMessages, printDifferences } = await loadExistingFiles();
    if (existing.use === "compare") return printDifferences(existing, comparison, whole, io);
    await writeMessages(io, comparisonMessages(existing, comparison));
  }
  if (comparison?.isEmpty && !whole && destination.check === undefined) return;
  await deliver({ text: whole ? toJsonText(result) : text, whole }, destination, contract, io);
}

/** Runs work on an input, which a terminal shows when it may take seconds. */
async function whileShown<Value>(
  input: Input,
  contract: Contract,
  io: Io,
  work: () => Promise<Value>,
): Promise<Value> {
  const list = longList(input, contract);
  if (list === undefined) return work();
  const statusLine = await import("./messages/status-line.ts");
  return statusLine.whileShown(list, io, work);
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
  const { inputText } = await loadExistingFiles();
  if (whole) return deliver({ text: inputText(result), whole }, destination, contract, io);
  if (isEmpty) return;
  const { text } = tool.render(runTool(tool, input), {});
  await deliver({ text, whole }, destination, contract, io);
}

/** The flags come from the input's JSON Schema, whose code takes time to load. */
async function loadFlags(contract: Contract) {
  const { flagInput } = await import("./input/flag-input.ts");
  return flagInput(contract);
}

/** Few runs have an existing file or a setting. */
const loadExistingFiles = () => import("./input/existing-files.ts");

const fileArgument = ({ list }: Contract): [name: string, description: string] =>
  list === undefined
    ? ["[file]", "a JSON file with the input (comments allowed), or - for standard input"]
    : [
        "[files...]",
        "JSON files with the input (comments allowed), which are joined; - is standard input",
      ];
