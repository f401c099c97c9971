import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/fields.ts";
import type { PrintableTool } from "../src/tool.ts";
import { exampleLines } from "./example-lines.ts";
import { exampleHelp } from "./help.ts";
import { readInput } from "./input.ts";
import { inputFlags } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { line, writeMessages } from "./messages.ts";
import { deliver, readDestination, toJsonText } from "./output.ts";
import { runOnInput } from "./run-on-input.ts";
import { readSettings, settingFiles } from "./settings.ts";
import { readTextOptions } from "./text-options.ts";
import { toolOptions } from "./tool-options.ts";

/**
 * `handtools <command> [FILE|-]`: runs one tool. All of it follows from the contract.
 *
 * @param words the command's own arguments; without a flag among them it gets no flags.
 */
export async function addToolCommand(
  program: Command,
  tool: PrintableTool,
  words: readonly string[],
  io: Io,
): Promise<void> {
  const { contract } = tool;
  const { settings, texts, json, output, check, all } = toolOptions(contract);
  const fields = mayHaveFlags(words, all) ? await loadFields(contract) : [];
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
    const result = runOnInput(tool, input, await readSettings(files, io));
    const { text, warnings } = tool.render(result, textOptions);
    await writeMessages(
      io,
      warnings.map(({ severity, path, message }) => ({
        severity,
        // A remark on the whole says itself what it is about.
        text: line(path === "" ? "" : input.place(path), message),
      })),
    );
    const whole = command.getOptionValue(json.attributeName()) === true;
    await deliver(whole ? toJsonText(result) : text, destination, io);
  });
}

/** Whether a word is neither a file nor exactly one of the options, so that it may be a flag. */
const mayHaveFlags = (words: readonly string[], options: readonly Option[]): boolean =>
  words.some(
    (word) => /^-./.test(word) && !options.some(({ short, long }) => [short, long].includes(word)),
  );

/** The fields come out of the input's JSON Schema, which takes as long as a short run to make. */
async function loadFields({ input }: Contract): Promise<readonly Field[]> {
  const { fieldsOf } = await import("../src/fields.ts");
  return fieldsOf(input);
}
