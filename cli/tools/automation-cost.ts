import { type Command, Option } from "commander";
import { type AutomationCostResult, BILLING } from "../../schemas/automation-cost.ts";
import { PRICE_BOOK_MEANING, PriceBookSchema } from "../../schemas/price-book.ts";
import { automationCostTool } from "../../src/automation-cost/automation-cost.ts";
import { findPriceBreakpoints } from "../../src/automation-cost/breakpoints.ts";
import { renderAutomationCost, renderBreakpoints } from "../../src/automation-cost/render-cost.ts";
import { formatWarnings, type RawResult } from "../../src/findings.ts";
import { validate } from "../../src/issues.ts";
import { escapeForCi, formatCount, formatSome, posixQuote } from "../../src/text.ts";
import { runTool, withExtendedLimits } from "../../src/tool.ts";
import { CliError, UsageError } from "../cli-error.ts";
import { readText, sourceName } from "../files/read-file.ts";
import {
  fileInput,
  type InputFlags,
  type InputFormat,
  readInput,
  readJsonFile,
  toDiagnostics,
  withLocations,
} from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import {
  addExamples,
  addOptions,
  type DefineCommand,
  jsonOption,
  mapOption,
  nonEmptyOption,
  outputOptions,
  valueOption,
} from "../options.ts";
import { toJsonText, writeDiagnostics, writeOutput, writesToStdout } from "../output.ts";
import { formatInput, formatToolDescription, loadInputFlags, requireFiles } from "./input-files.ts";

const costTool = withExtendedLimits(automationCostTool);

const ZAP_FILES_ARGUMENT = [
  "[files...]",
  "JSON files with the input (comments allowed), or tables of Zaps, which are joined; - is standard input",
] as const;

/** The flags of the command and its subcommands. */
interface CostFlags extends CommonFlags {
  readonly runs?: Readonly<Record<string, number>>;
  readonly defaultRuns?: string;
  readonly stepsIncludeTrigger?: "yes" | "no";
  readonly priceBook?: string;
  readonly billing?: (typeof BILLING)[number];
  readonly team?: true;
}

const defineAutomationCost: DefineCommand = async (command, io, args) => {
  const priceBook = nonEmptyOption("--price-book <file>", `${PRICE_BOOK_MEANING} (a JSON file)`);
  priceBook.helpGroup("Settings:");
  const settings = [triggerOption(), priceBook, jsonOption(), ...outputOptions()];
  const flags = await loadInputFlags(costTool.contract, args, settings, io);
  const options = [...(flags?.options ?? []), ...settings];

  command.description(formatToolDescription(costTool.contract)).argument(...ZAP_FILES_ARGUMENT);
  addExamples(command, [
    "handtools automation-cost --name 'New lead to CRM and chat' --action-steps 2 --runs-per-month 400 --billing annual",
    "handtools example automation-cost | handtools automation-cost -",
    "handtools example automation-cost > input.json && handtools automation-cost input.json",
    "printf 'Zap,Action steps,Runs\\nLeads,2,1000\\n' | handtools automation-cost -",
  ]);
  addOptions(command, ...options);
  command.action(async (files: string[], options: CostFlags) => {
    const { input, priceBook, tableWarnings } = await readCostInput(
      command,
      files,
      flags,
      options,
      io,
    );
    const result = await withLocations(input, () =>
      runTool(costTool, input.value, { priceBook, today: io.today() }),
    );
    await writeDiagnostics(io, await toDiagnostics(result.warnings, input));
    const all = formatWarnings({ ...result, warnings: [...tableWarnings, ...result.warnings] });
    if (options.json) return writeOutput({ text: toJsonText(all) }, options, io);
    const text = renderAutomationCost(all);
    await writeOutput({ text: writesToStdout(options) ? escapeForCi(text) : text }, options, io);
  });

  defineReadZaps(command.command("read"), io);

  const breakpoints = command
    .command("breakpoints")
    .summary("print the numbers of tasks at which the cheapest plan changes")
    .description("Print the numbers of tasks at which the cheapest plan changes.")
    .argument(...ZAP_FILES_ARGUMENT);
  addExamples(breakpoints, [
    "handtools automation-cost breakpoints --action-steps 2 --runs-per-month 0",
    "handtools example automation-cost | handtools automation-cost breakpoints - --json",
  ]);
  addOptions(breakpoints, ...options);
  breakpoints.action(async (files: string[], options: CostFlags) => {
    const { input, priceBook } = await readCostInput(breakpoints, files, flags, options, io);
    const points = await withLocations(input, () =>
      findPriceBreakpoints(validate(costTool.contract.input, input.value), { priceBook }),
    );
    const text = options.json ? toJsonText(points) : renderBreakpoints(points);
    await writeOutput({ text }, options, io);
  });
};

export const commands = { "automation-cost": defineAutomationCost };

