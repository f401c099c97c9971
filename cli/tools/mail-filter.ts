import { type Command, Option } from "commander";
import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import { formatWarnings, type RawResult } from "../../src/findings.ts";
import { mailFilterTool } from "../../src/mail-filter/mail-filter.ts";
import { isXml } from "../../src/text.ts";
import { runTool, withExtendedLimits } from "../../src/tool.ts";
import { CliError, UsageError } from "../cli-error.ts";
import { readText, sourceName } from "../files/read-file.ts";
import {
  type InputFlags,
  type InputFormat,
  type InputSources,
  inputWithoutLocations,
  readInput,
  toDiagnostics,
  withLocations,
} from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import {
  addCommands,
  addExamples,
  addOptions,
  type CommandRow,
  type DefineCommand,
  jsonOption,
  outputOptions,
  reportingOptions,
} from "../options.ts";
import {
  requireNoWarnings,
  toJsonText,
  writeDiagnostics,
  writeDifferences,
  writeOutput,
} from "../output.ts";
import {
  FILES_ARGUMENT,
  formatInput,
  formatToolDescription,
  loadInputFlags,
  readExportFile,
  requireFiles,
} from "./input-files.ts";

const filterTool = withExtendedLimits(mailFilterTool);

const format: InputFormat = { contract: filterTool.contract, list: "filters", canRead: isXml };

const EXPORT_ARGUMENT = ["<export>", "the mailFilters.xml of Gmail; - is standard input"] as const;

interface WriteFlags extends CommonFlags {
  readonly format?: "xml" | "search";
}

const defineMailFilter: DefineCommand = async (command, io, args) => {
  const flags = await loadInputFlags(filterTool.contract, args, printingOptions(), io);

  command.description(formatToolDescription(filterTool.contract)).argument(...FILES_ARGUMENT);
  addExamples(command, [
    "handtools mail-filter --from billing@acme.example --from @shop.example --subject 'your receipt' --label Money/Bills --skip-inbox",
    "handtools example mail-filter | handtools mail-filter -",
    "handtools example mail-filter > input.json && handtools mail-filter input.json",
  ]);
  addOptions(command, ...(flags?.options ?? []), ...printingOptions());
  command.action(async (files: string[], options: WriteFlags) => {
    await requireFiles(command, files, io);
    const input = await readInput({ command, files, flags }, format, io);
    const result = await withLocations(input, () => runTool(filterTool, input.value));
    await writeDiagnostics(io, await toDiagnostics(result.warnings, input));
    await writeOutput({ text: formatFilters(result, options) }, options, io);
  });

  defineReadFilters(command.command("read"), io);
  defineDiff(command.command("diff"), flags, io);
  defineAdditions(command.command("additions"), flags, io);
  defineMerge(command.command("merge"), io);
  await addCommands(command, PREVIEW_COMMANDS, args, io);
};

const loadPreview = () => import("./mail-filter-preview.ts");

const PREVIEW_COMMANDS: readonly CommandRow[] = [
  ["Commands:", "test", "run tests of filters", loadPreview],
  ["Commands:", "preview", "show what filters would do with messages", loadPreview],
];

export const commands = { "mail-filter": defineMailFilter };

const printingOptions = (): readonly Option[] => [
  new Option("--format <format>", "print Gmail's file, or the searches, one per line")
    .choices(["xml", "search"])
    .conflicts("json")
    .helpGroup("Output:"),
  jsonOption(),
  ...outputOptions(),
];

function defineReadFilters(command: Command, io: Io): void {
  command
    .summary("print a Gmail export as input JSON")
    .description("Print the filters of a Gmail export as input JSON.")
    .argument(...EXPORT_ARGUMENT);
  addExamples(command, [
    "handtools example mail-filter | handtools mail-filter - | handtools mail-filter read -",
  ]);
  addOptions(command, ...outputOptions());
  command.action(async (file: string, options: CommonFlags) => {
    await requireFiles(command, [file], io);
    const { filters, warnings, input } = await readExportFile(file, io);
    await writeDiagnostics(io, await toDiagnostics(warnings, input));
    if (filters.length === 0) {
      throw new UsageError([
        { location: { file: sourceName(file) }, text: "must contain a filter that can be read" },
      ]);
    }
    await writeOutput({ text: formatInput({ filters }) }, options, io);
  });
}

