import { type Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/fields.ts";
import { type Comparison, compareWith, runTool, type Tool } from "../src/tool.ts";
import { SystemError, UsageError } from "./errors.ts";
import { sourceName } from "./files/read-file.ts";
import { requireReadable } from "./input/files.ts";
import { namingPlaces, readInput, warningMessages } from "./input/input.ts";
import { exampleLines, inputFlags, usageOf } from "./input/input-flags.ts";
import {
  declareConflicts,
  inputsText,
  namingReadFlag,
  openProduct,
  type ProductFile,
  type ProductFlag,
  productFile,
  productFlags,
} from "./input/product-files.ts";
import {
  readToolSettings,
  type SettingFlag,
  settingFiles,
  settingFlags,
} from "./input/settings.ts";
import type { Io } from "./io.ts";
import { exampleHelp, readTextOptions, type TextFlag, textFlags, valueOption } from "./options.ts";
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
 * Adds `handtools <command> [FILE|-]`, which runs one tool. Everything follows from its contract.
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
  const { settings, texts, products, json, output, check, all } = toolOptions(contract);
  const fields = withInputFlags ? await loadFields(contract) : [];
  const flags = inputFlags(fields);
  const command = program
    .command(contract.command)
    .summary(contract.title)
    .description(`${contract.description}\n\nPrints ${contract.text.description}.`)
    .argument(...fileArgument(contract))
    .addHelpText("after", () => exampleHelp(exampleLines(contract, fields)));
  const [argument] = fileArgument(contract);
  if (contract.command_line) command.usage(usageOf(argument, contract.command_line));
  declareConflicts(products, {
    input: [...flags, ...settings].map(({ option }) => option),
    rendering: [...texts.map(({ option }) => option), json],
    destination: [output, check],
  });
  for (const option of [...flags.map(({ option }) => option), ...all]) command.addOption(option);

  command.action(async (given: string | readonly string[] | undefined) => {
    const files = [given ?? []].flat();
    const textOptions = readTextOptions(command, texts);
    const destination = readDestination(command, output, check);
    const settingsGiven = settingFiles(command, settings);
    const product = productFile(command, products);
    const inputFiles = files.map((file) => ({ name: "FILE", file }));
    const sources = [...inputFiles, ...settingsGiven, ...(product ? [product] : [])];
    requireReadable(sources);
    await requireOtherFile(destination, sources, io);
    if (product?.does === "read") {
      if (files.length > 0) throw new UsageError([`${product.name}: leave out FILE beside it`]);
      const text = await inputsText(tool, product, io);
      return deliver({ text, whole: true }, destination, contract, io);
    }

    const { input, comparison, result } = await namingReadFlag(tool, files, io, async () => {
      const input = await readInput(command, { files, fields, flags, list: contract.list }, io);
      const read = await readToolSettings(settingsGiven, io);
      const existing = product && (await openProduct(tool, product, io));
      const values = Object.fromEntries(read.map(({ setting, value }) => [setting, value]));
      return namingPlaces(input, read, () => {
        const comparison = existing && compareWith(existing, tool, input.value, values);
        const result =
          comparison?.result ?? runTool(tool, input.value, values, { text: textOptions });
        return { input, comparison, result };
      });
    });
    const { text, warnings } = tool.render(result, textOptions);
    await writeMessages(io, warningMessages(warnings, input));
    if (product && comparison) {
      if (product.does === "compare") return printDifferences(product, comparison, io);
      await writeMessages(io, comparisonMessages(product, comparison));
    }
    const whole = command.getOptionValue(json.attributeName()) === true;
    await deliver({ text: whole ? toJsonText(result) : text, whole }, destination, contract, io);
  });
}

/** The options of a tool's command, without the flags of its input. */
interface ToolOptions {
  readonly settings: readonly SettingFlag[];
  readonly texts: readonly TextFlag[];
  readonly products: readonly ProductFlag[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  /** All of them, in the order of the help. */
  readonly all: readonly Option[];
}

function toolOptions(contract: Contract): ToolOptions {
  const settings = settingFlags(contract);
  const texts = textFlags(contract);
  const products = productFlags(contract);
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
    ...settings.map(({ option }) => option.helpGroup("Settings:")),
    ...products.map(({ option }) => option.helpGroup("Existing files:")),
    ...[...texts.map(({ option }) => option), json, output, check].map((option) =>
      option.helpGroup("Output:"),
    ),
  ];
  return { settings, texts, products, json, output, check, all };
}

/** The fields come from the input's JSON Schema, whose code is loaded for them alone. */
async function loadFields({ input }: Contract): Promise<readonly Field[]> {
  const { fieldsOf } = await import("../src/fields.ts");
  return fieldsOf(input);
}

const fileArgument = ({ list }: Contract): [name: string, description: string] =>
  list === undefined
    ? ["[file]", "a JSON file with the input (comments allowed), or - for standard input"]
    : [
        "[files...]",
        "JSON files with the input (comments allowed), which are joined; - is standard input",
      ];

/** @throws {SystemError} when there is a difference, as `diff` ends with code 1. */
async function printDifferences(
  product: ProductFile,
  { differences, summary }: Comparison,
  io: Io,
): Promise<void> {
  if (differences.length === 0) return;
  await writeDifferences(differences, io);
  throw new SystemError([messageLine(sourceName(product.file), summary)]);
}

const comparisonMessages = (
  product: ProductFile,
  { differences, summary }: Comparison,
): readonly Message[] =>
  [messageLine(sourceName(product.file), summary), ...differences].map((text) => ({
    severity: "info",
    text,
  }));

/** Whether the words of a tool's command may hold a flag of its input, or of its help. */
export function mayHaveInputFlags(contract: Contract, words: readonly string[]): boolean {
  const { all } = toolOptions(contract);
  return words.some(
    (word) => /^-./.test(word) && !all.some(({ short, long }) => [short, long].includes(word)),
  );
}