/** Reads the input and the prices, and collects the warnings of tables. */
async function readCostInput(
  command: Command,
  files: readonly string[],
  flags: InputFlags | undefined,
  options: CostFlags,
  io: Io,
) {
  const { priceBook } = options;
  await requireFiles(command, [...files, ...(priceBook === undefined ? [] : [priceBook])], io);
  const tableWarnings: RawResult<AutomationCostResult>["warnings"][number][] = [];
  const format: InputFormat = {
    contract: costTool.contract,
    list: "zaps",
    recognisedBy: ["metadata", "zaps"],
    besideFiles: ["billing", "team"],
    async readOther(text, source) {
      const { zaps, warnings } = await parseZapsAndReport(text, source, options, io);
      tableWarnings.push(...warnings);
      return { zaps };
    },
  };
  const input = await readInput({ command, files, flags }, format, io);
  const settings = accountSettings(options);
  const overridesFile = files.length > 0 && Object.keys(settings).length > 0;
  return {
    input: overridesFile ? { ...input, value: { ...Object(input.value), ...settings } } : input,
    tableWarnings,
    priceBook: priceBook === undefined ? undefined : await readPriceBookOption(priceBook, io),
  };
}

/**
 * Reads a table of Zaps or a zapfile.json, and prints its warnings.
 *
 * @throws {UsageError} for another format, or missing information.
 */
async function parseZapsAndReport(text: string, source: string, options: CostFlags, io: Io) {
  const { runs, defaultRuns, stepsIncludeTrigger: answer } = options;
  const file = fileInput({ source, value: text });
  const { parseZapsRaw } = await import("../../src/automation-cost/parse-zaps.ts");
  const found = await withLocations(file, () =>
    parseZapsRaw(text, {
      runs,
      defaultRuns: defaultRuns === undefined ? undefined : Number(defaultRuns),
      stepsIncludeTrigger: answer === undefined ? undefined : answer === "yes",
    }),
  );
  await writeDiagnostics(io, await toDiagnostics(found.warnings, file));
  const { zaps, without_runs: incomplete, ambiguous_steps_heading: heading } = found;
  const fileError = (text: string) => new UsageError([{ location: { file: source }, text }]);
  if (incomplete[0]) {
    const names = formatSome(incomplete.map(({ name }) => JSON.stringify(name)));
    const flag = `--runs ${posixQuote(`${incomplete[0].name}=100`)}`;
    const advice = `add ${flag} for each, or --default-runs 100 for all`;
    throw fileError(`has no runs a month for ${names}; ${advice}`);
  }
  if (zaps.length === 0) throw fileError("has no Zaps to price");
  if (heading === undefined) return found;
  const question = `has a column ${JSON.stringify(heading)}, which may include the trigger`;
  throw fileError(`${question}; add --steps-include-trigger yes or no`);
}

const triggerOption = () =>
  new Option(
    "--steps-include-trigger <answer>",
    "whether the column Steps of a table includes the trigger, which is not a task",
  )
    .choices(["yes", "no"])
    .helpGroup("Input:");

/** Settings that a table of Zaps does not have. */
const accountSettings = ({ billing, team }: CostFlags) => ({
  ...(billing && { billing }),
  ...(team && { team }),
});

async function readPriceBookOption(path: string, io: Io) {
  const file = await readJsonFile(path, io);
  return withLocations(fileInput(file), () => validate(PriceBookSchema, file.value));
}

function defineReadZaps(command: Command, io: Io): void {
  command
    .summary("print the Zaps of a table, or of Zapier's export, as an input")
    .description("Print the Zaps of a table (CSV) or of Zapier's zapfile.json as an input.")
    .argument("<table>", "the file; - is standard input");
  addExamples(command, [
    "printf 'Zap,Action steps,Runs\\nLeads,2,1000\\n' | handtools automation-cost read -",
  ]);
  const runs = mapOption(
    "--runs <name=number>",
    "the runs a month of a Zap of a zapfile.json, by its title. Repeatable.",
    parseNamedRuns,
  );
  const defaultRuns = valueOption(
    "--default-runs <number>",
    "the runs a month of all other Zaps of a zapfile.json",
    (text) => (isWhole(text) ? undefined : NOT_WHOLE),
  );
  const billing = new Option("--billing <choice>", "set in the printed input").choices(BILLING);
  const team = new Option("--team", "set in the printed input: several people share the Zaps");
  const input = [runs, defaultRuns, triggerOption(), billing, team];
  for (const option of input) option.helpGroup("Input:");
  addOptions(command, ...input, ...outputOptions());
  command.action(async (file: string, options: CostFlags) => {
    await requireFiles(command, [file], io);
    const source = sourceName(file);
    const content = await readText(file, io);
    const { zaps, skipped_rows } = await parseZapsAndReport(content, source, options, io);
    await writeOutput({ text: formatInput({ zaps, ...accountSettings(options) }) }, options, io);
    if (skipped_rows.length === 0) return;
    const text = `${formatCount(skipped_rows.length, "row")} could not be read`;
    throw new CliError([{ location: { file: source }, text }]);
  });
}

/** A name may contain an equals sign. */
function parseNamedRuns(item: string): readonly [string, number] {
  const [, name, number = ""] = /^(.+)=(.*)$/s.exec(item) ?? [];
  if (name === undefined) throw new UsageError(['--runs: must be a name and a number: "Name=300"']);
  if (!isWhole(number)) throw new UsageError([`--runs: ${NOT_WHOLE}`]);
  return [name, Number(number)];
}

const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text);

const NOT_WHOLE = "must be a whole number";
