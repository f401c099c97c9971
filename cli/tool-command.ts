import { type Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import { fieldsOf } from "../src/fields.ts";
import type { PrintableTool } from "../src/printable-tool.ts";
import type { Catalog } from "./catalog.ts";
import { exampleLines } from "./example-lines.ts";
import { exampleHelp } from "./help.ts";
import { readInput } from "./input.ts";
import { inputFlags } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { line, writeMessages } from "./messages.ts";
import { valueOption } from "./option.ts";
import { deliver, readDestination, toJsonText } from "./output.ts";
import { runOnInput } from "./run-on-input.ts";
import { readSettings, settingFiles, settingFlags } from "./settings.ts";
import { readTextOptions, textFlags } from "./text-options.ts";

/** `handtools <command> [FILE|-]`: runs one tool. All of it follows from the contract. */
export function defineToolCommand(
  command: Command,
  contract: Contract,
  { loaders }: Catalog,
  io: Io,
): void {
  const fields = fieldsOf(contract.input);
  const inputs = inputFlags(fields);
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

  command
    .description(`${contract.description}\n\nPrints ${contract.text.description}.`)
    .argument("[file]", "a JSON file with the input (comments allowed), or - for standard input")
    .addHelpText("after", exampleHelp(exampleLines(contract, fields)));
  for (const { option } of [...inputs, ...settings]) command.addOption(option);
  for (const option of [...texts.map(({ option }) => option), json, output, check]) {
    command.addOption(option.helpGroup("Output:"));
  }

  command.action(async (file: string | undefined) => {
    const textOptions = readTextOptions(command, texts);
    const destination = readDestination(command, output, check);
    const files = settingFiles(command, settings, file);
    const input = await readInput(command, file, fields, inputs, io);
    const tool = await load(contract, loaders);
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

async function load({ name }: Contract, loaders: Catalog["loaders"]): Promise<PrintableTool> {
  const loader = loaders.get(name);
  if (!loader) throw new Error(`The tool ${name} has no loader`);
  return loader();
}
