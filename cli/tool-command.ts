import type { Command } from "commander";
import type { Contract } from "../schemas/index.ts";
import { withNames } from "../src/issues.ts";
import {
  type Comparison,
  compareWith,
  type GivenNumbers,
  type Merged,
  runTool,
  type Tool,
  validSetting,
} from "../src/tool.ts";
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
  type GivenFile,
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
  const overridable = contract.source?.fields ?? [];
  declareConflicts(options.files, {
    input: (flags?.options ?? []).filter((option) => !overridable.includes(option.attributeName())),
    rendering: options.texts.map(({ option }) => option),
    json: options.json,
    merge: options.merge,
    destination: [options.output, options.check],
  });
  for (const option of [...(flags?.options ?? []), ...options.all]) {
    command.addOption(option);
  }
  command.action((given: string | readonly string[] | undefined) => {
    const sources = {
      files: [given ?? []].flat(),
      flags: flags?.given(command, io),
      list: contract.list,
      overridable,
      isAnyText: tool.readSource !== undefined,
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

/** A run of the command, as its flags ask for it. */
interface Run extends ToolCommand {
  readonly destination: Destination;
  readonly textOptions: ReturnType<typeof readTextOptions>;
  /** The file in the tool's format that is read, compared or completed. */
  readonly existing: GivenFile | undefined;
  readonly settingFile: GivenFile | undefined;
  readonly numbers: GivenNumbers;
  readonly isMerge: boolean;
  /** True for the whole result as JSON. */
  readonly whole: boolean;
}

async function runTo(destination: Destination, given: ToolCommand, io: Io): Promise<void> {
  const { tool, command, options, sources } = given;
  const textOptions = readTextOptions(command, options.texts);
  const existingFiles = givenFiles(command, options.files);
  const named = [...sources.files.map((file) => ({ label: "FILE", file })), ...existingFiles];
  requireReadable(named);
  await requireOtherFile(destination, named, io);

  const run: Run = {
    ...given,
    destination,
    textOptions,
    existing: existingFiles.find(({ use }) => use !== "setting"),
    settingFile: existingFiles.find(({ use }) => use === "setting"),
    numbers: readNumbers(command, options.numbers),
    isMerge: options.merge.some((option) => isGiven(command, option)),
    whole: isGiven(command, options.json),
  };
  if (run.existing?.use === "read") return printInputs(run, run.existing, io);
  const [number] = Object.keys(run.numbers);
  if (number !== undefined) throw new UsageError([`${flagName(number)}: needs --read`]);
  const outcome = await runOnInput(run, io).catch(async (error) => {
    const { namingReadFlag } = await loadExistingFiles();
    throw await namingReadFlag(error, tool, sources.files, io);
  });
  await writeOutcome(run, outcome, io);
}

/** Prints the inputs that an existing file gives, or its merged items. */
async function printInputs(run: Run, existing: GivenFile, io: Io): Promise<void> {
  const { tool, command, options, sources, destination, numbers, whole } = run;
  const { label } = existing;
  if (sources.files.length > 0) throw new UsageError([`${label}: cannot be used with FILE`]);
  const { inputsText, readExisting } = await loadExistingFiles();
  if (run.isMerge) {
    const product = await readExisting(tool, existing, io);
    const merged = product.merge?.();
    if (merged) return deliverMerged(run, merged, io);
  }
  if (whole) throw new UsageError([`--json: with ${label} it needs --merge`]);
  const source = options.source && (await loadSource());
  const completion = source?.givenSource(command, tool.contract, options.source, io) ?? {};
  const fields = (sources.flags?.given ?? []).map(({ path, value }) => [path, value()]);
  const given = { ...completion, fields: Object.fromEntries(fields) };
  const text = await inputsText(tool, existing, numbers, given, io);
  await deliver({ text, whole: true }, destination, tool.contract, io);
}

interface Done {
  readonly input: Input;
  readonly comparison: Comparison | undefined;
  readonly result: object;
}

/** With `--merge --json` the merge is all that is asked for. */
type Outcome = { merged: Merged; done?: undefined } | { merged: Merged | undefined; done: Done };

async function runOnInput(run: Run, io: Io): Promise<Outcome> {
  const { tool, command, options, existing, settingFile } = run;
  const { contract } = tool;
  const merge = run.isMerge ? await tool.merge?.() : undefined;
  const read = await readInput(command, run.sources, io);
  const source = options.source && (await loadSource());
  const completed = await source?.completeInput(tool, read, command, options.source, io);
  const {
    input: given,
    run: runWith,
    messages,
  } = completed ?? { input: read, run: tool.run, messages: [] };
  await writeMessages(io, messages);
  const merged = merge && (await namingPlaces(given, undefined, () => merge(given.value)));
  // It may have more items than a file can have.
  if (merged && run.whole && !existing) return { merged };

  const input = merged ? mergedInput(merged) : given;
  const files = existing || settingFile ? await loadExistingFiles() : undefined;
  const setting = settingFile && (await files?.readSetting(settingFile, io));
  const product = existing && (await files?.readExisting(tool, existing, io));
  const toResult = () => {
    const comparison = product && compareWith(product, tool, input.value);
    const result =
      comparison?.result ??
      runTool({ ...tool, run: runWith }, input.value, {
        text: run.textOptions,
        setting: setting && validSetting(contract, { [setting.name]: setting.value }),
      });
    return { merged, done: { input, comparison, result } };
  };
  return namingPlaces(input, setting, toResult);
}

async function writeOutcome(run: Run, { merged, done }: Outcome, io: Io): Promise<void> {
  const { tool, existing, destination, whole } = run;
  if (!done) return deliverMerged(run, merged, io);
  const { input, comparison, result } = done;
  await writeReport(merged?.report ?? [], io);
  const rendering = tool.render(result, run.textOptions);
  await writeMessages(io, await warningMessages(rendering.warnings, input));
  if (existing && comparison) {
    const { comparisonMessages, printDifferences } = await loadExistingFiles();
    if (existing.use === "compare") return printDifferences(existing, comparison, whole, io);
    await writeMessages(io, comparisonMessages(existing, comparison));
  }
  if (comparison?.isEmpty && !whole && destination.check === undefined) return;
  const product = { text: whole ? toJsonText(result) : rendering.text, whole };
  await deliver(product, destination, tool.contract, io);
}

/** An input that the user did not write: its parts have no other names. */
const mergedInput = ({ input }: Merged): Input => ({
  value: input,
  origin: (path) => ({ path }),
  reword: (message) => withNames(message),
});

/** Writes the new items of an existing file, or with --json the whole outcome of a merge. */
async function deliverMerged(
  { tool, whole, destination }: Run,
  { input, result, report, isEmpty }: Merged,
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

const loadSource = () => import("./input/source.ts");

/** Few runs have an existing file or a setting. */
const loadExistingFiles = () => import("./input/existing-files.ts");

function fileArgument({ list, source }: Contract): [name: string, description: string] {
  const files = "with the input (comments allowed)";
  if (list !== undefined) {
    return ["[files...]", `JSON files ${files}, which are joined; - is standard input`];
  }
  const others = source ? `, ${source.file}, or ${source.others}` : "";
  return ["[file]", `a JSON file ${files}${others}; - is standard input`];
}
