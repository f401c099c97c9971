import { type Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/fields.ts";
import { InvalidInputError } from "../src/issues.ts";
import { runTool, type Tool } from "../src/tool.ts";
import { UsageError } from "./errors.ts";
import {
  type GivenSetting,
  type Input,
  readInput,
  readToolSettings,
  restOfPath,
  type SettingFlag,
  settingFiles,
  settingFlags,
  sourceName,
} from "./input.ts";
import { exampleLines, inputFlags } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { exampleHelp, readTextOptions, type TextFlag, textFlags, valueOption } from "./options.ts";
import { deliver, messageLine, readDestination, toJsonText, writeMessages } from "./output.ts";

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
  const { settings, texts, json, output, check, all } = toolOptions(contract);
  const fields = withInputFlags ? await loadFields(contract) : [];
  const inputs = inputFlags(fields);
  const command = program
    .command(contract.command)
    .summary(contract.title)
    .description(`${contract.description}\n\nPrints ${contract.text.description}.`)
    .argument("[file]", "a JSON file with the input (comments allowed), or - for standard input")
    .addHelpText("after", () => exampleHelp(exampleLines(contract, fields)));
  for (const option of [...inputs.map(({ option }) => option), ...all]) command.addOption(option);

  command.action(async (file: string | undefined) => {
    const textOptions = readTextOptions(command, texts);
    const destination = readDestination(command, output, check);
    const files = settingFiles(command, settings, file);
    const input = await readInput(command, file, fields, inputs, io);
    const result = runOnInput(tool, input, await readToolSettings(files, io));
    const { text, warnings } = tool.render(result, textOptions);
    await writeMessages(
      io,
      warnings.map(({ severity, path, message }) => ({
        severity,
        // A warning about the whole input has no path and says itself what it is about.
        text: messageLine(path === "" ? "" : input.place(path), message),
      })),
    );
    const whole = command.getOptionValue(json.attributeName()) === true;
    const product = { text: whole ? toJsonText(result) : text, whole };
    await deliver(product, destination, contract, io);
  });
}

/** The options of a tool's command, without the flags of its input. */
interface ToolOptions {
  readonly settings: readonly SettingFlag[];
  readonly texts: readonly TextFlag[];
  readonly json: Option;
  readonly output: Option;
  readonly check: Option;
  /** All of them, in the order of the help. */
  readonly all: readonly Option[];
}

function toolOptions(contract: Contract): ToolOptions {
  const settings = settingFlags(contract);
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
    ...settings.map(({ option }) => option.helpGroup("Settings:")),
    ...[...texts.map(({ option }) => option), json, output, check].map((option) =>
      option.helpGroup("Output:"),
    ),
  ];
  return { settings, texts, json, output, check, all };
}

/** The fields come from the input's JSON Schema, whose code is loaded for them alone. */
async function loadFields({ input }: Contract): Promise<readonly Field[]> {
  const { fieldsOf } = await import("../src/fields.ts");
  return fieldsOf(input);
}

/**
 * Runs a tool on the user's input.
 *
 * @throws {UsageError} with every issue, each named as the user gave it.
 */
function runOnInput(tool: Tool, input: Input, settings: readonly GivenSetting[]) {
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  try {
    return runTool(tool, input.value, values);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) =>
        messageLine(...locate(path, input, settings), message),
      ),
    );
  }
}

/** The file, if there is one, and the place in it that a path means. */
function locate(path: string, input: Input, settings: readonly GivenSetting[]): readonly string[] {
  for (const { name, file } of settings) {
    const rest = restOfPath(path, name);
    if (rest !== undefined) return [sourceName(file), rest.replace(/^\./, "")];
  }
  return [input.source ?? "", input.place(path)];
}

/** Whether the words of a tool's command may hold a flag of its input, or of its help. */
export function mayHaveInputFlags(contract: Contract, words: readonly string[]): boolean {
  const { all } = toolOptions(contract);
  return words.some(
    (word) => /^-./.test(word) && !all.some(({ short, long }) => [short, long].includes(word)),
  );
}