function defineDiff(command: Command, flags: InputFlags | undefined, io: Io): void {
  command
    .summary("print how filters differ from an export")
    .description(
      "Print how filters differ in meaning from a Gmail export, one line for each difference. It exits with 1 if anything differs.",
    )
    .argument(...EXPORT_ARGUMENT)
    .argument(...FILES_ARGUMENT);
  addExamples(command, [
    "handtools example mail-filter | handtools mail-filter - > mailFilters.xml",
    "handtools example mail-filter | handtools mail-filter diff mailFilters.xml -",
  ]);
  addOptions(command, ...(flags?.options ?? []), jsonOption(), ...reportingOptions());
  command.action(async (file: string, files: string[], options: CommonFlags) => {
    const sources = { command, files, flags };
    const { warnings, differences, summary } = await compareInputWithExport(file, sources, io);
    await writeDiagnostics(io, warnings);
    requireNoWarnings(io);
    if (options.json) {
      await io.writeOut(toJsonText({ summary, differences: differences.map(toChange) }));
    } else await writeDifferences(differences, io);
    if (differences.length === 0) return;
    const location = { file: sourceName(file) };
    throw new CliError([{ location, text: summary }], { severity: "info" });
  });
}

function defineAdditions(command: Command, flags: InputFlags | undefined, io: Io): void {
  command
    .summary("write the filters that an export lacks")
    .description("Write the filters that a Gmail export lacks, because an import only adds.")
    .argument(...EXPORT_ARGUMENT)
    .argument(...FILES_ARGUMENT);
  addExamples(command, [
    "handtools mail-filter --from a@shop.example --label Shop > mailFilters.xml",
    "handtools mail-filter additions mailFilters.xml --from b@shop.example --label Shop",
  ]);
  addOptions(command, ...(flags?.options ?? []), ...printingOptions());
  command.action(async (file: string, files: string[], options: WriteFlags) => {
    const compared = await compareInputWithExport(file, { command, files, flags }, io);
    const { result, warnings, differences, summary, counts } = compared;
    const isEmpty = counts.new === 0;
    const text = isEmpty ? `${summary}; nothing is written` : summary;
    await writeDiagnostics(io, [
      ...warnings,
      { severity: "info", location: { file: sourceName(file) }, text },
      ...differences.map((line) => ({ severity: "info", text: line }) as const),
    ]);
    if (isEmpty && !options.json) return;
    await writeOutput({ text: formatFilters(result, options) }, options, io);
  });
}

function defineMerge(command: Command, io: Io): void {
  command
    .summary("join filters that differ in only one list")
    .description(
      "Join filters that differ in only one list, and report which filters they replace. From an export it writes only the new filters; from inputs it writes all of them.",
    )
    .argument("<files...>", "a Gmail export, or JSON files with the input; - is standard input");
  addExamples(command, ["handtools example mail-filter | handtools mail-filter merge -"]);
  addOptions(command, jsonOption(), ...outputOptions());
  command.action(async (files: string[], options: CommonFlags) => {
    await requireFiles(command, files, io);
    const [file = "", ...others] = files;
    const isExport = others.length === 0 && isXml(await readText(file, io));
    const { mergeExport, mergeInput } = await import("../../src/mail-filter/merge-filters.ts");
    const filterInput = isExport
      ? undefined
      : await readInput({ command, files, flags: undefined }, format, io);
    const merged = filterInput
      ? await withLocations(filterInput, () => mergeInput(filterInput.value))
      : mergeExport(await readExportFile(file, io));
    const input = inputWithoutLocations(merged.input);
    const isWritten = !options.json && !(isExport && merged.input.filters.length === 0);
    const result =
      isWritten && (await withLocations(input, () => runTool(filterTool, input.value)));
    await writeDifferences(merged.report, io, "error");
    if (options.json) await writeOutput({ text: formatInput(merged.result) }, options, io);
    if (!result) return;
    // The warnings of an export are about filters that Gmail already has.
    const warnings = isExport ? [] : result.warnings;
    await writeDiagnostics(io, await toDiagnostics(warnings, input));
    await writeOutput({ text: result.file.content }, options, io);
  });
}

async function compareInputWithExport(
  file: string,
  { command, files, flags }: InputSources,
  io: Io,
) {
  await requireFiles(command, [file, ...files], io);
  const input = await readInput({ command, files, flags }, format, io);
  const gmailExport = await readExportFile(file, io);
  const { compareWithExport } = await import("../../src/mail-filter/compare-export.ts");
  const compared = await withLocations(input, () => compareWithExport(input.value, gmailExport));
  return { ...compared, warnings: await toDiagnostics(compared.result.warnings, input) };
}

function formatFilters(result: RawResult<MailFilterResult>, { json, format }: WriteFlags): string {
  if (json) return toJsonText(formatWarnings(result));
  if (format === "search") return result.filters.map(({ search }) => `${search}\n`).join("");
  return result.file.content;
}

const toChange = (line: string): object => ({
  change: CHANGES_BY_MARK[line.charAt(0)] ?? "unknown",
  text: line.slice(2),
});

/** By the marks in the text. */
const CHANGES_BY_MARK: Readonly<Record<string, string>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
};
