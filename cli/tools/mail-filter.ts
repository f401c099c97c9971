import { Option } from "commander";
import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { mailFilterTool } from "../../src/mail-filter/mail-filter.ts";
import type { MergeResult } from "../../src/mail-filter/mail-filter-export.ts";
import { runTool, validInput, withLocalLimits } from "../../src/tool.ts";
import { DifferenceFound, UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import {
  type Input,
  namingPlaces,
  readInput,
  unplacedInput,
  warningMessages,
} from "../input/input.ts";
import type { Io } from "../io.ts";
import { requireNoWarnings, writeMessages } from "../messages/message.ts";
import { isGiven, onlyValue, valueOption } from "../options.ts";
import { deliver, toJsonText, writeDifferences, writeReport } from "../output.ts";
import {
  addToolFlags,
  exclude,
  FILES,
  onRun,
  type Run,
  runForInput,
  type ToolCommand,
} from "../tool-command.ts";

const tool = withLocalLimits(mailFilterTool);

/** `handtools mail-filter`: writes filters for Gmail; reads, compares and merges those of an export. */
export const mailFilterCommand: ToolCommand = {
  contract: mailFilterTool.contract,
  async define(command, words, io) {
    const read = valueOption("--read <file>", "print this Gmail export as an input");
    const existing = valueOption("--existing <file>", "write only what this Gmail export lacks");
    const diff = valueOption(
      "--diff <file>",
      "print how the filters differ from this Gmail export, and write nothing",
    );
    const merge = new Option(
      "--merge",
      "join filters that differ in one list alone, and report what replaces what; with --read, write the new ones",
    );
    const search = new Option("--search", "print the search strings instead, one per line");
    const files = [read, existing, diff];
    for (const option of [...files, merge]) option.helpGroup("Existing files:");
    const own = { input: [...files, merge], output: [search], files, reader };
    const flags = await addToolFlags(command.argument(...FILES), tool.contract, own, words);
    exclude(read, [...flags.fields, search, existing, diff]);
    exclude(existing, [read, diff]);
    exclude(diff, [read, existing, search, flags.output, flags.check]);
    exclude(search, [flags.json]);

    onRun(command, flags, io, async (run) => {
      const [readFile, existingFile, diffFile] = files.map((file) => onlyValue(command, file));
      const isMerge = isGiven(command, merge);
      const print = isGiven(command, search) ? searches : fileText;
      if (readFile !== undefined) return printExport(readFile, isMerge, run, io);
      const filters = await readFilters(run, isMerge, io);
      if (diffFile !== undefined) return printDifferences(filters, diffFile, run, io);
      if (existingFile !== undefined) return writeMissing(filters, existingFile, print, run, io);
      if (filters.merged && run.isJson) return writeMerge(filters.merged, run, io);
      await writeFilters(filters, print, run, io);
    });
  },
};

const loadExport = () => import("../../src/mail-filter/mail-filter-export.ts");
const loadOtherFormat = () => import("../input/other-format.ts");

const reader = {
  read: async (xml: string) => (await loadExport()).readMailFilterExport(xml),
};

/** Makes the text of a result. */
type Print = (result: MailFilterResult) => string;

const fileText: Print = (result) => tool.render(result).text;
const searches: Print = ({ filters }) => filters.map(({ search }) => `${search}\n`).join("");

/** Filters to write; those that were merged have no places in the user's files. */
interface Filters {
  readonly input: Input;
  readonly merged?: MergeResult;
}

async function readFilters({ sources }: Run, isMerge: boolean, io: Io): Promise<Filters> {
  const input = await readInput(sources, io, "filters");
  if (!isMerge) return { input };
  const { mergeInput } = await loadExport();
  const merged = await namingPlaces(input, () => mergeInput(input.value));
  return { input: unplacedInput(merged.input), merged };
}

async function writeFilters(filters: Filters, print: Print, run: Run, io: Io): Promise<void> {
  const result = await runForInput(tool, filters.input);
  await writeFindings(filters, result, io);
  const text = run.isJson ? toJsonText(result) : print(result);
  await deliver({ text }, run.destination, io);
}

/** Writes the report of a merge, and the warnings. */
async function writeFindings(
  { merged, input }: Filters,
  result: MailFilterResult,
  io: Io,
): Promise<void> {
  await writeReport(merged?.report ?? [], io);
  await writeMessages(io, await warningMessages(result.warnings, input));
}

/** Prints an export as an input; for a merge, writes the filters that replace others. */
async function printExport(file: string, isMerge: boolean, run: Run, io: Io): Promise<void> {
  const { printInputs, readBy, requireNoFile } = await loadOtherFormat();
  requireNoFile(run);
  if (!isMerge) {
    if (run.isJson) throw new UsageError(["--json: with --read it needs --merge"]);
    return printInputs(file, reader.read, run, io);
  }
  const { merge } = await readBy(file, reader.read, io);
  await writeMerge(merge(), run, io);
}

async function writeMerge(merged: MergeResult, run: Run, io: Io): Promise<void> {
  await writeReport(merged.report, io);
  const { inputText } = await loadOtherFormat();
  if (run.isJson) return deliver({ text: inputText(merged.result) }, run.destination, io);
  if (merged.isEmpty) return;
  await deliver(tool.render(runTool(tool, merged.input)), run.destination, io);
}

/** Writes the filters that an export lacks. */
async function writeMissing(
  filters: Filters,
  file: string,
  print: Print,
  { isJson, destination }: Run,
  io: Io,
): Promise<void> {
  const { result, summary, differences, counts } = await compareWithExport(filters, file, io);
  const isEmpty = counts.new === 0;
  await writeFindings(filters, result, io);
  const text = isEmpty ? `${summary}; nothing is written` : summary;
  await writeMessages(io, [
    { severity: "info", place: { file: sourceName(file) }, text },
    ...differences.map((line) => ({ severity: "info", text: line }) as const),
  ]);
  if (isEmpty && !isJson && destination.check === undefined) return;
  await deliver({ text: isJson ? toJsonText(result) : print(result) }, destination, io);
}

/** @throws {DifferenceFound} when there is a difference, as `diff` ends with code 1. */
async function printDifferences(filters: Filters, file: string, run: Run, io: Io): Promise<void> {
  const { result, differences, summary } = await compareWithExport(filters, file, io);
  await writeFindings(filters, result, io);
  requireNoWarnings(io);
  if (run.isJson)
    await io.writeOut(toJsonText({ summary, differences: differences.map(toChange) }));
  else await writeDifferences(differences, io);
  if (differences.length === 0) return;
  throw new DifferenceFound([{ place: { file: sourceName(file) }, text: summary }]);
}

async function compareWithExport({ input }: Filters, file: string, io: Io) {
  const { readBy } = await loadOtherFormat();
  const { compare } = await readBy(file, reader.read, io);
  return namingPlaces(input, () =>
    compare(validInput(tool.contract.input, input.value, tool.furtherIssues)),
  );
}

const toChange = (line: string): object => ({
  change: CHANGES[line.charAt(0)] ?? "unknown",
  text: line.slice(2),
});

/** The kinds of changes, by their marks in the text. */
const CHANGES: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };
